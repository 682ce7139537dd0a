/* SPDX-License-Identifier: MIT */
/* Laws of the schedule; the clock is a number. */
#include <config.h>

#include <criterion/criterion.h>

#include "base/clock.h"
#include "load/pace.h"

#define HOUR_NS (3600 * IOB_NS_PER_S)
#define START   UINT64_C(123456789012345)

static const struct iob_pace_share alone = {0, 1};
static struct iob_job job;
static struct iob_pace pace;

static void begin(uint32_t rw, uint64_t read, uint64_t write, struct iob_pace_share share)
{
	const struct iob_live live = {.rw = rw, .rwmixread = 50, .rate_iops = {read, write, 0}};

	job.rw = rw;
	iob_pace_init(&pace, &job, 42, share.worker);
	iob_pace_start(&pace, &live, share, START);
}

/* Take all slots before the time; how many there were. */
static uint64_t take_until(enum iob_dir dir, uint64_t end_ns)
{
	uint64_t n = 0;

	while (pace.line[dir].next_ns < end_ns) {
		iob_pace_take(&pace, dir, 4096);
		n++;
	}
	return n;
}

Test(pace, an_hour_at_odd_rates_is_exact, .timeout = 30)
{
	static const uint64_t rates[] = {1, 3, 7, 333, 999, 1001, 3333, 7919};

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		begin(IOB_RW_RANDREAD, rates[i], 0, alone);
		cr_expect_eq(take_until(IOB_READ, START + HOUR_NS), 3600 * rates[i]);
		cr_expect_eq(pace.line[IOB_READ].next_ns, START + HOUR_NS, "%lu per second drift",
			(unsigned long)rates[i]);
	}
}

Test(pace, each_slot_is_where_the_law_puts_it, .timeout = 30)
{
	const uint64_t rate = 700001;

	begin(IOB_RW_RANDREAD, rate, 0, alone);
	for (uint64_t k = 0; k < 3 * rate; k++) {
		uint64_t exact = START + k * IOB_NS_PER_S / rate;

		cr_assert_eq(
			iob_pace_take(&pace, IOB_READ, 4096), exact, "slot %lu", (unsigned long)k);
	}
}

Test(pace, random_gaps_have_the_mean_and_the_spread_of_poisson, .timeout = 30)
{
	const uint64_t rate = 5000, n = 1000000;
	double sum = 0, squares = 0;
	uint64_t before;

	job.rate_process = IOB_RATE_POISSON;
	begin(IOB_RW_RANDREAD, rate, 0, alone);
	before = START;
	for (uint64_t i = 0; i < n; i++) {
		double gap = (double)(pace.line[IOB_READ].next_ns - before);

		before = iob_pace_take(&pace, IOB_READ, 4096);
		sum += gap;
		squares += gap * gap;
	}
	double mean = sum / (double)n, variance = squares / (double)n - mean * mean;
	cr_assert_float_eq(mean, 1e9 / (double)rate, 1e7 / (double)rate);
	cr_assert_float_eq(variance / (mean * mean), 1, 0.02);
}

Test(pace, the_same_seed_gives_the_same_gaps, .timeout = 10)
{
	uint64_t first[100];

	job.rate_process = IOB_RATE_POISSON;
	begin(IOB_RW_RANDREAD, 1000, 0, alone);
	for (int i = 0; i < 100; i++)
		first[i] = iob_pace_take(&pace, IOB_READ, 4096);
	begin(IOB_RW_RANDREAD, 1000, 0, alone);
	for (int i = 0; i < 100; i++)
		cr_assert_eq(iob_pace_take(&pace, IOB_READ, 4096), first[i]);
	begin(IOB_RW_RANDREAD, 1000, 0, (struct iob_pace_share){1, 2});
	cr_assert_neq(iob_pace_take(&pace, IOB_READ, 4096), first[0], "workers differ");
}

Test(pace, the_longest_waiting_slot_goes_first, .timeout = 10)
{
	uint64_t count[IOB_NDIR] = {0}, last = 0;

	begin(IOB_RW_RANDRW, 900, 300, alone);
	for (int i = 0; i < 12000; i++) {
		enum iob_dir dir = iob_pace_due(&pace, START + HOUR_NS);
		uint64_t intended = iob_pace_take(&pace, dir, 4096);

		cr_assert_geq(intended, last);
		last = intended;
		count[dir]++;
	}
	cr_assert_eq(count[IOB_READ], 9000);
	cr_assert_eq(count[IOB_WRITE], 3000);
}

