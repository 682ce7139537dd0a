/* SPDX-License-Identifier: MIT */
/* The least that a program can do for random 4 KiB reads: no statistics, no clock in the loop. */
#ifndef IOB_TESTS_RAW_LOOP_H
#define IOB_TESTS_RAW_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

#define RAW_BLOCK 4096u
#define RAW_DEPTH 32u

struct raw_file {
	int fd;
	uint64_t blocks;
	unsigned char *buffers; /* RAW_DEPTH blocks */
	struct iob_rng rng;
};

/* Arguments: FILE [SECONDS [direct]]; ends the program with a message on failure. */
void raw_open(struct raw_file *, int argc, char **argv);
/* Run `turn` (which returns how many reads were completed) for the time given, print IOPS and CPU
 * time per read. */
int raw_run(const char *name, struct raw_file *, unsigned (*turn)(struct raw_file *));
_Noreturn void raw_fail(const char *what, int code);

static inline uint64_t raw_offset(struct raw_file *f)
{
	return iob_rng_below(&f->rng, f->blocks) * RAW_BLOCK;
}

#endif
