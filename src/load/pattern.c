/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "load/pattern.h"

#include <errno.h>
#include <stdlib.h>

/* Streams of one seed; each worker has its own block of them. */
enum {
	STREAM_OFFSETS,
	STREAM_MIX,
	STREAM_SIZES,
	STREAM_PASSES,
	STREAM_FILES,
	STREAM_KINDS,
	NSTREAMS,
};

static enum iob_dir only_direction(uint32_t rw)
{
	if (iob_rw_does(rw, IOB_TRIM))
		return IOB_TRIM;
	return iob_rw_does(rw, IOB_READ) ? IOB_READ : IOB_WRITE;
}

static void start_pass(const struct iob_pattern *p, struct iob_cursor *c)
{
	c->position = 0;
	if (p->random && p->map)
		iob_permutation_init(&c->permutation, c->blocks, iob_mix64(p->seed ^ c->pass));
}

static void place_cursors(struct iob_pattern *p)
{
	for (unsigned d = 0; d < IOB_NDIR; d++) {
		struct iob_cursor *c = &p->cursor[d];

		p->cursor_of[d] = (uint8_t)d;
		if (!iob_pattern_draws(p, d))
			continue;
		c->block = p->bs[d].min;
		c->blocks = p->smallest_region / c->block;
		p->bs_choices[d] = p->bs[d].max / p->bs[d].min;
		start_pass(p, c);
	}
	if (p->random && p->mixed && p->cursor[IOB_READ].block == p->cursor[IOB_WRITE].block)
		p->cursor_of[IOB_WRITE] = IOB_READ;
	if (p->general)
		iob_pattern_place_general(p);
}

static void take_rw(struct iob_pattern *p, uint32_t rw)
{
	p->rw = rw;
	p->random = iob_rw_is_random(rw);
	p->mixed = iob_rw_does(rw, IOB_READ) && iob_rw_does(rw, IOB_WRITE);
	p->trimwrite = iob_rw_is_trimwrite(rw);
	p->only = (uint8_t)only_direction(rw);
	iob_trimwrite_drop(&p->trimmed);
	if (!p->trimwrite)
		p->trimmed.out = 0;
}

static void find_plain(struct iob_pattern *p)
{
	p->plain = p->random && p->map && !p->mixed && !p->trimwrite && !p->general &&
		   p->bs_choices[p->only] == 1 && p->limit_bytes == UINT64_MAX;
}

static uint64_t covered(const struct iob_pattern *p)
{
	uint64_t block = p->bs[p->only].min, sum = 0;

	for (unsigned i = 0; i < p->nregions; i++)
		sum += p->region[i].size / block * block;
	return sum;
}

static uint64_t times(uint64_t bytes, uint64_t loops)
{
	uint64_t product;

	return __builtin_mul_overflow(bytes, loops, &product) ? UINT64_MAX : product;
}

/* Without time_based the job ends when its size (or io_size) has been done, loops times.  io_size
 * counts for all workers together, as size does. */
static uint64_t limit_of(const struct iob_pattern *p, const struct iob_job *job)
{
	uint64_t workers = job->numjobs ? job->numjobs : 1;
	uint64_t loops = job->ctl.loops ? job->ctl.loops : 1;
	uint64_t bytes = covered(p);

	if (job->time_based)
		return UINT64_MAX;
	if (job->io_size.percent_micro)
		bytes = (uint64_t)((unsigned __int128)bytes * job->io_size.percent_micro /
				   UINT64_C(100000000));
	else if (!job->io_size.bytes && job->files.filesize.max && job->size.bytes)
		/* The files' length is said by filesize: so much of them, and no more than there
		 * is. */
		bytes = job->size.bytes < bytes ? job->size.bytes : bytes;
	else if (job->io_size.bytes)
		bytes = job->io_size.bytes / workers + (job->io_size.bytes % workers != 0);
	return times(bytes, loops);
}

static void measure_regions(struct iob_pattern *p)
{
	p->smallest_region = UINT64_MAX;
	for (unsigned i = 0; i < p->nregions; i++)
		if (p->region[i].size < p->smallest_region)
			p->smallest_region = p->region[i].size;
}