Test(pace, a_direction_without_a_rate_goes_while_the_other_is_held, .timeout = 10)
{
	begin(IOB_RW_RANDRW, 0, 10, alone);
	cr_assert_eq(iob_pace_due(&pace, START), IOB_WRITE);
	cr_assert_eq(iob_pace_take(&pace, IOB_WRITE, 4096), START);
	cr_assert_eq(iob_pace_due(&pace, START), IOB_READ);
	cr_assert_eq(iob_pace_take(&pace, IOB_READ, 4096), 0);
	cr_assert_eq(iob_pace_due(&pace, START + IOB_NS_PER_S), IOB_WRITE);
}

Test(pace, a_direction_that_the_mix_leaves_out_does_not_go, .timeout = 10)
{
	const struct iob_live live = {
		.rw = IOB_RW_RANDRW, .rwmixread = 100, .rate_iops = {10, 0, 0}};

	begin(IOB_RW_RANDRW, 10, 0, alone);
	iob_pace_start(&pace, &live, alone, START);
	cr_assert_eq(iob_pace_due(&pace, START), IOB_READ);
	cr_assert_eq(iob_pace_take(&pace, IOB_READ, 4096), START);
	cr_assert_eq(iob_pace_due(&pace, START), IOB_NDIR);
}

Test(pace, a_rate_does_not_bring_back_what_the_mix_leaves_out, .timeout = 10)
{
	const struct iob_live live = {.rw = IOB_RW_RANDRW, .rate_bytes = {1 << 20, 1 << 20, 0}};

	begin(IOB_RW_RANDRW, 10, 10, alone);
	iob_pace_start(&pace, &live, alone, START);
	cr_assert_eq(iob_pace_due(&pace, START), IOB_WRITE);
	cr_assert_eq(iob_pace_take(&pace, IOB_WRITE, 4096), START);
	cr_assert_eq(iob_pace_due(&pace, START), IOB_NDIR, "reads go though rwmixread is 0");
}

Test(pace, a_direction_that_the_job_does_not_do_has_no_schedule, .timeout = 10)
{
	begin(IOB_RW_RANDREAD, 0, 10, alone);
	cr_assert_not(pace.on);
	begin(IOB_RW_RANDREAD, 10, 0, alone);
	cr_assert(pace.on);
	iob_pace_take(&pace, IOB_READ, 4096);
	cr_assert_eq(iob_pace_due(&pace, START), IOB_NDIR, "nothing is due");
}

Test(pace, workers_do_not_go_off_together, .timeout = 10)
{
	for (unsigned i = 0; i < 4; i++) {
		begin(IOB_RW_RANDREAD, 100, 0, (struct iob_pace_share){i, 4});
		cr_assert_eq(iob_pace_next_ns(&pace), START + i * 2500000);
	}
}

Test(pace, what_was_missed_stays_due_and_is_told, .timeout = 10)
{
	begin(IOB_RW_RANDREAD, 1000, 0, alone);
	cr_assert_eq(iob_pace_behind_ns(&pace, START + IOB_NS_PER_S), IOB_NS_PER_S);
	for (int i = 0; i < 1000; i++) {
		cr_assert_eq(iob_pace_due(&pace, START + IOB_NS_PER_S - 1), IOB_READ);
		iob_pace_take(&pace, IOB_READ, 4096);
	}
	cr_assert_eq(iob_pace_due(&pace, START + IOB_NS_PER_S - 1), IOB_NDIR);
	cr_assert_eq(iob_pace_behind_ns(&pace, START + IOB_NS_PER_S), 0);
}

Test(pace, a_rate_in_bytes_counts_the_length_of_each_request, .timeout = 30)
{
	static const uint64_t rates[] = {4097, 1000003, UINT64_C(1) << 40};
	static const uint32_t lengths[] = {512, 4096, 65536, UINT32_MAX - 511, 4608};

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		const struct iob_live live = {
			.rw = IOB_RW_RANDREAD, .rate_bytes = {rates[i], 0, 0}};
		uint64_t bytes = 0;

		job.rw = IOB_RW_RANDREAD;
		iob_pace_init(&pace, &job, 42, 0);
		iob_pace_start(&pace, &live, alone, START);
		for (size_t k = 0; k < sizeof(lengths) / sizeof(lengths[0]); k++) {
			uint64_t due = START + bytes / rates[i] * IOB_NS_PER_S +
				       bytes % rates[i] * IOB_NS_PER_S / rates[i];

			cr_expect_eq(iob_pace_take(&pace, IOB_READ, lengths[k]), due,
				"rate %lu, request %zu", (unsigned long)rates[i], k);
			bytes += lengths[k];
		}
	}
}
