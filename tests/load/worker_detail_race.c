/* SPDX-License-Identifier: MIT */
/* For ThreadSanitizer: the loop of fio's statistics, read beside it and stopped. */
#include <config.h>

#include <stdio.h>

#include "base/clock.h"
#include "tests/support/fake_engine.h"
#include "tests/support/worker_rig.h"

#define ENOUGH 50000

static struct rig r;
static struct iob_detail detail;

/* All that was issued is in the samples and in the details alike. */
static int check(void)
{
	unsigned long long issued = 0, counted = 0, detailed = 0;

	for (unsigned d = 0; d < IOB_NDIR; d++) {
		issued += atomic_load(&fake_count.ios[d]);
		counted += rig_total(&r, d);
		detailed += detail.dir[d].ios;
	}
	if (counted == issued && detailed == issued && atomic_load(&fake_count.bad_calls) == 0 &&
		!r.slot->error.code)
		return 0;
	fprintf(stderr, "worker_detail_race: %llu I/Os issued, %llu counted, %llu detailed, %s\n",
		issued, counted, detailed, r.slot->error.text);
	return 1;
}

int main(void)
{
	struct iob_error err = {0};

	iob_clock_init();
	rig_init(&r, IOB_RW_RANDRW, 1000 * UINT64_C(4096), 16);
	r.detail = &detail;
	if (rig_start(&r, &fake_engine, 64, &err) < 0) {
		fprintf(stderr, "worker_detail_race: %s\n", err.text);
		return 1;
	}
	rig_wait_completed(&r, ENOUGH);
	rig_stop(&r);
	rig_finish(&r);
	int status = check();
	rig_free(&r);
	return status;
}
