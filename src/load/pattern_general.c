/* SPDX-License-Identifier: MIT */
/*
 * The pattern of jobs that want more than pattern.c does: several files, requests in a row for each
 * random start, holes, going backwards, shares of sizes, distributions.  Each direction has a
 * cursor, a lane, for each file; directions that share the size of their blocks share them when
 * the order is random.  The sequences are those of fio, but for what is drawn.
 */
#include "load/pattern.h"

#include <stddef.h>

#define ALL       UINT64_C(100) /* per cent */
#define ONE_MICRO 1e6

static struct iob_cursor *lane_of(struct iob_pattern *p, unsigned slot, unsigned file)
{
	return &p->lane[(size_t)slot * p->nregions + file];
}

static uint64_t smallest(const struct iob_pattern *p, enum iob_dir dir)
{
	return p->bs[dir].min;
}

static uint64_t alignment(const struct iob_pattern *p, enum iob_dir dir)
{
	uint64_t align = p->job->pattern.blockalign[dir];

	return align ? align : smallest(p, dir);
}

static void start_pass(struct iob_pattern *p, struct iob_cursor *c, uint64_t salt)
{
	uint64_t key = p->seed ^ iob_mix64(salt);

	c->position = 0;
	c->issued = 0;
	c->start = c->end = 0;
	/* What is asked for most stays the same from pass to pass. */
	if (!p->job->pattern.random_distribution)
		key ^= c->pass;
	if (p->random)
		iob_permutation_init(&c->permutation, c->blocks, iob_mix64(key));
}

static void place_lane(struct iob_pattern *p, unsigned slot, unsigned file)
{
	struct iob_cursor *c = lane_of(p, slot, file);
	const struct iob_job_pattern *more = &p->job->pattern;
	enum iob_dir dir = (enum iob_dir)slot;

	c->block = alignment(p, dir);
	c->blocks = (p->region[file].size - smallest(p, dir)) / c->block + 1;
	c->pass++;
	if (more->random_distribution)
		iob_distribution_init(&c->distribution, more->random_distribution,
			more->distribution_micro, c->blocks);
	start_pass(p, c, file);
}

/* A size that was turned by hand is no longer split. */
static void take_split(struct iob_pattern *p)
{
	const char *why;

	if (p->job->pattern.bssplit[0] == '\0' ||
		iob_bssplit_parse(p->split, p->job->pattern.bssplit, &why) < 0)
		return;
	for (unsigned d = 0; d < IOB_NDIR; d++) {
		struct iob_bssplit *s = &p->split[d];

		if (s->count && (s->entry[0].bytes != p->bs[d].min ||
					s->entry[s->count - 1].bytes != p->bs[d].max))
			s->count = 0;
	}
}

/* What stands behind the colon of rw holds for that kind alone. */
static void take_suffix(struct iob_pattern *p)
{
	int64_t suffix = p->rw == p->job->rw ? p->job->pattern.rw_suffix : 0;
	bool limited = p->job->io_size.bytes || p->job->io_size.percent_micro;

	p->in_a_row = p->random && suffix > 1 ? suffix : 1;
	/* As in fio, where a write counts, too. */
	if (p->trimwrite)
		p->in_a_row = (p->in_a_row + 1) / 2;
	p->hole = p->random ? 0 : suffix;
	p->left_in_row = 0;
	p->ends_with_pass = p->hole > 0 && !p->job->time_based && !limited;
}

/* Are some files asked for more often than others? */
static bool has_ranks(const struct iob_pattern *p)
{
	uint32_t service = p->job->files.service;

	return service == IOB_SERVICE_ZIPF || service == IOB_SERVICE_PARETO;
}

static bool is_drawn(const struct iob_pattern *p)
{
	return p->job->files.service == IOB_SERVICE_RANDOM || has_ranks(p);
}

static void start_files(struct iob_pattern *p)
{
	bool zipf = p->job->files.service == IOB_SERVICE_ZIPF;

	if (!has_ranks(p))
		return;
	iob_distribution_init(&p->file_ranks, zipf ? IOB_DIST_ZIPF : IOB_DIST_PARETO,
		p->job->files.service_requests, p->nregions);
	iob_permutation_init(&p->file_order, p->nregions, iob_mix64(p->seed));
}

