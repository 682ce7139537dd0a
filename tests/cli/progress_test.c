/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <fcntl.h>
#include <locale.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/progress.h"

static struct iob_snapshot snap;

static void set_up(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	setlocale(LC_NUMERIC, "C");
	memset(&snap, 0, sizeof(snap));
	snap.phase = IOB_PHASE_RUNNING;
	snap.nstages = 1;
	snap.responding = true;
	snap.elapsed_ns = 3 * IOB_NS_PER_S;
	snap.duration_ns = 12 * IOB_NS_PER_S;
	snap.remaining_ns = 9 * IOB_NS_PER_S;
	snap.in_flight = 32;
	snprintf(snap.target.path, sizeof(snap.target.path), "/dev/sdx");
	snprintf(snap.engine, sizeof(snap.engine), "io_uring");
	snap.view.now.dir[IOB_READ].ios = 2140;
	snap.view.now.dir[IOB_READ].iops = 2140;
	snap.view.now.dir[IOB_READ].lat.percentile_ns[IOB_P99] = 412000;
	snap.view.now.all.bw = 5 << 20;
	snap.view.segment.dir[IOB_WRITE].issued = 1;
}

TestSuite(progress, .init = set_up, .timeout = 10);

static void expect(const char *text, const char *part)
{
	cr_expect_not_null(strstr(text, part), "\"%s\" is not in: %s", part, text);
}

Test(progress, line_has_state_share_rates_latency_and_time_left)
{
	char line[256];

	iob_progress_line(line, sizeof(line), &snap);
	expect(line, "[RUN]  25%");
	expect(line, "r 2140");
	expect(line, "w 0 IOPS"); /* a direction that stalls is a zero, not a gap */
	expect(line, "5.0 MiB/s");
	expect(line, "p99 412us");
	expect(line, "32 in flight");
	expect(line, "eta 00:09");
	cr_expect_leq(strlen(line), 80u);
}

Test(progress, line_without_limit_counts_up)
{
	char line[256];

	snap.duration_ns = 0;
	snap.remaining_ns = UINT64_MAX;
	iob_progress_line(line, sizeof(line), &snap);
	expect(line, "[RUN] 00:03");
	cr_expect_null(strstr(line, "eta"));
}

Test(progress, line_of_a_run_in_which_nothing_came_is_a_zero)
{
	char line[256];

	memset(&snap.view, 0, sizeof(snap.view));
	iob_progress_line(line, sizeof(line), &snap);
	expect(line, "  0 IOPS  0.0 MiB/s");
}

Test(progress, line_says_when_nothing_answers)
{
	char line[256];

	snap.responding = false;
	iob_progress_line(line, sizeof(line), &snap);
	expect(line, "NOT RESPONDING");
}

Test(progress, line_never_overruns_its_buffer)
{
	for (size_t n = 1; n < 120; n++) {
		char line[128];

		memset(line, 'x', sizeof(line));
		iob_progress_line(line, n, &snap);
		cr_expect_lt(strlen(line), n);
		cr_expect_eq(line[n], 'x');
	}
}

Test(progress, layout_shows_how_far_it_is)
{
	char line[256];

	snap.phase = IOB_PHASE_LAYOUT;
	snap.layout_done = UINT64_C(256) << 20;
	snap.layout_total = UINT64_C(1) << 30;
	iob_progress_line(line, sizeof(line), &snap);
	expect(line, "25%  256MiB of 1GiB");
}

/* What is written to a stream that is no terminal, one look each 100 ms over three seconds. */
Test(progress, plain_stream_gets_a_line_each_second)
{
	char *buf = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&buf, &size);
	struct iob_progress p;
	unsigned lines = 0;

	iob_progress_init(&p, f);
	for (uint64_t t = 0; t < 3000; t += 100)
		iob_progress_show(&p, &snap, (1000 + t) * IOB_NS_PER_MS);
	snap.phase = IOB_PHASE_DONE;
	snap.warnings.count = 1;
	snprintf(snap.warnings.item[0].code, sizeof(snap.warnings.item[0].code), "SHORT");
	snprintf(snap.warnings.item[0].text, sizeof(snap.warnings.item[0].text), "too short");
	iob_progress_show(&p, &snap, 5 * IOB_NS_PER_S);
	iob_progress_show(&p, &snap, 6 * IOB_NS_PER_S);
	iob_progress_end(&p);
	fclose(f);
	expect(buf, "iotop-bench: measuring /dev/sdx with io_uring, 12s; read only\n");
	expect(buf, "iotop-bench: warning SHORT: too short\n");
	cr_expect_null(strchr(buf, '\r'));
	for (const char *c = buf; *c; c++)
		lines += *c == '\n';
	cr_expect_eq(lines, 4u, "%s", buf);
	free(buf);
}

Test(progress, before_there_are_figures_there_is_no_line_of_them)
{
	char *buf = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&buf, &size);
	struct iob_progress p;

	snap.phase = IOB_PHASE_READY;
	iob_progress_init(&p, f);
	for (uint64_t t = 0; t < 3000; t += 100)
		iob_progress_show(&p, &snap, (1000 + t) * IOB_NS_PER_MS);
	iob_progress_end(&p);
	fclose(f);
	cr_expect_str_eq(buf, "");
	free(buf);
}

Test(progress, quiet_says_nothing)
{
	struct iob_progress p;

	iob_progress_init(&p, NULL);
	iob_progress_show(&p, &snap, IOB_NS_PER_S);
	iob_progress_end(&p);
}

/* The other end of a terminal of 40 columns. */
Test(progress, terminal_gets_one_line_that_is_written_again_and_cleared)
{
	struct winsize size = {.ws_row = 24, .ws_col = 40};
	int front, back;
	char got[4096];
	struct iob_progress p;

	cr_assert_eq(openpty(&front, &back, NULL, NULL, &size), 0);
	FILE *f = fdopen(back, "w");
	iob_progress_init(&p, f);
	cr_assert(p.terminal);
	for (uint64_t t = 1; t < 5; t++)
		iob_progress_show(&p, &snap, t * IOB_NS_PER_S);
	iob_progress_end(&p);
	fclose(f);
	size_t n = 0;
	for (ssize_t got_now; (got_now = read(front, got + n, sizeof(got) - 1 - n)) > 0;)
		n += (size_t)got_now;
	cr_assert_gt(n, 0u);
	got[n] = '\0';
	char *line = strchr(got, '\r');
	unsigned rows = 0;
	for (const char *c = got; *c; c++)
		rows += *c == '\n';
	cr_expect_eq(rows, 1u, "%s", got); /* "measuring ..." */
	cr_expect_not_null(line);
	unsigned column = 0;
	for (const char *c = got; *c; c++) {
		column = *c == '\r' || *c == '\n' ? 0 : column + 1;
		/* The announcement may be longer; the line may not. */
		if (c > strchr(got, '\n'))
			cr_expect_lt(column, 40u);
	}
	cr_expect_eq(got[n - 1], '\r');
	close(front);
}
