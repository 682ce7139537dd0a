/* SPDX-License-Identifier: MIT */
#include "load/pattern.h"

/*
 * A Feistel network of two parts that differ by at most one bit permutes the smallest power of two
 * that holds n; values beyond n are walked on until one falls inside: two steps at most on average.
 */
void iob_permutation_init(struct iob_permutation *p, uint64_t n, uint64_t key)
{
	uint32_t bits = n > 1 ? 64u - (uint32_t)__builtin_clzll(n - 1) : 1;

	p->n = n;
	p->low_bits = (bits + 1) / 2;
	p->low_mask = (UINT64_C(1) << p->low_bits) - 1;
	p->high_mask = (UINT64_C(1) << (bits - p->low_bits)) - 1;
	for (uint64_t round = 0; round < 4; round++)
		p->key[round] = iob_mix64(key + (round + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

void iob_permutation_run(
	const struct iob_permutation *permutation, uint64_t i, uint64_t *out, unsigned count)
{
	/* A copy, since `out` might be part of it for all that the compiler knows. */
	const struct iob_permutation p = *permutation;

	for (unsigned k = 0; k < count; k++)
		out[k] = iob_permutation_once(&p, i + k);
	for (unsigned k = 0; k < count; k++)
		while (out[k] >= p.n)
			out[k] = iob_permutation_once(&p, out[k]);
}
