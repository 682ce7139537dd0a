/* SPDX-License-Identifier: MIT */
/*
 * Where the next request goes: direction, offset and length.  One per worker; pure, no I/O, no
 * clock. Random without norandommap: every block of the region exactly once per pass, by a
 * permutation (Feistel network with cycle walking over the number of blocks), without memory.
 * Random with norandommap: uniform with replacement. Sequential: from start to end and again,
 * each direction for itself.  With a range of block sizes lengths are multiples of bs.min, drawn
 * evenly.  Offsets are multiples of bs.min relative to the region's start.  With rw=trimwrite all
 * this is said of the trims; each block that has come back from its trim is written.
 * What most jobs do is done in pattern.c; several files, requests in a row, holes, going backwards,
 * shares of sizes and distributions that are not even in pattern_general.c.
 */
#ifndef IOB_LOAD_PATTERN_H
#define IOB_LOAD_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "job/bssplit.h"
#include "job/job.h"
#include "load/distribution.h"
#include "load/trimwrite.h"

/* A permutation of 0..n-1, chosen by key. */
struct iob_permutation {
	uint64_t n;
	uint32_t low_bits;
	uint64_t low_mask, high_mask;
	uint64_t key[4];
};

void iob_permutation_init(struct iob_permutation *, uint64_t n, uint64_t key);

/* Places of i..i+count-1.  Many at a time: the rounds for one wait for each other, those for
 * several do not. */
void iob_permutation_run(const struct iob_permutation *, uint64_t i, uint64_t *out, unsigned count);

static inline uint64_t iob_permutation_round(uint64_t v, uint64_t key)
{
	return ((v ^ key) * UINT64_C(0xbf58476d1ce4e5b9)) >> 32;
}

/* Within the power of two that holds n. */
static inline uint64_t iob_permutation_once(const struct iob_permutation *p, uint64_t i)
{
	uint64_t high = i >> p->low_bits;
	uint64_t low = i & p->low_mask;

	high ^= iob_permutation_round(low, p->key[0]) & p->high_mask;
	low ^= iob_permutation_round(high, p->key[1]) & p->low_mask;
	high ^= iob_permutation_round(low, p->key[2]) & p->high_mask;
	low ^= iob_permutation_round(high, p->key[3]) & p->low_mask;
	return high << p->low_bits | low;
}

/* i: 0..n-1. */
static inline uint64_t iob_permutation_at(const struct iob_permutation *p, uint64_t i)
{
	do
		i = iob_permutation_once(p, i);
	while (i >= p->n);
	return i;
}

/* A piece of the target that one worker covers. */
struct iob_region {
	uint64_t offset, size; /* bytes, within one file */
	uint16_t file;
};

/* Places of random blocks that are worked out together. */
#define IOB_PATTERN_AHEAD 16u

/* How far the region is covered.  Directions that share the size of their blocks share a cursor
 * when the order is random; sequential streams have one each. */
struct iob_cursor {
	uint64_t block;    /* bytes: bs.min */
	uint64_t blocks;   /* that fit in the region */
	uint64_t position; /* random: number in the pass; sequential: bytes from the region's start
			    */
	uint64_t pass;     /* how many times the region was covered */
	/* pattern_general.c */
	uint64_t issued;     /* bytes of this pass */
	uint64_t start, end; /* of the last request, from the region's start */
	struct iob_distribution_state distribution;

	struct iob_permutation permutation;
	uint64_t ahead[IOB_PATTERN_AHEAD]; /* of the positions from the last multiple on */
};

struct iob_pattern {
	bool random, map, mixed;
	bool plain;     /* see iob_pattern_next */
	bool general;   /* see pattern_general.c */
	bool trimwrite; /* see `trimmed` */
	uint8_t only;   /* enum iob_dir, if not mixed */
	uint32_t rw;
	uint64_t rwmixread;
	struct iob_range bs[IOB_NDIR];
	uint64_t bs_choices[IOB_NDIR];   /* multiples of bs.min up to bs.max */
	const struct iob_region *region; /* nregions of them, one per file */
	unsigned nregions;
	uint64_t smallest_region; /* bytes */
	struct iob_cursor cursor[IOB_NDIR];
	uint8_t cursor_of[IOB_NDIR];
	uint64_t issued_bytes;
	uint64_t limit_bytes; /* end after this many; UINT64_MAX = never */
	struct iob_rng offsets, mix, sizes;
	uint64_t seed;
	struct iob_trimwrite trimmed; /* has room where rw may be trimwrite: the owner's to give */

