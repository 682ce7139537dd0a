/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "result/result.h"
#include "result/text_page.h"
#include "support/sample_result.h"

static struct iob_result result;

static void set_up(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	setenv("TZ", "UTC", 1);
	iob_sample_result(&result);
}

static void tear_down(void)
{
	iob_result_free(&result);
}

static char *report(const struct iob_result *r)
{
	struct iob_error err = {0};
	char *buf = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&buf, &size);

	cr_assert_eq(iob_report_text(r, f, &err), 0, "%s", err.text);
	cr_assert_eq(fclose(f), 0);
	return buf;
}

static void expect(const char *text, const char *part)
{
	cr_expect_not_null(strstr(text, part), "\"%s\" is not in:\n%s", part, text);
}

static void expect_not(const char *text, const char *part)
{
	cr_expect_null(strstr(text, part), "\"%s\" is in:\n%s", part, text);
}

static void expect_narrow(char *text)
{
	char *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		cr_expect_leq(iob_text_width(line), 80, "%s", line);
		cr_expect_null(strchr(line, '\t'), "%s", line);
		cr_expect(line[0] == '\0' || line[strlen(line) - 1] != ' ', "'%s'", line);
	}
}

TestSuite(text_report, .init = set_up, .fini = tear_down, .timeout = 10);

Test(text_report, says_what_was_measured_on_what)
{
	char *text = report(&result);

	expect(text, "iotop-bench 0.1.0");
	expect(text, "2026-09-21 14:13:20 UTC");
	expect(text, "/srv/data/file with blanks");
	expect(text, "on ext4 at /srv");
	expect(text, "nvme0n1, Sample \xc3\xa9lite 1TB");
	expect(text, "io_uring (fixedbufs registerfiles); direct I/O, opened for writing");
	expect(text, "console, Linux 6.1.0-test");
	expect(text, "profile mixed: random reads and writes (70% reads) of 4k");
	expect(text, "rw=randrw");
	expect(text, "--randseed=18446744073709551557");
	expect(text, "complete, 5.0 s");
	expect_narrow(text);
	free(text);
}

Test(text_report, has_headline_latencies_and_disk)
{
	char *text = report(&result);

	expect(text, "\nread ");
	expect(text, "\nwrite ");
	expect_not(text, "\ntrim ");
	expect(text, "p99.99     max\nread ");
	expect(text, "configured 64..128 (2 workers)");
	expect(text, "util 95.5%");
	expect(text, "aqu-sz 30.0");
	expect(text, "read: ");
	expect(text, "(100.0%)");
	expect(text, "STALL     nothing came back");
	expect(text, "limit     the device: 97 % of 410us");
	free(text);
}

Test(text_report, lists_segments_with_their_effect)
{
	char *text = report(&result);

	expect(text, "\nsegments");
	expect(text, "+25%"); /* 50 % more in five sixths of the time */
	free(text);
	result.nsegments = 1;
	text = report(&result);
	expect_not(text, "segments");
	free(text);
}

Test(text_report, draws_the_stall_as_a_gap)
{
	char *text = report(&result);
	char *row = strstr(text, " |#####");

	cr_assert_not_null(row, "%s", text);
	/* The lowest row is the last one before the axis. */
	for (char *next; (next = strstr(row + 1, " |####")) != NULL;)
		row = next;
	cr_expect_eq(strncmp(row + 2 + 30, "     #", 6), 0, "%.*s", 60, row);
	cr_expect_eq(row[2 + 29], '#', "%.*s", 60, row);
	free(text);
}

Test(text_report, lists_the_marks)
{
	cr_assert(iob_marks_add(&result.marks, 61500, "fan off"));
	char *text = report(&result);

	cr_expect_not_null(strstr(text, "\nmarks\n01:01"), "%s", text);
	cr_expect_not_null(strstr(text, "fan off\n"), "%s", text);
	free(text);
}

Test(text_report, of_large_blocks_draws_the_bytes)
{
	char *text = report(&result);

	cr_expect_not_null(strstr(text, " IOPS 0 +---"), "%s", text);
	free(text);
	for (size_t i = 0; i < result.nintervals; i++)
		for (int d = 0; d < IOB_NDIR; d++)
			result.interval[i].dir[d].bytes *= 256;
	text = report(&result);
	cr_expect_not_null(strstr(text, "MiB/s 0 +---"), "%s", text);
	free(text);
}

