/* SPDX-License-Identifier: MIT */
/* For ThreadSanitizer: a worker, a reader and a controller that turns everything at once. */
#include <config.h>

#include <stdio.h>

#include "base/clock.h"
#include "tests/support/fake_engine.h"
#include "tests/support/worker_rig.h"

#define CHANGES 60

static struct rig r;

int main(void)
{
	struct iob_error err = {0};
	uint64_t issued = 0;

	iob_clock_init();
	rig_init(&r, IOB_RW_RANDRW, 1000 * UINT64_C(4096), 16);
	if (rig_start(&r, &fake_engine, 64, &err) < 0) {
		fprintf(stderr, "worker_race: %s\n", err.text);
		return 1;
	}
	struct iob_live live = r.steer->live;
	for (unsigned i = 1; i <= CHANGES; i++) {
		live.iodepth = 1 + i * 7 % 64;
		live.rwmixread = i * 13 % 101;
		live.bs[IOB_READ].max = live.bs[IOB_READ].min = 4096 * (1 + i % 4);
		live.paused = i % 10 == 9;
		rig_adopt(&r, &live);
		rig_wait_acked(&r);
		if (!live.paused)
			rig_wait_completed(&r, atomic_load(&r.slot->completed) + 200);
	}
	rig_stop(&r);
	rig_finish(&r);
	for (unsigned d = 0; d < IOB_NDIR; d++)
		issued += atomic_load(&fake_count.ios[d]);
	uint64_t counted = rig_total(&r, IOB_READ) + rig_total(&r, IOB_WRITE);
	if (counted != issued || atomic_load(&fake_count.bad_calls) != 0 || r.slot->error.code) {
		fprintf(stderr, "worker_race: %llu I/Os issued, %llu counted, %s\n",
			(unsigned long long)issued, (unsigned long long)counted,
			r.slot->error.text);
		return 1;
	}
	rig_free(&r);
	return 0;
}
