/* SPDX-License-Identifier: MIT */
/* What a worker does when it cannot be set up, and when requests fail. */
#include <config.h>

#include <errno.h>
#include <string.h>

#include "tests/support/worker_suite.h"

Test(worker_failure, the_first_error_ends_it, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 8);
	fake_script.fail_at = 500;
	fake_script.fail_result = -EIO;
	start(&fake_engine, 8);
	finish();
	cr_assert_eq(r.slot->error.code, -EIO);
	cr_assert_eq(
		strncmp(r.slot->error.text, "read at offset ", 15), 0, "%s", r.slot->error.text);
	cr_assert_not_null(strstr(r.slot->error.text, "Input/output error (EIO)"));
	cr_assert_eq(r.segment[0].dir[IOB_READ].errors, 1);
	cr_assert_eq(r.segment[0].dir[IOB_READ].ios, fake_count.ios[IOB_READ] - 1);
	cr_assert_lt(fake_count.ios[IOB_READ], 600);
	cr_assert_eq(atomic_load(&r.slot->issued), atomic_load(&r.slot->completed));
	rig_free(&r);
}

Test(worker_failure, moving_nothing_is_an_error, .timeout = 60)
{
	rig_init(&r, IOB_RW_WRITE, SIZE, 1);
	fake_script.fail_at = 3;
	fake_script.fail_result = 0;
	start(&fake_engine, 1);
	finish();
	cr_assert_eq(r.slot->error.code, -EIO);
	cr_assert_eq(strncmp(r.slot->error.text, "write at offset 8192: 0 bytes", 29), 0, "%s",
		r.slot->error.text);
	cr_assert_eq(r.segment[0].dir[IOB_WRITE].zeros, 1);
	cr_assert_eq(r.segment[0].dir[IOB_WRITE].ios, 2);
	rig_free(&r);
}

Test(worker_failure, a_broken_engine_ends_it, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 8);
	fake_script.break_after = 10;
	start(&fake_engine, 8);
	finish();
	cr_assert_eq(r.slot->error.code, -EIO);
	cr_assert_not_null(
		strstr(r.slot->error.text, "8 requests are lost"), "%s", r.slot->error.text);
	cr_assert_eq(atomic_load(&r.slot->issued) - atomic_load(&r.slot->completed), 8);
	rig_free(&r);
}

Test(worker_failure, an_engine_that_does_not_open_ends_it_before_the_start, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 8);
	fake_script.refuse_open = ENOSYS;
	start(&fake_engine, 8);
	rig_finish(&r);
	cr_assert_eq(r.slot->error.code, -ENOSYS);
	cr_assert_eq(strncmp(r.slot->error.text, "fake: told not to open", 22), 0);
	cr_assert_eq(atomic_load(&r.slot->issued), 0);
	rig_free(&r);
}

Test(worker_failure, bad_set_up_is_refused_in_words, .timeout = 60)
{
	struct iob_error err = {0};

	rig_init(&r, IOB_RW_TRIM, SIZE, 8);
	cr_assert_lt(rig_start(&r, &fake_sync_engine, 8, &err), 0);
	cr_assert_not_null(strstr(err.text, "cannot trim"), "%s", err.text);
	rig_free(&r);
	rig_init(&r, IOB_RW_RANDREAD, 2048, 1);
	start(&fake_engine, 1);
	rig_finish(&r);
	cr_assert_eq(r.slot->error.kind, IOB_ERR_USAGE);
	rig_free(&r);
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 1);
	strcpy(r.job.cpus_allowed, "1023");
	start(&fake_engine, 1);
	rig_finish(&r);
	cr_assert_not_null(strstr(r.slot->error.text, "cpus_allowed"));
	rig_free(&r);
}

static void let_pass(uint64_t every, int64_t result)
{
	r.job.continue_on_error = IOB_CONTINUE_ALL;
	fake_script.fail_every = every;
	fake_script.fail_result = result;
}

Test(worker_failure, goes_on_after_errors_that_are_let_pass, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 8);
	let_pass(10, -EIO);
	r.job.number_ios = 2000;
	start(&fake_engine, 8);
	finish();
	const struct iob_failure_book *book = &r.slot->failures;
	cr_assert_eq(r.segment[0].dir[IOB_READ].errors, 200);
	cr_assert_eq(r.segment[0].dir[IOB_READ].ios, 1800);
	cr_assert_eq(book->total, 200);
	cr_assert_eq(book->nkinds, 1);
	cr_assert_eq(book->kind[0].code, EIO);
	cr_assert_eq(book->nfirst, IOB_FAILURES_FIRST);
	cr_assert_eq(book->first[0].length, 4096);
	cr_assert_eq(book->slowed, 0, "there were successes between them");
	cr_assert_eq(r.slot->error.code, 0);
	rig_free(&r);
}

Test(worker_failure, ends_at_an_error_that_cannot_be_let_pass, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 1);
	let_pass(50, -ENODEV);
	start(&fake_engine, 1);
	finish();
	cr_assert_eq(r.segment[0].dir[IOB_READ].errors, 1);
	cr_assert_eq(r.slot->error.code, -ENODEV);
	cr_assert_not_null(strstr(r.slot->error.text, "the device is gone"));
	rig_free(&r);
}

Test(worker_failure, slows_down_when_nothing_but_errors_comes_back, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 4);
	let_pass(1, -EIO);
	start(&fake_engine, 4);
	uint64_t since = iob_now_ns();
	while (iob_now_ns() - since < 300 * IOB_NS_PER_MS || r.slot->failures.slowed < 5)
		rig_wait_completed(&r, atomic_load(&r.slot->completed) + 1);
	uint64_t tenths = (iob_now_ns() - since) / (100 * IOB_NS_PER_MS);
	rig_stop(&r);
	finish();
	/* Without it there would be millions: pauses double from 1 to 100 ms. */
	cr_assert_lt(r.segment[0].dir[IOB_READ].errors, 64 + 4 * (10 + tenths));
	rig_free(&r);
}

Test(worker_failure, gives_a_device_up_that_only_answers_with_nothing, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 4);
	let_pass(1, 0);
	start(&fake_engine, 4);
	finish();
	cr_assert_eq(r.slot->error.code, -EIO);
	cr_assert_not_null(strstr(r.slot->error.text, "the device is gone"));
	cr_assert_gt(r.segment[0].dir[IOB_READ].zeros, 64);
	rig_free(&r);
}
