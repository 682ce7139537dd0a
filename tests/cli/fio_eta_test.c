/* SPDX-License-Identifier: MIT */
#include "cli/fio_eta.h"

#include <criterion/criterion.h>
#include <string.h>

static struct iob_fio_live live;
static char line[1024];

static void fresh(void)
{
	live = (struct iob_fio_live){
		.running = 3, .files = 4, .state = "mRRP", .elapsed_s = 3, .eta_s = 4};
}

static const char *shown(void)
{
	return iob_fio_live_line(line, sizeof(line), &live);
}

TestSuite(fio_eta, .init = fresh, .timeout = 5);

Test(fio_eta, shows_states_share_rates_and_time_left)
{
	live.bw[IOB_READ] = 194 << 20;
	live.bw[IOB_WRITE] = 36.1 * (1 << 20);
	live.iops[IOB_READ] = 49600;
	live.iops[IOB_WRITE] = 9232;
	cr_assert_str_eq(shown(), "Jobs: 3 (f=4): [m(1),R(2),P(1)][42.9%][r=194MiB/s,w=36.1MiB/s]"
				  "[r=49.6k,w=9232 IOPS][eta 00m:04s]");
}

Test(fio_eta, leaves_out_rates_that_are_not)
{
	cr_assert_str_eq(shown(), "Jobs: 3 (f=4): [m(1),R(2),P(1)][42.9%][eta 00m:04s]");
	live.bw[IOB_TRIM] = 1024;
	live.iops[IOB_TRIM] = 1;
	cr_assert_not_null(strstr(shown(), "[t=1024B/s][t=1 IOPS]"), "%s", line);
}

Test(fio_eta, says_what_rates_the_jobs_are_held_to)
{
	live.rate_iops = 6000;
	cr_assert_not_null(strstr(shown(), "Jobs: 3 (f=4), 0-6000 IOPS: ["), "%s", line);
	live.rate = 4 << 20;
	cr_assert_not_null(strstr(shown(), "Jobs: 3 (f=4), 0B/s-4096KiB/s: ["), "%s", line);
}

Test(fio_eta, says_no_more_than_it_knows)
{
	live.eta_s = IOB_FIO_ETA_UNKNOWN;
	cr_assert_str_eq(shown(), "Jobs: 3 (f=4)");
	live.eta_s = 9;
	live.ramping = 3;
	cr_assert_not_null(strstr(shown(), "[-.-%]"), "%s", line);
}

Test(fio_eta, a_line_that_is_too_long_is_cut)
{
	char small[16];

	iob_fio_live_line(small, sizeof(small), &live);
	cr_assert_str_eq(small, "Jobs: 3 (f=4): ");
}

Test(fio_eta, writes_times_as_fio)
{
	char text[64];

	cr_assert_str_eq(iob_fio_eta_text(text, sizeof(text), 0), "00m:00s");
	cr_assert_str_eq(iob_fio_eta_text(text, sizeof(text), 3723), "01h:02m:03s");
	cr_assert_str_eq(iob_fio_eta_text(text, sizeof(text), 86400 + 61), "01d:00h:01m:01s");
}
