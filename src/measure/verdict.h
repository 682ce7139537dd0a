/* SPDX-License-Identifier: MIT */
/* What the program itself says about the trustworthiness of a figure: warnings with codes and
 * evidence. */
#ifndef IOB_MEASURE_VERDICT_H
#define IOB_MEASURE_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/segment.h"

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
	struct iob_evidence evidence[4];
};

struct iob_warnings {
	unsigned count;
	struct iob_warning item[IOB_MAX_WARNINGS];
};

/* What the rules look at besides the totals. */
struct iob_verdict_facts {
	const struct iob_segment_figures *total;
	bool running;        /* not over: how long it will have been is not known */
	bool buffered;       /* O_DIRECT was not in force */
	bool direct_refused; /* it was asked for and the file system refused it (scratch fall-back)
			      */
	bool null_engine;    /* no device behind it */
	bool region_overlap; /* workers share one range */
	bool zero_buffers;
	bool is_write_run;
	bool by_size;   /* ends when its bytes are done (time_based=0) */
	bool by_number; /* ends after number_ios */
	uint64_t region_bytes;
	uint64_t ram_bytes;
	uint64_t stall_ns;
	uint64_t device_read_bytes, device_write_bytes; /* over the span of the totals */
	bool has_disk;
	double worker_cpu_max; /* busiest worker, 0..1 */
	uint64_t sparse_bytes; /* of the region, without allocated extents */
	uint64_t queue_limit;  /* nr_requests; 0 = unknown */
	uint64_t depth;        /* numjobs * iodepth */
	char one_deep[32];     /* a synchronous engine that was given iodepth > 1; "" = none */
	double asked_ios;      /* by rates, over the segments that had one; 0 = none had */
	uint64_t behind_ns;    /* most that the schedule was behind at the end of one */
	double paced_ios;      /* done in them, in the directions with a rate */
};

/* Fill *out with the codes of what can be known (CACHED FOREIGN ODIRECT SHORT RAM OVERLAP SPARSE
 * ZERO TOOLBOUND SMALLQUEUE STALL SYNCDEPTH BEHIND). */
void iob_verdict(struct iob_warnings *out, const struct iob_verdict_facts *);
void iob_warning_add(struct iob_warnings *, const char *code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void iob_warning_evidence(struct iob_warnings *, const char *name, double value);

#endif
