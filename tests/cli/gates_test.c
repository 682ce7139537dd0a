/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/gates.h"

static struct iob_segment_figures total;
static char said[2000];

static unsigned check(const struct iob_gates *gates)
{
	char *buf = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&buf, &size);
	unsigned missed = iob_gates_check(gates, &total, f);

	cr_assert_eq(fclose(f), 0);
	snprintf(said, sizeof(said), "%s", buf);
	free(buf);
	return missed;
}

static void set_up(void)
{
	memset(&total, 0, sizeof(total));
	total.all.ios = 1000;
	total.all.iops = 1000;
	total.all.bw = 4096000;
	total.dir[IOB_READ].lat.n = 700;
	total.dir[IOB_READ].lat.mean_ns = 100000.2;
	total.dir[IOB_READ].lat.percentile_ns[IOB_P99] = 200000;
	total.dir[IOB_WRITE].lat.n = 300;
	total.dir[IOB_WRITE].lat.mean_ns = 50000;
	total.dir[IOB_WRITE].lat.percentile_ns[IOB_P99] = 900000;
}

TestSuite(gates, .init = set_up, .timeout = 5);

Test(gates, none_given_none_missed)
{
	struct iob_gates gates = {0};

	cr_expect_eq(check(&gates), 0u);
	cr_expect_str_eq(said, "");
	total.all.ios = 0;
	cr_expect_eq(check(&gates), 0u);
}

Test(gates, limits_that_are_just_kept)
{
	struct iob_gates gates = {
		.min_iops = 1000, .min_bw = 4096000, .max_lat_ns = 100001, .max_p99_ns = 900000};

	cr_expect_eq(check(&gates), 0u, "%s", said);
}

Test(gates, each_missed_limit_has_its_line)
{
	struct iob_gates gates = {
		.min_iops = 1001, .min_bw = 4 << 20, .max_lat_ns = 100000, .max_p99_ns = 899999};

	cr_expect_eq(check(&gates), 4u);
	cr_expect_not_null(
		strstr(said, "iotop-bench: --min-iops=1001 was missed: IOPS were 1000\n"), "%s",
		said);
	cr_expect_not_null(strstr(said, "--min-bw=4m was missed: bandwidth was"), "%s", said);
	cr_expect_not_null(strstr(said, "--max-lat=100us was missed"), "%s", said);
	cr_expect_not_null(strstr(said, "p99 latency was 900us"), "%s", said);
}

Test(gates, the_slower_direction_counts)
{
	struct iob_gates gates = {.max_p99_ns = 500 * IOB_NS_PER_US};

	cr_expect_eq(check(&gates), 1u);
	total.dir[IOB_WRITE].lat.n = 0; /* nothing came: its figures mean nothing */
	cr_expect_eq(check(&gates), 0u);
}

Test(gates, latency_of_nothing_keeps_no_limit)
{
	struct iob_gates gates = {.max_p99_ns = IOB_NS_PER_S};

	memset(&total, 0, sizeof(total));
	cr_expect_eq(check(&gates), 1u);
	cr_expect_not_null(strstr(said, "no I/O"), "%s", said);
}