static unsigned draw_file(struct iob_pattern *p)
{
	if (!has_ranks(p))
		return (unsigned)iob_rng_below(&p->files, p->nregions);
	return (unsigned)iob_permutation_at(
		&p->file_order, iob_distribution_next(&p->file_ranks, &p->files));
}

static uint64_t service_requests(const struct iob_pattern *p)
{
	int64_t n = p->job->files.service_requests;

	return n > 0 && !has_ranks(p) ? (uint64_t)n : 1;
}

void iob_pattern_place_general(struct iob_pattern *p)
{
	take_split(p);
	take_suffix(p);
	p->passes = 0;
	p->file = 0;
	p->left_in_file = service_requests(p);
	for (unsigned d = 0; d < IOB_NDIR; d++)
		for (unsigned f = 0; iob_pattern_draws(p, d) && f < p->nregions; f++)
			place_lane(p, d, f);
	p->cursor_of[IOB_WRITE] = IOB_WRITE;
	if (p->random && p->mixed && alignment(p, IOB_READ) == alignment(p, IOB_WRITE) &&
		smallest(p, IOB_READ) == smallest(p, IOB_WRITE))
		p->cursor_of[IOB_WRITE] = IOB_READ;
	start_files(p);
	if (is_drawn(p))
		p->file = draw_file(p);
}

static bool lane_is_done(
	const struct iob_pattern *p, const struct iob_cursor *c, unsigned file, uint64_t least)
{
	uint64_t size = p->region[file].size;

	if (p->random && p->map && !p->job->pattern.random_distribution && c->position >= c->blocks)
		return true;
	if (p->random)
		return p->nregions > 1 && !has_ranks(p) && c->issued + least > size;
	if (p->hole < 0)
		return c->issued + least > size;
	uint64_t hole = c->end ? (uint64_t)p->hole : 0;
	return c->end + hole + least > size;
}

static void turn_file(struct iob_pattern *p)
{
	if (p->left_in_file > 0 || p->job->files.service == IOB_SERVICE_SEQUENTIAL)
		return;
	p->left_in_file = service_requests(p);
	if (is_drawn(p))
		p->file = draw_file(p);
	else if (++p->file == p->nregions)
		p->file = 0;
}

/* The lane whose turn it is; NULL at the end.  All are done: once more, unless that was all. */
static struct iob_cursor *pick_lane(struct iob_pattern *p, unsigned slot)
{
	uint64_t least = smallest(p, (enum iob_dir)slot);
	uint64_t loops = p->job->ctl.loops ? p->job->ctl.loops : 1;

	turn_file(p);
	for (unsigned tried = 0; tried < p->nregions; tried++) {
		struct iob_cursor *c = lane_of(p, slot, p->file);

		if (!lane_is_done(p, c, p->file, least))
			return c;
		/* What is wanted more often is gone through more often. */
		if (has_ranks(p) && p->job->time_based) {
			c->pass++;
			start_pass(p, c, p->file);
			return c;
		}
		p->file = p->file + 1 < p->nregions ? p->file + 1 : 0;
		p->left_in_file = service_requests(p);
	}
	if (++p->passes >= loops && p->ends_with_pass)
		return NULL;
	for (unsigned f = 0; f < p->nregions; f++) {
		lane_of(p, slot, f)->pass++;
		start_pass(p, lane_of(p, slot, f), f);
	}
	if (!is_drawn(p))
		p->file = 0;
	return lane_of(p, slot, p->file);
}

/* Scattered, or in a row behind the centre, around the end. */
static uint64_t block_of_rank(
	const struct iob_pattern *p, const struct iob_cursor *c, uint64_t rank)
{
	int64_t centre = p->job->pattern.distribution_centre;

	if (!centre)
		return iob_permutation_at(&c->permutation, rank);
	uint64_t first = (uint64_t)((double)c->blocks * (double)(centre - 1) / ONE_MICRO);
	/* 1 is the end, behind which the beginning follows. */
	uint64_t before = c->blocks - first % c->blocks;
	return rank < before ? c->blocks - before + rank : rank - before;
}

