/* SPDX-License-Identifier: MIT */
#include "load/content.h"

#include <string.h>

#include "job/param.h"

/* Jobs of one command have seeds of their own: what they share is the same in every run. */
#define COMMON_SEED UINT64_C(0x646564757065)

static uint64_t working_set(const struct iob_job *job, uint64_t region_bytes)
{
	uint64_t blocks = region_bytes / (job->bs[IOB_WRITE].min ? job->bs[IOB_WRITE].min : 1);
	uint64_t n = blocks / 100 * job->dedupe_working_set_percentage;

	return n ? n : 1;
}

int iob_content_init(struct iob_content *c, const struct iob_job *job, uint64_t seed,
	uint64_t stream, uint64_t region_bytes, struct iob_error *err)
{
	bool squeezed = job->buffer_compress_percentage || job->dedupe_percentage;

	*c = (struct iob_content){
		.zero = job->zero_buffers || job->buffer_compress_percentage == 100,
		.compress = job->buffer_compress_percentage,
		.chunk = job->buffer_compress_chunk,
		.dedupe = job->dedupe_percentage,
		.seed = iob_mix64(seed + stream * UINT64_C(0x9e3779b97f4a7c15)),
	};
	c->set_seed = job->dedupe_global ? COMMON_SEED : c->seed;
	iob_rng_seed(&c->rng, c->seed, 1);
	if (job->dedupe_percentage && job->dedupe_mode == IOB_DEDUPE_WORKING_SET)
		c->working_set = working_set(job, region_bytes);
	if (job->buffer_pattern[0]) {
		int n = iob_byte_pattern_parse(
			c->pattern, IOB_PARAM_NAME(buffer_pattern), job->buffer_pattern, err);

		if (n < 0)
			return n;
		c->pattern_length = (unsigned)n;
		c->zero = false;
	}
	c->constant = c->zero || (c->pattern_length && !squeezed);
	c->refill = !c->constant && (squeezed || job->refill_buffers);
	c->stamp = !c->constant && !c->refill && job->scramble_buffers;
	iob_content_mind_reads(c, job->rw);
	return 0;
}

void iob_content_mind_reads(struct iob_content *c, uint32_t rw)
{
	if (c->constant && iob_rw_does(rw, IOB_READ))
		c->refill = true;
}

static void repeat_pattern(const struct iob_content *c, unsigned char *at, size_t n)
{
	size_t done = c->pattern_length < n ? c->pattern_length : n;

	memcpy(at, c->pattern, done);
	for (; done < n; done *= 2)
		memcpy(at + done, at, done < n - done ? done : n - done);
}

static void fill_constant(const struct iob_content *c, unsigned char *at, size_t n)
{
	if (c->pattern_length && n)
		repeat_pattern(c, at, n);
	else
		memset(at, 0, n);
}

static void fill_random(struct iob_rng *rng, unsigned char *at, size_t n)
{
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		uint64_t word = iob_rng_next(rng);

		memcpy(at + i, &word, sizeof(word));
	}
	if (i < n) {
		uint64_t word = iob_rng_next(rng);

		memcpy(at + i, &word, n - i);
	}
}

void iob_content_fill(const struct iob_content *c, void *buf, size_t length, uint64_t seed)
{
	unsigned char *at = buf;
	size_t chunk = c->chunk && c->chunk < length ? (size_t)c->chunk : length;
	struct iob_rng rng;

	if (c->zero || (c->pattern_length && c->compress == 0 && c->dedupe == 0)) {
		fill_constant(c, at, length);
		return;
	}
	iob_rng_seed(&rng, seed, 0);
	if (c->compress == 0) {
		fill_random(&rng, at, length);
		return;
	}
	for (size_t done = 0; done < length; done += chunk) {
		size_t n = chunk < length - done ? chunk : length - done;
		size_t random = n * (size_t)(100 - c->compress) / 100;

		fill_random(&rng, at + done, random);
		fill_constant(c, at + done + random, n - random);
	}
}

static uint64_t next_seed(struct iob_content *c)
{
	if (c->dedupe && iob_rng_below(&c->rng, 100) < c->dedupe) {
		if (c->working_set)
			return iob_mix64(c->set_seed ^ iob_rng_below(&c->rng, c->working_set));
		return iob_mix64(c->seed + c->unique);
	}
	/* Away from those of a working set. */
	return iob_mix64(c->seed + (c->working_set ? UINT64_C(1) << 63 : 0) + ++c->unique);
}

void iob_content_next(struct iob_content *c, void *buf, size_t length)
{
	iob_content_fill(c, buf, length, next_seed(c));
}
