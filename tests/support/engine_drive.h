/* SPDX-License-Identifier: MIT */
/* An engine driven by hand.  Every call is checked on the way: no request comes back twice or
 * unasked, nothing in it but the result is changed. */
#ifndef IOB_TESTS_SUPPORT_ENGINE_DRIVE_H
#define IOB_TESTS_SUPPORT_ENGINE_DRIVE_H

#include "base/clock.h"
#include "job/job.h"
#include "load/engine.h"

#define BLOCK      4096u
#define BLOCKS     64u
#define SLOTS      16u
#define FILES      4u
#define TAIL       1000u
#define TIMEOUT_NS (10 * IOB_NS_PER_S)

struct drive {
	const struct iob_engine *engine;
	void *state;
	struct iob_target target[FILES];
	unsigned ntargets;
	struct iob_job job;
	bool direct;
	unsigned char *arena;
	struct iob_req req[SLOTS], as_queued[SLOTS];
	bool out[SLOTS];
	unsigned in_flight, capacity;
};

extern struct drive d;

/* Words that follow from their offset. */
void drive_fill(void *buf, size_t length, uint64_t offset, uint64_t salt);
void drive_expect(const void *buf, size_t length, uint64_t offset, uint64_t salt);
/* A file of BLOCKS blocks and a tail, already without a name. */
int drive_file(uint64_t salt);
/* Opened with these flags; -1 where the file system does not take them. */
int drive_file_with(uint64_t salt, int flags);

/* After drive_target, d.ntargets, d.job, d.direct.  On failure nothing is left but the targets. */
int drive_try(const struct iob_engine *, unsigned capacity, struct iob_error *);
/* The same by the index in the registry; skips the test where the engine cannot run. */
void drive_open(unsigned index, unsigned capacity);
void drive_target(unsigned i, int fd);
/* All of that for two targets. */
void drive_start_with(unsigned index, unsigned capacity, int fd0, int fd1);
/* On two files of ours. */
void drive_start(unsigned index);
void drive_finish(void);

void drive_queue(struct iob_req *const *reqs, unsigned n);
unsigned drive_reap(struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns);
/* Fill the free slots with requests of a block each, from number `next` of BLOCKS behind `base` on,
 * in an order that jumps; how many.  What is written has salt 5. */
unsigned drive_queue_blocks(enum iob_op, uint64_t base, unsigned next);
/* All of them, as many at once as the engine takes; what is read must have this salt. */
void drive_all_blocks(enum iob_op, uint64_t base, uint64_t read_salt);
/* One request from start to end. */
int64_t drive_perform(enum iob_op op, uint64_t offset, uint32_t length, uint16_t file);

#endif
