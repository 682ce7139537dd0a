/* SPDX-License-Identifier: MIT */
/* Drives one worker without a load process: a steer block, a slot and a ring in plain memory, and
 * a reader that sums up the samples per segment. */
#ifndef IOB_TESTS_WORKER_RIG_H
#define IOB_TESTS_WORKER_RIG_H

#include "load/worker.h"

#define RIG_SEGMENTS  16
#define RIG_INTERVALS 1024

struct rig_sum {
	struct iob_dir_counts dir[IOB_NDIR];
	uint64_t hist_total[IOB_NDIR]; /* over all entries */
	struct iob_moments intended[IOB_NDIR];
	uint64_t intended_total[IOB_NDIR]; /* over all entries */
	uint64_t behind_ns;                /* of the newest sample */
	uint64_t syncs;
	unsigned samples;
};

struct rig {
	struct iob_job job;
	struct iob_targets targets;
	struct iob_target target;
	struct iob_region region;
	struct iob_steer *steer;
	struct iob_worker_slot *slot;
	struct iob_ring *ring;
	struct iob_detail *detail; /* NULL = without */
	const struct iob_plan_log *log;
	struct iob_log_place log_place;
	pthread_barrier_t barrier;
	struct iob_worker *worker;

	/* What the reader has seen. */
	struct rig_sum segment[RIG_SEGMENTS];
	uint64_t ios_in[RIG_INTERVALS];  /* by a sample's last interval */
	uint32_t covered[RIG_INTERVALS]; /* samples of the newest segment that cover it */
	struct iob_hist lat, intended;   /* of the reads */
	uint64_t cpu_ns;
	unsigned samples, last_samples, merged; /* merged: covering more than one interval */
	uint64_t merged_ios;                    /* in such samples */
	uint32_t last_interval;
	struct iob_popped popped;
};

/* A job of 4k blocks over a region of `size` bytes: time_based, no limits. */
void rig_init(struct rig *, uint32_t rw, uint64_t size, unsigned iodepth);
/* New worker, barrier passed; 0 or the error that iob_worker_new gave. */
int rig_start(struct rig *, const struct iob_engine *, unsigned capacity, struct iob_error *);
/* Publish new live parameters; does not wait. */
void rig_adopt(struct rig *, const struct iob_live *);
void rig_wait_acked(struct rig *);
/* Wait until so many I/Os were completed, reading the ring meanwhile. */
void rig_wait_completed(struct rig *, uint64_t n);
void rig_read(struct rig *);
void rig_stop(struct rig *);
/* Wait for the end (reading the ring), join, read the rest. */
void rig_finish(struct rig *);
void rig_free(struct rig *);

uint64_t rig_total(const struct rig *, enum iob_dir);

#endif
