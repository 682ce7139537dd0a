/* SPDX-License-Identifier: MIT */
/* What the program itself says about the trustworthiness of a figure: warnings with codes and
 * evidence. */
#ifndef IOB_MEASURE_VERDICT_H
#define IOB_MEASURE_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/gap.h"
#include "measure/segment.h"
#include "measure/steady.h"

#define IOB_MAX_WARNINGS 32

/* One number that a warning rests on. */
struct iob_evidence {
	char name[32]; /* as the key in JSON: "device_bytes" */
	double value;
};

struct iob_warning {
	char code[16];  /* "CACHED" */
	char text[240]; /* what, the figures, what to do; one sentence */
	unsigned nevidence;
	struct iob_evidence evidence[6];
};

struct iob_warnings {
	unsigned count;
	struct iob_warning item[IOB_MAX_WARNINGS];
};

/* The setting of a run: what can be known before it.  Zeroed = nothing is known. */
struct iob_surroundings {
	char scheduler[32];        /* "none", "" = has none */
	char unused_scheduler[32]; /* it was asked for, and there is no disk to give it to */
	bool is_nvme;
	uint64_t start_bytes;     /* where the partition begins on its disk */
	uint64_t alignment_bytes; /* how far off the kernel says that the device's blocks are */
	uint64_t physical_block, optimal_io;
	uint64_t smallest_block, region_offset; /* of the job */
	uint64_t link_bps, link_max_bps;        /* bytes per second that the link can carry; 0 */
	char link[64];                          /* "PCIe 8.0 GT/s x4" */
	int32_t temp_mc, temp_limit_mc;         /* hottest seen, in thousandths of a degree; 0 */
	uint64_t cpu_throttles;                 /* by heat, since the run began */
	char governor[24];                      /* one that saves power; "" = none does */
	uint64_t cpu_khz, cpu_max_khz;          /* of a CPU under that governor */
	int numa_node;                          /* the disk's */
	unsigned numa_cpus, numa_off;           /* CPUs that workers may use; not on that node */
	unsigned cpus, cpus_fewest;             /* that workers may use: at first; at the worst */
	double cpu_quota;                       /* CPUs that the cgroup grants; 0 = all */
	uint64_t cpu_held_ns;                   /* for which it stopped us since the run began */
	uint64_t cap_bps[2], cap_iops[2];       /* of the cgroup for this disk: read, write; 0 */
	char writer[64];                        /* who has the file open for writing; "" */
	char memory_fs[16];                     /* the file system lives in memory: "tmpfs" */
	char memory_disk[16];                   /* the disk is memory: "zram" */
	bool cached_loop;                       /* a loop device that goes through the page cache */
	bool aio_sync; /* the engine's submission does the whole work (buffered libaio) */
};

/* What the rules look at besides the totals. */
struct iob_verdict_facts {
	struct iob_segment_figures *total;
	struct iob_surroundings around;
	const struct iob_steady *steady; /* the course of the longest segment; NULL = unknown */
	bool before;                     /* nothing has run yet: only what the setting says */
	bool reads, sequential;          /* the job */
	bool constant;                   /* one parameter set for all of the time */
	bool stages;      /* several jobs, one after the other, of which this is the newest */
	bool closed_loop; /* workers refill at once: nothing but them keeps the depth down */
	uint64_t merges[2],
		device_ios[2]; /* of the disk: read, write; over the span of the totals */
	double host_cpu;       /* busy share of all CPUs, 0..1 */
	bool running;          /* not over: how long it will have been is not known */
	bool buffered;         /* O_DIRECT was not in force */
	bool cache_kept;       /* the page cache could not be dropped before */
	bool direct_refused; /* it was asked for and the file system refused it (scratch fall-back)
			      */
	bool null_engine;    /* no device behind it */
	bool seeks;          /* rotational, and the disk itself says so */
	bool rotational;     /* a disk that seeks */
	bool region_overlap; /* workers share one range */
	bool zero_buffers;
	bool is_write_run;
	bool by_size;   /* ends when its bytes are done (time_based=0) */
	bool by_number; /* ends after number_ios */
	uint64_t region_bytes;
	uint64_t ram_bytes;
	uint64_t stall_ns;
	struct iob_gap_view gap;
	uint64_t gap_ios;   /* requests that were in flight over a gap */
	uint64_t silent_ns; /* for which the load process has not run up to now; 0 = it runs */
	uint64_t device_read_bytes, device_write_bytes; /* over the span of the totals */
	uint64_t beside_read_bytes, beside_write_bytes; /* on the rest of the disk of a partition */
	bool has_disk;
	double worker_cpu_max; /* busiest worker, 0..1 */
	double own_cpu;        /* share of all CPUs that our workers used, 0..1 */
	uint64_t sparse_bytes; /* of the region, without allocated extents */
	uint64_t queue_limit;  /* nr_requests; 0 = unknown */
	uint64_t depth;        /* numjobs * iodepth */
	char one_deep[32];     /* a synchronous engine that was given iodepth > 1; "" = none */
	uint64_t slot_ns;      /* longest time in which rates alone let nothing out; 0 = none */
	double asked_ios;      /* by rates, over the segments that had one; 0 = none had */
	uint64_t behind_ns;    /* most that the schedule was behind at the end of one */
	double paced_ios;      /* done in them, in the directions with a rate */
};

/* Fill *out with the codes of all that can be known; doc/measuring.md has the list. */
void iob_verdict(struct iob_warnings *out, const struct iob_verdict_facts *);
bool iob_warnings_have(const struct iob_warnings *, const char *code);

/*
 * What a screen shows while a run is on: a warning that was raised stays for five seconds after its
 * cause has gone, and its text is renewed every two seconds, so that lines neither come and go nor
 * swim.  Zeroed = new.
 */
struct iob_held_warnings {
	struct iob_warnings shown;
	uint64_t seen_ns[IOB_MAX_WARNINGS], said_ns[IOB_MAX_WARNINGS];
};

void iob_warnings_hold(struct iob_held_warnings *, const struct iob_warnings *, uint64_t now_ns);

/* Of verdict.c, which calls them: what is known before the run; what only its course tells. */
void iob_verdict_setting(struct iob_warnings *, const struct iob_verdict_facts *);
void iob_verdict_course(struct iob_warnings *, const struct iob_verdict_facts *);
void iob_warning_add(struct iob_warnings *, const char *code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void iob_warning_evidence(struct iob_warnings *, const char *name, double value);

#endif