static uint64_t draw_block(struct iob_pattern *p, struct iob_cursor *c)
{
	if (p->job->pattern.random_distribution)
		return block_of_rank(p, c, iob_distribution_next(&c->distribution, &p->offsets));
	if (!p->map)
		return iob_rng_below(&p->offsets, c->blocks);
	return iob_permutation_at(&c->permutation, c->position++ % c->blocks);
}

/* Is this request one of those that go to a random place? */
static bool is_random_start(struct iob_pattern *p, enum iob_dir dir)
{
	uint64_t follows = p->job->pattern.percentage_sequential[dir];

	if (!p->random)
		return false;
	if (p->left_in_row > 0) {
		p->left_in_row--;
		return false;
	}
	p->left_in_row = p->in_a_row - 1;
	return follows == 0 || iob_rng_below(&p->kinds, ALL) >= follows;
}

/* Behind the last request of the lane, with the hole between; backwards from the end again. */
static uint64_t sequential_place(
	const struct iob_pattern *p, const struct iob_cursor *c, uint64_t size, uint64_t least)
{
	if (c->end == 0 || p->hole == 0)
		return c->end;
	int64_t at = (int64_t)c->end + p->hole;
	if (at >= 0)
		return (uint64_t)at;
	at = (int64_t)(size - size % least) + p->hole;
	return at < 0 ? 0 : (uint64_t)at;
}

static uint64_t place(struct iob_pattern *p, struct iob_cursor *c, enum iob_dir dir, bool *random)
{
	uint64_t size = p->region[p->file].size, least = smallest(p, dir);
	bool again = p->job->pattern.rw_sequencer == IOB_RW_IDENTICAL && p->in_a_row > 1;
	uint64_t at;

	*random = is_random_start(p, dir);
	if (*random)
		return draw_block(p, c) * c->block;
	if (p->random && again)
		return c->start;
	at = sequential_place(p, c, size, least);
	if (at + least <= size)
		return at;
	/* Nothing follows at the end. */
	*random = p->random;
	return *random ? draw_block(p, c) * c->block : 0;
}

static uint64_t split_length(struct iob_pattern *p, const struct iob_bssplit *s, uint64_t room)
{
	uint64_t at = iob_rng_below(&p->sizes, IOB_BSSPLIT_WHOLE);
	unsigned i = 0;

	while (i + 1 < s->count && at >= s->entry[i].share)
		at -= s->entry[i++].share;
	while (i > 0 && s->entry[i].bytes > room)
		i--;
	return s->entry[i].bytes;
}

/* room: at least the smallest size of the request's direction. */
static uint64_t length(struct iob_pattern *p, enum iob_dir dir, bool random, uint64_t room)
{
	const struct iob_job_pattern *more = &p->job->pattern;
	enum iob_dir of = !more->bs_is_seq_rand ? dir : random ? IOB_WRITE : IOB_READ;
	const struct iob_range *bs = &p->bs[of];
	uint64_t n;

	if (p->split[of].count)
		n = split_length(p, &p->split[of], room);
	else if (more->bs_unaligned)
		n = bs->min + iob_rng_below(&p->sizes, bs->max - bs->min + 1);
	else
		n = bs->min * (1 + iob_rng_below(&p->sizes, bs->max / bs->min));
	if (n <= room)
		return n;
	return more->bs_unaligned ? room : room - room % smallest(p, dir);
}

bool iob_pattern_next_general(struct iob_pattern *p, enum iob_dir dir, struct iob_step *step)
{
	unsigned slot = p->cursor_of[dir];
	struct iob_cursor *c = pick_lane(p, slot);
	bool random = false;

	if (!c)
		return false;
	const struct iob_region *region = &p->region[p->file];
	uint64_t at = place(p, c, dir, &random);
	uint64_t n = length(p, dir, random, region->size - at);
	*step = (struct iob_step){.offset = region->offset + at,
		.length = (uint32_t)n,
		.file = region->file,
		.dir = (uint8_t)dir};
	c->start = at;
	c->end = at + n;
	c->issued += n;
	p->issued_bytes += n;
	p->left_in_file--;
	return true;
}