	/* pattern_general.c */
	struct iob_cursor *lane; /* nregions for each of the IOB_NDIR cursors; owned */
	struct iob_rng files, kinds;
	struct iob_distribution_state file_ranks; /* with file_service_type=zipf or pareto */
	struct iob_permutation file_order;        /* which file has which rank */
	const struct iob_job *job;                /* its parameters that cannot be turned */
	int64_t in_a_row, left_in_row;            /* requests for each random start */
	int64_t hole;                             /* bytes left out between sequential requests */
	unsigned file;                            /* whose turn it is */
	uint64_t left_in_file;                    /* requests until the next one's turn */
	bool ends_with_pass;
	uint64_t passes; /* that are over */
	struct iob_bssplit split[IOB_NDIR];
};

/* What a request is to be. */
struct iob_step {
	uint64_t offset;
	uint32_t length;
	uint16_t file;
	uint8_t dir; /* enum iob_dir */
};

/*
 * job and regions stay valid as long as the pattern; each region must hold at least one block of
 * the largest bs.  The same seed and stream give the same sequence.  0 or -ENOMEM (with more than
 * one region only); pair with iob_pattern_free.
 */
int iob_pattern_init(struct iob_pattern *, const struct iob_job *, const struct iob_region *,
	unsigned nregions, uint64_t seed, uint64_t stream);
void iob_pattern_free(struct iob_pattern *);
/* Can blocks of these sizes be placed in the regions? */
bool iob_pattern_fits(const struct iob_pattern *, const struct iob_live *);
/* Live parameters changed: direction and order, mix, block sizes; a new rw or bs starts a new pass.
 * They must fit. */
void iob_pattern_adopt(struct iob_pattern *, const struct iob_live *);
/* The regions have other offsets and sizes now: a new pass over them. */
void iob_pattern_move(struct iob_pattern *);
bool iob_pattern_next_any(struct iob_pattern *, struct iob_step *);
/* The next request of a direction that the job does, whatever the mix. */
bool iob_pattern_next_of(struct iob_pattern *, enum iob_dir, struct iob_step *);
/* A trim came back, whether it went well or not. */
void iob_pattern_trimmed(struct iob_pattern *, const struct iob_trimmed *);
/* How many blocks are to be written before another one is trimmed. */
static inline unsigned iob_pattern_owed(const struct iob_pattern *p)
{
	return p->trimmed.count;
}
/* There is no next request now: will there be when a trim has come back? */
static inline bool iob_pattern_awaits(const struct iob_pattern *p)
{
	return p->trimwrite && p->trimmed.out > 0;
}

/*
 * The next request; false when limit_bytes is reached, or trims are awaited.  What most runs do
 * (one direction, all over one region at random, blocks of one size, no end) is done here, the rest
 * in a call.
 */
static inline bool iob_pattern_next(struct iob_pattern *p, struct iob_step *step)
{
	struct iob_cursor *c = &p->cursor[p->only];
	unsigned at = (unsigned)(c->position % IOB_PATTERN_AHEAD);

	if (!p->plain || at == 0 || c->position >= c->blocks)
		return iob_pattern_next_any(p, step);
	step->offset = p->region->offset + c->ahead[at] * c->block;
	step->length = (uint32_t)c->block;
	step->file = p->region->file;
	step->dir = p->only;
	c->position++;
	return true;
}

/* Is it chosen where requests of that direction go? */
static inline bool iob_pattern_draws(const struct iob_pattern *p, enum iob_dir dir)
{
	return p->trimwrite ? dir == IOB_TRIM : iob_rw_does(p->rw, dir);
}
/* pattern_general.c: set up for the present parameters, start all passes; and the next request. */
void iob_pattern_place_general(struct iob_pattern *);
bool iob_pattern_next_general(struct iob_pattern *, enum iob_dir, struct iob_step *);

/* The part of [offset, offset+size) that worker i of n covers: disjoint, multiples of `align`,
 * together everything (but a tail smaller than align).  False if a part would be smaller than one
 * block. */
bool iob_region_split(struct iob_region *out, uint64_t offset, uint64_t size, uint64_t align,
	unsigned i, unsigned n);

#endif
