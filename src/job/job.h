/* SPDX-License-Identifier: MIT */
/*
 * What one stage of a run does: plain values, one field per row of the parameter table.  A job is a
 * draft until iob_job_check has passed it; a running job is never changed (live changes travel as
 * struct iob_live).
 */
#ifndef IOB_JOB_JOB_H
#define IOB_JOB_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/direction.h"
#include "base/error.h"
#include "job/job_cmdprio.h"
#include "job/job_control.h"
#include "job/job_files.h"
#include "job/job_pattern.h"

#define IOB_PATH_MAX 4096
#define IOB_NAME_MAX 64
#define IOB_LIST_MAX 8192 /* of names of files */

enum iob_rw {
	IOB_RW_READ,
	IOB_RW_WRITE,
	IOB_RW_RW,
	IOB_RW_RANDREAD,
	IOB_RW_RANDWRITE,
	IOB_RW_RANDRW,
	IOB_RW_TRIM,
	IOB_RW_RANDTRIM,
	IOB_RW_TRIMWRITE,
	IOB_RW_RANDTRIMWRITE,
};

enum iob_nonvectored { IOB_NONVECTORED_AUTO, IOB_NONVECTORED_OFF, IOB_NONVECTORED_ON };

#define IOB_NO_CPU 65536 /* of sqthread_poll_cpu: not bound */

enum iob_sync { IOB_SYNC_NONE, IOB_SYNC_SYNC, IOB_SYNC_DSYNC };

/* After every N writes: which steps of sync_file_range(2), over what was written since. */
struct iob_sync_range {
	uint32_t flags; /* SYNC_FILE_RANGE_* */
	uint64_t every; /* 0 = never */
};

/* As fcntl(2) numbers the expected lifetimes. */
enum iob_write_hint {
	IOB_WRITE_HINT_NONE = 1,
	IOB_WRITE_HINT_SHORT,
	IOB_WRITE_HINT_MEDIUM,
	IOB_WRITE_HINT_LONG,
	IOB_WRITE_HINT_EXTREME,
};

enum iob_rate_process { IOB_RATE_LINEAR, IOB_RATE_POISSON };

/* Bits, by what failed. */
enum iob_continue {
	IOB_CONTINUE_NONE = 0,
	IOB_CONTINUE_READ = 1,
	IOB_CONTINUE_WRITE = 2, /* trims and syncs, too */
	IOB_CONTINUE_IO = 3,
	IOB_CONTINUE_VERIFY = 4,
	IOB_CONTINUE_ALL = 7,
};

enum iob_dedupe { IOB_DEDUPE_REPEAT, IOB_DEDUPE_WORKING_SET };

enum iob_cpus_policy { IOB_CPUS_SHARED, IOB_CPUS_SPLIT };

enum iob_mem { IOB_MEM_PLAIN, IOB_MEM_HUGE };

enum iob_fault_on {
	IOB_FAULT_ON_ALL,
	IOB_FAULT_ON_READ,
	IOB_FAULT_ON_WRITE,
	IOB_FAULT_ON_TRIM,
	IOB_FAULT_ON_SYNC,
};

struct iob_job {
	char name[IOB_NAME_MAX];
	char filename[IOB_LIST_MAX];  /* "" = not given; see iob_job_files.fio */
	char directory[IOB_PATH_MAX]; /* "" = not given */
	char ioengine[32];
	char ioscheduler[32];   /* "" = leave as it is */
	char cpus_allowed[128]; /* "" = all; "0-3,8" */

