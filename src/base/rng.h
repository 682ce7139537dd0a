/* SPDX-License-Identifier: MIT */
/*
 * A small seeded generator, one per worker, not for secrets: the sequence of splitmix64
 * (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
 */
#ifndef IOB_BASE_RNG_H
#define IOB_BASE_RNG_H

#include <stdint.h>

struct iob_rng {
	uint64_t state;
};

/* A bijective mix of 64 bits; also good to derive independent seeds from (seed, number). */
static inline uint64_t iob_mix64(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static inline void iob_rng_seed(struct iob_rng *rng, uint64_t seed, uint64_t stream)
{
	rng->state = iob_mix64(seed ^ iob_mix64(stream * UINT64_C(0x9e3779b97f4a7c15) + 1));
}

static inline uint64_t iob_rng_next(struct iob_rng *rng)
{
	rng->state += UINT64_C(0x9e3779b97f4a7c15);
	return iob_mix64(rng->state);
}

/* Uniform in 0..n-1 by multiplication (bias below n / 2^64); n >= 1. */
static inline uint64_t iob_rng_below(struct iob_rng *rng, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)iob_rng_next(rng) * n) >> 64);
}

#endif
