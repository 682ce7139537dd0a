/* SPDX-License-Identifier: MIT */
/* A ledger with two pretended workers, for the suites that test it. */
#ifndef IOB_TESTS_SUPPORT_MEASURE_LEDGER_H
#define IOB_TESTS_SUPPORT_MEASURE_LEDGER_H

#include <criterion/criterion.h>

#include "base/clock.h"
#include "measure/ledger.h"
#include "tests/support/measure_worker.h"

#define T0 (1000 * IOB_NS_PER_S)
#define MS IOB_NS_PER_MS

static struct iob_ledger ledger;
static struct iob_ring *rings;
static struct pretended worker[2];
static struct iob_popped popped;

static inline void set_up(void)
{
	iob_ledger_init(&ledger, 2);
	rings = pretended_ring(2);
	for (int i = 0; i < 2; i++)
		worker[i] = pretended_new(&rings[i]);
	iob_ledger_begin(&ledger, T0);
}

static inline void tear_down(void)
{
	iob_ledger_free(&ledger);
	for (int i = 0; i < 2; i++)
		free(worker[i].acc);
	free(rings);
}

/* Time in ms since the origin. */
static inline uint64_t at(uint64_t ms)
{
	return T0 + ms * MS;
}

static inline void load_from(uint64_t ms)
{
	cr_assert_eq(iob_ledger_segment(
			     &ledger, (uint32_t)ledger.announced, 0, IOB_SEGMENT_LOAD, at(ms)),
		0);
}

static inline void enter(int w, uint32_t interval, uint16_t flags, uint64_t now_ms)
{
	cr_assert(pretended_push(&worker[w], interval, flags));
	cr_assert(iob_ring_pop(&rings[w], &popped));
	iob_ledger_sample(&ledger, (unsigned)w, &popped, at(now_ms));
}

static inline void work(int w, int ios, uint64_t ns)
{
	for (int i = 0; i < ios; i++)
		pretended_io(&worker[w], IOB_READ, 4096, ns);
}

static inline const struct iob_interval *entry(size_t k)
{
	cr_assert_lt(k, ledger.timeline.count);
	return &ledger.timeline.entry[k];
}

static inline uint64_t timeline_ios(void)
{
	struct iob_interval sum;

	iob_timeline_fold(&sum, ledger.timeline.entry, ledger.timeline.count);
	return sum.dir[0].ios + sum.dir[1].ios + sum.dir[2].ios;
}

#endif