	uint32_t rw;                   /* enum iob_rw */
	uint32_t sync;                 /* enum iob_sync */
	uint32_t write_hint;           /* enum iob_write_hint */
	uint64_t rwmixread;            /* 0..100, used by rw and randrw */
	struct iob_range bs[IOB_NDIR]; /* bytes */
	struct iob_amount size;        /* region; not given = whole target (scratch: 1 GiB) */
	struct iob_amount offset;      /* start of the region */
	struct iob_amount io_size;     /* how much to do without time_based; not given = size */
	uint64_t number_ios;           /* stop after this many per worker; 0 = no limit */
	uint64_t numjobs;
	uint64_t nrfiles;
	uint64_t iodepth;
	uint64_t iodepth_batch;          /* 0 = all free slots at once */
	uint64_t iodepth_batch_complete; /* fewest completions to wait for */
	uint64_t rate_iops[IOB_NDIR];    /* of each worker, per second; 0 = as fast as it goes */
	uint32_t rate_process;           /* enum iob_rate_process */
	uint64_t runtime_ns;             /* 0 = no limit */
	uint64_t ramp_time_ns;
	uint64_t fsync;     /* after every N writes; 0 = never */
	uint64_t fdatasync; /* likewise */
	uint64_t lockmem;   /* bytes pinned per worker */
	uint64_t randseed;  /* 0 = fresh */
	bool direct;
	bool time_based;
	bool end_fsync;
	bool invalidate;
	bool randrepeat;
	bool norandommap;
	bool zero_buffers;
	bool hipri;    /* engine: poll for completions */
	bool uncached; /* engine: buffered, but nothing stays in the page cache */
	bool nowait;   /* engine: refuse rather than block in submission */
	/* io_uring and libaio, each known to the engines that list it */
	bool fixedbufs;             /* register the buffers */
	bool registerfiles;         /* register the files */
	bool sqthread_poll;         /* a thread of the kernel takes the requests in */
	uint64_t hipri_percentage;  /* 0..100: for so many requests hipri holds (pvsync2) */
	bool thp;                   /* mmap: huge pages */
	bool readfua, writefua;     /* sg: past the device's cache */
	bool libaio_vectored;       /* preadv and pwritev of one piece */
	uint32_t nonvectored;       /* enum iob_nonvectored */
	uint64_t sqthread_poll_cpu; /* where that thread runs; IOB_NO_CPU = anywhere */
	uint64_t force_async;  /* every N-th request goes to a thread of the kernel; 0 = none */
	char fault_engine[32]; /* the engine `fault`: what it spoils, and how */
	char fault_errno[32];
	uint64_t fault_delay_ns, fault_delay_random_ns;
	uint64_t fault_delay_every, fault_error_every, fault_short_every; /* 0 = never */
	uint64_t fault_hang_at;                                           /* 0 = none */
	uint64_t fault_offset, fault_size; /* bytes; size 0 = to the end */
	uint32_t fault_on;                 /* enum iob_fault_on */
	/* depth, as fio's job files know it */
	uint64_t iodepth_batch_complete_max; /* most to take back at once; 0 = the fewest */
	uint64_t iodepth_low;                /* drain a full queue down to this; 0 = iodepth */
	bool serialize_overlap; /* a request waits for those in flight that overlap it */
	/* errors */
	uint32_t continue_on_error; /* enum iob_continue: which are let pass */
	char ignore_error[128];     /* "read,write,verify": lists of errno names, by ':' */
	bool error_dump;            /* each failed request in a line of the report */
	/* what is written */
	bool scramble_buffers;               /* no two blocks are equal */
	bool refill_buffers;                 /* new content for each write */
	char buffer_pattern[256];            /* "" = none */
	uint64_t buffer_compress_percentage; /* so much of each block can be squeezed out */
	uint64_t buffer_compress_chunk;      /* bytes; 0 = bs */
	uint64_t dedupe_percentage;          /* of the blocks written repeat another */
	uint32_t dedupe_mode;                /* enum iob_dedupe */
	uint64_t dedupe_working_set_percentage;
	bool dedupe_global; /* one working set for all workers */
	/* the worker's thread and memory */
	char nice[8];
	uint64_t prio, prioclass; /* class 0 = as it is */
	uint32_t cpus_policy;     /* enum iob_cpus_policy */
	char numa_cpu_nodes[64];
	char numa_mem_policy[80];
	uint32_t mem; /* enum iob_mem */
	bool fsync_on_close;
	bool thread;          /* no effect: workers are always threads */
	bool group_reporting; /* job files: one block for all workers of a group */
	bool gtod_reduce;     /* job files: leave the latency rows out */
	struct iob_job_cmdprio cmdprio;
	struct iob_job_control ctl;
	struct iob_job_pattern pattern;
	struct iob_job_files files;
	char sync_file_range_text[48];
	struct iob_sync_range sync_file_range; /* no row: what the text says */

	uint64_t given[6]; /* bit i: row i of the table was set by somebody (not by its default) */
};

/* The parameters that can be turned while the job runs; a plain value in shared memory. */
struct iob_live {
	uint32_t rw;         /* enum iob_rw */
	bool bs_is_seq_rand; /* as the job has it: that is not turned */
	uint64_t iodepth;
	uint64_t rwmixread;
	struct iob_range bs[IOB_NDIR];
	uint64_t rate_iops[IOB_NDIR];
	uint64_t rate_bytes[IOB_NDIR]; /* of directions without rate_iops, per second */
	uint64_t numjobs; /* workers that do I/O; those beyond are idle; 0 = all there are */
	bool paused;
};

static inline bool iob_rw_is_random(uint32_t rw)
{
	return rw == IOB_RW_RANDREAD || rw == IOB_RW_RANDWRITE || rw == IOB_RW_RANDRW ||
	       rw == IOB_RW_RANDTRIM || rw == IOB_RW_RANDTRIMWRITE;
}

/* Is each block trimmed and then written?  The trims then are what the job chooses: where, how
 * long, how many; each write is as long as its trim. */
static inline bool iob_rw_is_trimwrite(uint32_t rw)
{
	return rw == IOB_RW_TRIMWRITE || rw == IOB_RW_RANDTRIMWRITE;
}

/* Does a job of this kind ever issue I/O of that direction?  Both of a mixed one count, whatever
 * its mix is now: it can be turned. */
bool iob_rw_does(uint32_t rw, enum iob_dir);
bool iob_job_does(const struct iob_job *, enum iob_dir);
/* Are the sizes of that direction ever those of a request? */
bool iob_live_uses_bs(const struct iob_live *, enum iob_dir);
bool iob_job_uses_bs(const struct iob_job *, enum iob_dir);
/* Bytes of the largest request. */
uint64_t iob_job_largest_block(const struct iob_job *);
/* Has a direction that it does a rate?  Then latency from the intended times is counted, too. */
bool iob_live_has_rate(const struct iob_live *);
/* Any write or trim: then consent is needed and the target is opened for writing. */
bool iob_job_modifies(const struct iob_job *);

/* Does its engine do without a file or device? */
bool iob_job_needs_no_target(const struct iob_job *);

/* All rows at their defaults. */
void iob_job_defaults(struct iob_job *);
/* The rules across rows that need no target (usage error naming row, value and remedy).  */
int iob_job_check(const struct iob_job *, struct iob_error *);

/* The live part of a job, and a job with its live part replaced. */
void iob_live_from_job(struct iob_live *, const struct iob_job *);
void iob_live_to_job(const struct iob_live *, struct iob_job *);

#endif
