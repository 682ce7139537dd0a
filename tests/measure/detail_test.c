/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "measure/detail.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

static struct iob_detail from, to, expected;

static uint64_t number; /* each count is another */

static void fill_span(struct iob_span *s)
{
	uint64_t n = ++number;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t ns = 1000 * n + 37 * i;

		iob_moments_take(&s->moments, ns);
		s->hist.count[iob_hist_index(ns)]++;
		s->hist.total++;
	}
}

static void fill(struct iob_detail *d)
{
	for (int i = 0; i < IOB_NDIR; i++) {
		struct iob_detail_dir *dir = &d->dir[i];

		fill_span(&dir->slat);
		fill_span(&dir->clat);
		fill_span(&dir->lat);
		dir->issued = ++number;
		dir->issued_bytes = ++number;
		dir->ios = ++number;
		dir->bytes = ++number;
		dir->shorts = ++number;
		dir->errors = ++number;
	}
	fill_span(&d->sync);
	for (int i = 0; i < IOB_DETAIL_LEVELS; i++) {
		d->depth[i] = ++number;
		d->submit[i] = ++number;
		d->complete[i] = ++number;
	}
	d->syncs_issued = ++number;
	d->total_errors = ++number;
	d->user_ns = ++number;
	d->system_ns = ++number;
	d->context_switches = ++number;
	d->major_faults = ++number;
	d->minor_faults = ++number;
	d->first_error = EIO;
	d->begin_ns = ++number;
	d->end_ns = ++number;
}

TestSuite(detail, .timeout = 10);

/* Each count of it: what is added to nothing is the same, but for the times. */
Test(detail, added_to_nothing_it_is_whole)
{
	fill(&from);
	memcpy(&expected, &from, sizeof(expected));
	expected.begin_ns = expected.end_ns = 0;
	iob_detail_add(&to, &from);
	for (size_t i = 0; i < sizeof(to) / 8; i++)
		cr_assert_eq(memcmp((char *)&to + 8 * i, (char *)&expected + 8 * i, 8), 0,
			"the eight bytes at %zu", 8 * i);
}

Test(detail, a_second_one_is_added_and_the_first_error_stays)
{
	fill(&from);
	iob_detail_add(&to, &from);
	to.begin_ns = 5;
	from.first_error = ENOSPC;
	iob_detail_add(&to, &from);
	for (int i = 0; i < IOB_NDIR; i++) {
		const struct iob_detail_dir *a = &to.dir[i], *b = &from.dir[i];

		cr_assert_eq(a->ios, 2 * b->ios);
		cr_assert_eq(a->bytes, 2 * b->bytes);
		cr_assert_eq(a->errors, 2 * b->errors);
		cr_assert_eq(a->lat.moments.n, 2 * b->lat.moments.n);
		cr_assert_eq(a->lat.moments.min_ns, b->lat.moments.min_ns);
		cr_assert_eq(a->lat.hist.total, 2 * b->lat.hist.total);
	}
	for (int i = 0; i < IOB_DETAIL_LEVELS; i++) {
		cr_assert_eq(to.depth[i], 2 * from.depth[i]);
		cr_assert_eq(to.submit[i], 2 * from.submit[i]);
		cr_assert_eq(to.complete[i], 2 * from.complete[i]);
	}
	cr_assert_eq(to.user_ns, 2 * from.user_ns);
	cr_assert_eq(to.minor_faults, 2 * from.minor_faults);
	cr_assert_eq(to.first_error, EIO);
	cr_assert_eq(to.begin_ns, 5);
}