/* Does the job want more than one place after the other, or each once in any order? */
static bool is_general(const struct iob_pattern *p, const struct iob_job *job)
{
	const struct iob_job_pattern *more = &job->pattern;
	bool general = p->nregions > 1 || more->rw_suffix || more->bssplit[0] ||
		       more->bs_unaligned || more->bs_is_seq_rand || more->random_distribution;

	for (unsigned d = 0; d < IOB_NDIR; d++)
		general |= more->blockalign[d] || more->percentage_sequential[d];
	return general;
}

int iob_pattern_init(struct iob_pattern *p, const struct iob_job *job,
	const struct iob_region *regions, unsigned nregions, uint64_t seed, uint64_t stream)
{
	struct iob_rng passes;

	*p = (struct iob_pattern){
		.map = !job->norandommap,
		.rwmixread = job->rwmixread,
		.region = regions,
		.nregions = nregions,
		.job = job,
	};
	p->general = is_general(p, job);
	if (p->general)
		p->lane = calloc((size_t)nregions * IOB_NDIR, sizeof(*p->lane));
	if (p->general && !p->lane)
		return -ENOMEM;
	take_rw(p, job->rw);
	for (unsigned d = 0; d < IOB_NDIR; d++)
		p->bs[d] = job->bs[d];
	measure_regions(p);
	iob_rng_seed(&p->offsets, seed, stream * NSTREAMS + STREAM_OFFSETS);
	iob_rng_seed(&p->mix, seed, stream * NSTREAMS + STREAM_MIX);
	iob_rng_seed(&p->sizes, seed, stream * NSTREAMS + STREAM_SIZES);
	iob_rng_seed(&passes, seed, stream * NSTREAMS + STREAM_PASSES);
	iob_rng_seed(&p->files, seed, stream * NSTREAMS + STREAM_FILES);
	iob_rng_seed(&p->kinds, seed, stream * NSTREAMS + STREAM_KINDS);
	p->seed = iob_rng_next(&passes);
	place_cursors(p);
	p->limit_bytes = limit_of(p, job);
	find_plain(p);
	return 0;
}

void iob_pattern_free(struct iob_pattern *p)
{
	free(p->lane);
	p->lane = NULL;
	iob_trimwrite_free(&p->trimmed);
}

bool iob_pattern_fits(const struct iob_pattern *p, const struct iob_live *live)
{
	for (unsigned d = 0; d < IOB_NDIR; d++) {
		const struct iob_range *bs = &live->bs[d];

		if (!iob_live_uses_bs(live, d))
			continue;
		if (bs->min == 0 || bs->max < bs->min || bs->max > p->smallest_region ||
			bs->max > UINT32_MAX)
			return false;
	}
	return true;
}

void iob_pattern_adopt(struct iob_pattern *p, const struct iob_live *live)
{
	bool anew = p->rw != live->rw;

	p->rwmixread = live->rwmixread;
	for (unsigned d = 0; d < IOB_NDIR; d++) {
		if (iob_live_uses_bs(live, d))
			anew |= p->bs[d].min != live->bs[d].min || p->bs[d].max != live->bs[d].max;
		p->bs[d] = live->bs[d];
	}
	if (!anew)
		return;
	take_rw(p, live->rw);
	for (unsigned d = 0; d < IOB_NDIR; d++)
		p->cursor[d].pass++;
	place_cursors(p);
	find_plain(p);
}

void iob_pattern_move(struct iob_pattern *p)
{
	measure_regions(p);
	iob_trimwrite_drop(&p->trimmed);
	for (unsigned d = 0; d < IOB_NDIR; d++)
		p->cursor[d].pass++;
	place_cursors(p);
	find_plain(p);
}

static inline enum iob_dir next_direction(struct iob_pattern *p)
{
	if (!p->mixed)
		return (enum iob_dir)p->only;
	return iob_rng_below(&p->mix, 100) < p->rwmixread ? IOB_READ : IOB_WRITE;
}

static inline uint64_t next_length(struct iob_pattern *p, enum iob_dir dir)
{
	if (p->bs_choices[dir] == 1)
		return p->bs[dir].min;
	return p->bs[dir].min * (1 + iob_rng_below(&p->sizes, p->bs_choices[dir]));
}