Test(text_report, marks_percentiles_with_few_samples)
{
	char *text = report(&result);

	expect(text, "~");
	expect(text, "fewer than ten samples");
	free(text);
	for (int d = 0; d < IOB_NDIR; d++)
		result.stage[0].figures.dir[d].lat.thin = 0;
	text = report(&result);
	expect_not(text, "fewer than ten samples");
	free(text);
}

static struct iob_latency late(uint64_t n)
{
	struct iob_latency lat = {.n = n, .min_ns = 70000, .max_ns = 612000000, .mean_ns = 2e8};

	for (int i = 0; i < IOB_NPERCENTILES; i++)
		lat.percentile_ns[i] = 600000000;
	return lat;
}

Test(text_report, with_a_rate_shows_latency_from_the_intended_times)
{
	struct iob_segment_figures *s = &result.stage[0].figures;
	struct iob_job *job = &result.plan->stage[0];

	job->rate_iops[IOB_READ] = job->rate_iops[IOB_WRITE] = 500;
	s->dir[IOB_READ].intended = late(100);
	s->all.intended = late(100);
	s->behind_ns = 1500000000;
	char *text = report(&result);
	expect(text, "reads at 500 IOPS and writes at 500 IOPS per worker");
	expect(text, "\nread* ");
	expect_not(text, "\nwrite* ");
	expect(text, "* from the intended times of rate_iops");
	expect(text, "behind at the end");
	expect_not(text, "70% reads");
	expect_narrow(text);
	free(text);
	job->rate_iops[IOB_WRITE] = 0;
	job->rate_process = IOB_RATE_POISSON;
	text = report(&result);
	expect(text, "writes as fast as they go per worker");
	free(text);
}

Test(text_report, of_a_failed_run_says_first_what_went_wrong)
{
	result.outcome = IOB_OUTCOME_LOST;
	result.unfinished = 12;
	result.total.all.errors = 5;
	iob_fail(&result.error, -EIO, "write /dev/sdx at 4096: %m");
	char *text = report(&result);

	expect(text, "write /dev/sdx at 4096: Input/output error");
	expect(text, "FAILED");
	expect(text, "5 I/Os failed");
	cr_expect_lt(strstr(text, "Input/output"), strstr(text, "\nread "));
	expect_narrow(text);
	free(text);
}

Test(text_report, counts_what_never_came_back)
{
	result.outcome = IOB_OUTCOME_ABANDONED;
	result.unfinished = 12;
	char *text = report(&result);

	expect(text, "12 I/Os never came back");
	free(text);
}

Test(text_report, of_a_run_that_knows_nothing_is_still_a_report)
{
	struct iob_result empty = {0};

	empty.plan = calloc(1, sizeof(*empty.plan));
	empty.stage = calloc(1, sizeof(*empty.stage));
	empty.nstages = empty.plan->nstages = 1;
	iob_job_defaults(&empty.plan->stage[0]);
	empty.outcome = IOB_OUTCOME_FAILED;
	iob_fail(&empty.error, -ENODEV, "open: %m");
	char *text = report(&empty);
	expect(text, "No I/O was measured.");
	expect(text, "No such device");
	free(text);
	iob_result_free(&empty);
}

Test(text_report, wraps_words_beside_the_label)
{
	char *buf = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&buf, &size);

	iob_page_field(f, "label", "%s",
		"aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj kkkk llll mmmm nnnn\toooo pppp");
	fclose(f);
	cr_expect_str_eq(buf, "label     aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj kkkk "
			      "llll mmmm\n          nnnn oooo pppp\n");
	free(buf);
}

Test(text_report, a_long_label_keeps_its_distance)
{
	char *buf = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&buf, &size);

	iob_page_field(f, "SMALLQUEUE", "%s", "2048 requests");
	fclose(f);
	cr_expect_str_eq(buf, "SMALLQUEUE 2048 requests\n");
	free(buf);
}

Test(text_report, a_stream_that_fails_is_an_error)
{
	struct iob_error err = {0};
	FILE *f = fopen("/dev/full", "w");

	cr_assert_not_null(f);
	setvbuf(f, NULL, _IONBF, 0);
	cr_expect_lt(iob_report_text(&result, f, &err), 0);
	cr_expect_lt(iob_report_json(&result, f, &err), 0);
	fclose(f);
}

Test(text_report, names_failed_requests_by_kind_and_the_first_by_place)
{
	char *text = report(&result);

	expect(text, "failed    3 reads: EIO (Input/output error)");
	expect(text, "2 writes: ENOSPC (No space left on device), ignored");
	expect(text, "first     0.250 s, worker 1: read at offset 40960, 4096 bytes: EIO; as it");
	expect(text, "submitting was held back 1 times");
	expect_narrow(text);
	free(text);
}
