/* SPDX-License-Identifier: MIT */
/* Fast 32-bit hashes, each with the seed 0: xxHash (XXH32, by its library), MurmurHash3 and Bob
 * Jenkins' lookup3, which the kernel calls jhash. */
#include <config.h>

#include <assert.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/checksum_kinds.h"

void iob_xxhash(uint8_t *out, const void *data, size_t n)
{
	/* The header takes NULL for nothing. */
	assert(data);
	iob_put_be32(out, XXH32(data, n, 0));
}

static uint32_t murmur_word(uint32_t word)
{
	return iob_rol32(word * 0xcc9e2d51u, 15) * 0x1b873593u;
}

void iob_murmur3(uint8_t *out, const void *data, size_t n)
{
	const uint8_t *at = data;
	uint32_t hash = 0, rest = 0;

	for (size_t left = n; left >= 4; left -= 4, at += 4)
		hash = iob_rol32(hash ^ murmur_word(iob_get_le32(at)), 13) * 5 + 0xe6546b64u;
	for (size_t i = n % 4; i-- > 0;)
		rest = rest << 8 | at[i];
	hash ^= murmur_word(rest) ^ (uint32_t)n;
	hash = (hash ^ hash >> 16) * 0x85ebca6bu;
	hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
	iob_put_be32(out, hash ^ hash >> 16);
}

struct jenkins {
	uint32_t a, b, c;
};

static void jenkins_step(uint32_t *minuend, uint32_t from, unsigned n, uint32_t *add, uint32_t what)
{
	*minuend = (*minuend - from) ^ iob_rol32(from, n);
	*add += what;
}

static void jenkins_mix(struct jenkins *j)
{
	jenkins_step(&j->a, j->c, 4, &j->c, j->b);
	jenkins_step(&j->b, j->a, 6, &j->a, j->c);
	jenkins_step(&j->c, j->b, 8, &j->b, j->a);
	jenkins_step(&j->a, j->c, 16, &j->c, j->b);
	jenkins_step(&j->b, j->a, 19, &j->a, j->c);
	jenkins_step(&j->c, j->b, 4, &j->b, j->a);
}

static void jenkins_final(struct jenkins *j)
{
	uint32_t *const to[] = {&j->c, &j->a, &j->b, &j->c, &j->a, &j->b, &j->c};
	uint32_t *const by[] = {&j->b, &j->c, &j->a, &j->b, &j->c, &j->a, &j->b};
	static const unsigned turn[] = {14, 11, 25, 16, 4, 14, 24};

	for (int i = 0; i < 7; i++)
		*to[i] = (*to[i] ^ *by[i]) - iob_rol32(*by[i], turn[i]);
}

static void jenkins_add(struct jenkins *j, const uint8_t *at)
{
	j->a += iob_get_le32(at);
	j->b += iob_get_le32(at + 4);
	j->c += iob_get_le32(at + 8);
}

void iob_jhash(uint8_t *out, const void *data, size_t n)
{
	const uint32_t start = 0xdeadbeefu + (uint32_t)n;
	struct jenkins j = {start, start, start};
	const uint8_t *at = data;
	uint8_t last[12] = {0};

	for (; n > 12; n -= 12, at += 12) {
		jenkins_add(&j, at);
		jenkins_mix(&j);
	}
	if (n > 0) {
		memcpy(last, at, n);
		jenkins_add(&j, last);
		jenkins_final(&j);
	}
	iob_put_be32(out, j.c);
}
