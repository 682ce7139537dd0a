/* SPDX-License-Identifier: MIT */
/* For the suites that drive one worker against an engine that keeps its own count. */
#ifndef IOB_TESTS_SUPPORT_WORKER_SUITE_H
#define IOB_TESTS_SUPPORT_WORKER_SUITE_H

#include <criterion/criterion.h>

#include "base/clock.h"
#include "tests/support/fake_engine.h"
#include "tests/support/worker_rig.h"

#define SIZE (1000 * UINT64_C(4096))

static struct rig r;

static inline void start(const struct iob_engine *engine, unsigned capacity)
{
	struct iob_error err = {0};

	cr_assert_eq(rig_start(&r, engine, capacity, &err), 0, "%s", err.text);
}

/* End it if it has not ended, and check what always holds. */
static inline void finish(void)
{
	rig_finish(&r);
	cr_assert_eq(fake_count.bad_calls, 0, "the worker broke the engine's contract");
	cr_assert_eq(r.last_samples, 1);
	for (unsigned d = 0; d < IOB_NDIR; d++) {
		uint64_t hist = 0, ios = 0;

		for (unsigned s = 0; s < RIG_SEGMENTS; s++) {
			hist += r.segment[s].hist_total[d];
			ios += r.segment[s].dir[d].ios;
		}
		cr_assert_eq(hist, ios, "histogram and count differ");
	}
	for (uint32_t i = 0; i <= r.last_interval; i++)
		cr_assert_geq(r.covered[i % RIG_INTERVALS], 1, "interval %u has no sample", i);
}

#endif