static __attribute__((noinline)) void look_ahead(struct iob_cursor *c)
{
	uint64_t left = c->blocks - c->position;

	iob_permutation_run(&c->permutation, c->position, c->ahead,
		left < IOB_PATTERN_AHEAD ? (unsigned)left : IOB_PATTERN_AHEAD);
}

static uint64_t random_offset(struct iob_pattern *p, struct iob_cursor *c, uint64_t *length)
{
	uint64_t block;

	if (p->map) {
		if (c->position >= c->blocks) {
			c->pass++;
			start_pass(p, c);
		}
		unsigned at = (unsigned)(c->position % IOB_PATTERN_AHEAD);
		if (at == 0)
			look_ahead(c);
		block = c->ahead[at];
	} else {
		block = iob_rng_below(&p->offsets, c->blocks);
	}
	uint64_t room = (c->blocks - block) * c->block;
	if (*length > room)
		*length = room;
	return block * c->block;
}

static uint64_t sequential_offset(struct iob_pattern *p, struct iob_cursor *c, uint64_t *length)
{
	uint64_t end = c->blocks * c->block;

	if (c->position >= end) {
		c->pass++;
		start_pass(p, c);
	}
	uint64_t room = end - c->position;
	if (*length > room)
		*length = room;
	return c->position;
}

static bool choose(struct iob_pattern *p, enum iob_dir dir, struct iob_step *step)
{
	if (p->general)
		return iob_pattern_next_general(p, dir, step);
	struct iob_cursor *c = &p->cursor[p->cursor_of[dir]];
	uint64_t length = next_length(p, dir);
	uint64_t offset;

	if (p->random)
		offset = random_offset(p, c, &length);
	else
		offset = sequential_offset(p, c, &length);
	step->offset = p->region->offset + offset;
	step->length = (uint32_t)length;
	step->file = p->region->file;
	step->dir = (uint8_t)dir;
	p->issued_bytes += length;
	c->position += p->random ? 1 : length;
	return true;
}

static bool write_trimmed(struct iob_pattern *p, struct iob_step *step)
{
	struct iob_trimmed block;

	if (!iob_trimwrite_take(&p->trimmed, &block))
		return false;
	*step = (struct iob_step){block.offset, block.length, block.file, IOB_WRITE};
	return true;
}

static bool trim_or_write(struct iob_pattern *p, struct iob_step *step)
{
	if (write_trimmed(p, step))
		return true;
	if (p->issued_bytes >= p->limit_bytes || !choose(p, IOB_TRIM, step))
		return false;
	iob_trimwrite_sent(&p->trimmed);
	return true;
}

bool iob_pattern_next_any(struct iob_pattern *p, struct iob_step *step)
{
	if (p->trimwrite)
		return trim_or_write(p, step);
	return p->issued_bytes < p->limit_bytes && choose(p, next_direction(p), step);
}

bool iob_pattern_next_of(struct iob_pattern *p, enum iob_dir dir, struct iob_step *step)
{
	if (p->trimwrite)
		return trim_or_write(p, step);
	return p->issued_bytes < p->limit_bytes && choose(p, dir, step);
}

/* Longer than what the parameters make now, it may be longer than the buffers. */
static bool is_of_now(const struct iob_pattern *p, const struct iob_trimmed *block)
{
	uint64_t longest = p->bs[IOB_TRIM].max;

	for (unsigned d = 0; p->job->pattern.bs_is_seq_rand && d < IOB_TRIM; d++)
		longest = p->bs[d].max > longest ? p->bs[d].max : longest;
	return block->length <= longest;
}

void iob_pattern_trimmed(struct iob_pattern *p, const struct iob_trimmed *block)
{
	if (p->trimwrite)
		iob_trimwrite_back(&p->trimmed, block, is_of_now(p, block));
}

bool iob_region_split(struct iob_region *out, uint64_t offset, uint64_t size, uint64_t align,
	unsigned i, unsigned n)
{
	uint64_t blocks = size / align;
	uint64_t share = blocks / n, extra = blocks % n;

	if (share == 0)
		return false;
	/* The first `extra` parts are one block larger. */
	uint64_t first = share * i + (i < extra ? i : extra);
	out->offset = offset + first * align;
	out->size = (share + (i < extra)) * align;
	return true;
}
