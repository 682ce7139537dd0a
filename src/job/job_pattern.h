/* SPDX-License-Identifier: MIT */
/* Where the requests of a job go beyond rw and bs; rows of the parameter table. */
#ifndef IOB_JOB_JOB_PATTERN_H
#define IOB_JOB_JOB_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/direction.h"

enum iob_rw_sequencer { IOB_RW_SEQUENTIAL, IOB_RW_IDENTICAL };

enum iob_distribution { IOB_DIST_RANDOM, IOB_DIST_ZIPF, IOB_DIST_PARETO };

enum iob_random_generator { IOB_GENERATOR_TAUSWORTHE, IOB_GENERATOR_LFSR, IOB_GENERATOR_TAUS64 };

/* How often each size is drawn, for all directions: see job/bssplit.h. */
#define IOB_BSSPLIT_TEXT 2048

/* An amount of the target: bytes, or, if percent_micro is not 0, a share of its size in millionths
 * of a per cent (100 % = 100000000).  Both 0: not given. */
struct iob_amount {
	uint64_t bytes;
	uint64_t percent_micro;
};

struct iob_job_pattern {
	/* What stands behind the colon of rw; 0 = nothing.  Random: requests in a row for each
	 * random start; sequential: bytes left out between requests, negative = backwards. */
	int64_t rw_suffix;
	uint32_t rw_sequencer; /* enum iob_rw_sequencer */
	char bssplit[IOB_BSSPLIT_TEXT];
	uint64_t blockalign[IOB_NDIR]; /* bytes; 0 = bs */
	bool bs_unaligned;
	bool bs_is_seq_rand;
	uint64_t percentage_sequential[IOB_NDIR]; /* of a random job: 100 - percentage_random */
	uint32_t random_distribution;             /* enum iob_distribution */
	int64_t distribution_micro;               /* theta or h in millionths; 0 = the default */
	int64_t distribution_centre;              /* of the target, in millionths, and one: the most
						     wanted block; 0 = they are scattered */
	uint32_t random_generator;                /* no effect: a permutation needs none of them */
	bool softrandommap; /* no effect: there is no map that could lack memory */
	bool allrandrepeat;
	struct iob_amount offset_increment;
	uint64_t clone;        /* no row: the number of the job's clone, for offset_increment */
	uint64_t offset_align; /* bytes; 0 = the smallest block */
};

#endif
