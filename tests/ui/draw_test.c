/* SPDX-License-Identifier: MIT */
/* The dashboard, drawn by curses into a screen on /dev/null and read back. */
#include <config.h>

#include <criterion/criterion.h>
#include <curses.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tests/support/ui_source.h"
#include "ui/theme.h"
#include "ui/widget.h"

#define MOST_ROWS 64
#define MOST_COLS 256

static struct iob_fake fake;
static struct iob_model *m;
static char screen[MOST_ROWS][MOST_COLS * 4];
static FILE *null;

static void begin(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	unsetenv("LINES");
	unsetenv("COLUMNS");
	null = fopen("/dev/null", "r+");
	cr_assert_not_null(null);
	if (!newterm("xterm-256color", null, null))
		cr_skip_test("no terminfo entry for xterm-256color");
	iob_theme_init(true);
	iob_fake_open(&fake);
	m = calloc(1, sizeof(*m));
	m->plan = fake.plan;
	m->source = iob_fake_source(&fake);
}

static void end(void)
{
	endwin();
	fclose(null);
	iob_model_free(m);
	free(m);
	iob_fake_close(&fake);
}

TestSuite(draw, .init = begin, .fini = end, .timeout = 30);

static void read_back(int rows, int cols)
{
	wchar_t line[MOST_COLS + 1];

	for (int y = 0; y < rows; y++) {
		memset(screen[y], 0, sizeof(screen[y]));
		mvwinnwstr(curscr, y, 0, line, cols);
		wcstombs(screen[y], line, sizeof(screen[y]) - 1);
	}
}

static void draw(int rows, int cols, enum iob_glyphs glyphs)
{
	struct iob_canvas c = {.win = stdscr, .glyphs = glyphs};

	resizeterm(rows, cols);
	erase();
	iob_draw_dashboard(&c, m, rows, cols);
	refresh();
	read_back(rows, cols);
}

static void dump(int rows)
{
	for (int y = 0; y < rows; y++)
		fprintf(stderr, "%2d|%s\n", y, screen[y]);
}

static int has(int y, const char *text)
{
	if (strstr(screen[y], text))
		return 1;
	fprintf(stderr, "row %d lacks \"%s\"\n", y, text);
	dump(24);
	return 0;
}

/* 100 s of running with a change at the 60th second. */
static void run(void)
{
	fake.now_ms = 60000;
	iob_model_update(m, 1000 * IOB_NS_PER_S);
	iob_model_act(m, IOB_ACT_DEPTH_UP, 1000 * IOB_NS_PER_S);
	iob_model_update(m, 1001 * IOB_NS_PER_S);
	fake.now_ms = 100000;
	iob_model_update(m, 1040 * IOB_NS_PER_S);
}

Test(draw, the_standard_console_shows_everything)
{
	run();
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(0, " nvme1n1 KIOXIA CM7-R 3.5TiB | MIXED | RUN 01:40/05:00"));
	cr_assert(has(0, "err 0"));
	cr_assert(has(1, " QD 64  BS 4k  RW randrw  RD 70%  JOBS 4  CAP off"));
	cr_assert(has(2, "+- IOPS rd+wr "));
	cr_assert(has(2, "1 s/col  now 120k  seg 120k  peak 120k"));
	cr_assert(has(3, " 150k|"));
	cr_assert(has(10, "    0|"));
	cr_assert(has(11, "now|"));
	cr_assert(has(12, " a "));
	cr_assert(has(14, "+- Latency "));
	cr_assert(has(14, "seg a 40 s"));
	cr_assert(has(14, "+- Disk (kernel) "));
	cr_assert(has(15, " us m=ms  p50   p90   p99 p99.9   max    /s"));
	cr_assert(has(16, "rd now"));
	cr_assert(has(17, "rd seg"));
	cr_assert(has(18, "wr now"));
	cr_assert(has(19, "wr seg"));
	cr_assert(has(16, "84.0k"));
	cr_assert(has(15, "busy"));
	cr_assert(has(15, " 98%"));
	cr_assert(has(19, "kernel vs app requests +0.4%"));
	cr_assert(has(21, "a 01:00 qd 32>64: IOPS +20% MiB/s +20% p99 +100%"));
	cr_assert(has(23, "[ ] qd  { } bs  < > rd%  p pause"));
	cr_assert(has(23, "? help  q quit  v V view"));
}

Test(draw, the_change_has_a_line_in_the_empty_cells_above_its_letter)
{
	run();
	draw(24, 80, IOB_GLYPHS_ASCII);
	const char *letter = strchr(screen[12] + 1, 'a');

	cr_assert_not_null(letter);
	ptrdiff_t x = letter - screen[12];
	cr_assert_eq(screen[3][x], '\'');
	cr_assert_eq(screen[9][x], '|');
	/* The graph is 72 wide and ends in the 100th second; the change was in the 60th. */
	cr_assert_eq(x, 1 + 6 + 72 - 40);
}

Test(draw, a_staged_change_is_seen_in_the_strip)
{
	run();
	iob_model_act(m, IOB_ACT_DEPTH_UP, 1040 * IOB_NS_PER_S);
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(1, "QD[64>128]"));
	cr_assert(has(1, "in 0.4 s, Esc cancels"));
}

Test(draw, a_large_terminal_gets_a_second_graph_and_a_box_of_changes)
{
	run();
	draw(40, 120, IOB_GLYPHS_BLOCK);
	int found = 0;
	for (int y = 0; y < 40; y++) {
		found |= strstr(screen[y], "─ p99 latency rd") ? 1 : 0;
		found |= strstr(screen[y], "─ Changes ") ? 2 : 0;
		found |= strstr(screen[y], "p99.99") ? 4 : 0;
		found |= strstr(screen[y], "█") ? 8 : 0;
	}
	if (found != 15)
		dump(40);
	cr_assert_eq(found, 15);
}

Test(draw, a_small_terminal_has_a_graph_without_boxes)
{
	run();
	draw(16, 60, IOB_GLYPHS_ASCII);
	cr_assert(has(0, "RUN 01:40/05:00"));
	cr_assert(has(1, "QD 64"));
	cr_assert(has(2, "|"));
	cr_assert(has(15, "[ ] qd"));
	for (int y = 0; y < 16; y++)
		cr_assert_null(strstr(screen[y], "+-- "), "a box in row %d", y);
}

Test(draw, every_size_down_to_one_cell_is_drawn_without_harm)
{
	run();
	for (int rows = 1; rows <= 30; rows++)
		for (int cols = 1; cols <= 100; cols += 7)
			draw(rows, cols, IOB_GLYPHS_BRAILLE);
	draw(1, 20, IOB_GLYPHS_ASCII);
	cr_assert(has(0, "IOPS 120k"));
	draw(8, 50, IOB_GLYPHS_ASCII);
	cr_assert(has(1, "QD 64"));
	cr_assert(has(2, "IOPS 120k"));
}

Test(draw, ascii_means_no_byte_above_127)
{
	run();
	draw(40, 120, IOB_GLYPHS_ASCII);
	for (int y = 0; y < 40; y++)
		for (const char *p = screen[y]; *p; p++)
			cr_assert_eq(*p & 0x80, 0, "row %d: %s", y, screen[y]);
}

Test(draw, laying_out_shows_how_far_it_is)
{
	fake.phase = IOB_PHASE_LAYOUT;
	fake.layout_done = 1 << 29;
	fake.layout_total = 1 << 30;
	iob_model_update(m, 1000 * IOB_NS_PER_S);
	draw(24, 80, IOB_GLYPHS_ASCII);
	int found = 0;
	for (int y = 3; y < 13; y++)
		found |= strstr(screen[y], "512MiB of 1GiB") ? 1
			 : strstr(screen[y], " 50%")         ? 2
							     : 0;
	if (found != 3)
		dump(24);
	cr_assert_eq(found, 3);
}

Test(draw, errors_stand_in_the_title_and_a_refusal_in_the_status_line)
{
	run();
	iob_toast_say(&m->toast, IOB_TOAST_ERROR, 0, "no consent for writing");
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(22, "ERR: no consent for writing"));
	iob_toast_say(&m->toast, IOB_TOAST_ERROR, 0,
		"a text that is far too long for the one line that it has on a screen of eighty "
		"columns is seen to its end");
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(21, "ERR: a text that is far"));
	cr_assert(has(22, "is seen to its end"));
}

Test(draw, a_long_warning_ends_where_a_part_of_its_sentence_does)
{
	run();
	m->toast.level = IOB_TOAST_NONE;
	iob_warning_add(&m->shown.warnings, "FOREIGN",
		"The disk read 12.3GiB while we read 8.1GiB: other programs (or the file system "
		"itself) used it; stop them.");
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(22, "FOREIGN: The disk read 12.3GiB while we read 8.1GiB  "));
}

/* They take turns, so that each is seen and none flickers. */
Test(draw, several_warnings_have_the_line_in_turn)
{
	run();
	m->toast.level = IOB_TOAST_NONE;
	iob_warning_add(&m->shown.warnings, "SHORT", "Never shown while it runs.");
	iob_warning_add(&m->shown.warnings, "ONE", "The first.");
	iob_warning_add(&m->shown.warnings, "TWO", "The second.");
	m->now_ns = UINT64_C(12000000000);
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(22, "ONE: The first."));
	m->now_ns += UINT64_C(5999999999);
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(22, "ONE: The first."));
	m->now_ns++;
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(22, "TWO: The second."));
}

Test(draw, views_change_the_graph)
{
	run();
	iob_model_act(m, IOB_ACT_VIEW_NEXT, 0);
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(2, "MiB/s rd+wr"));
	cr_assert(has(2, "now 469"));
	iob_model_act(m, IOB_ACT_VIEW_NEXT, 0);
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(2, "p50 latency rd"));
	iob_model_act(m, IOB_ACT_VIEW_NEXT, 0);
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(2, "p99 latency rd, worst 0.1 s"));
	cr_assert(has(3, "us|"));
}

static int found_on(int rows, const char *text)
{
	for (int y = 0; y < rows; y++)
		if (strstr(screen[y], text))
			return 1;
	fprintf(stderr, "nowhere: \"%s\"\n", text);
	dump(rows);
	return 0;
}

Test(draw, the_heat_map_has_a_row_for_each_band_of_latencies)
{
	run();
	m->view = IOB_METRIC_HEAT;
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(2, "latency heat map"));
	/* 99 in 100 at 100 us, one at 1 ms. */
	cr_assert(found_on(12, "@@@@@@"));
	cr_assert(found_on(12, "......") || found_on(12, "::::::"));
}

Test(draw, the_jobs_have_a_line_each)
{
	run();
	fake.workers = 4;
	iob_model_update(m, 1041 * IOB_NS_PER_S);
	draw(40, 120, IOB_GLYPHS_ASCII);
	cr_assert(found_on(40, "- Jobs -"));
	cr_assert(found_on(40, "   3  12%    25.0k     310        64"));
}

Test(draw, a_frozen_table_of_jobs_stands_still)
{
	run();
	fake.workers = 4;
	iob_model_update(m, 1041 * IOB_NS_PER_S);
	draw(40, 120, IOB_GLYPHS_ASCII);
	iob_model_act(m, IOB_ACT_FREEZE, 1041 * IOB_NS_PER_S);
	fake.workers = 0;
	iob_model_update(m, 1042 * IOB_NS_PER_S);
	draw(40, 120, IOB_GLYPHS_ASCII);
	cr_assert(found_on(40, "   3  12%    25.0k     310        64"));
}

Test(draw, a_fixed_axis_marks_what_is_above_it)
{
	run();
	m->yaxis = IOB_YAXIS_FIXED;
	m->axis[0][IOB_METRIC_IOPS].top = 110000;
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(2, "IOPS rd+wr, y fixed"));
	cr_assert(has(3, " 110k|"));
	cr_assert(has(3, "^^^"));
}

Test(draw, the_table_grows_with_the_screen)
{
	run();
	draw(40, 120, IOB_GLYPHS_ASCII);
	cr_assert(found_on(40, "rd 10s"));
	draw(60, 200, IOB_GLYPHS_ASCII);
	cr_assert(found_on(60, "rd run"));
	iob_model_act(m, IOB_ACT_BASELINE, 0);
	draw(60, 200, IOB_GLYPHS_ASCII);
	cr_assert(found_on(60, "wr base"));
}

Test(draw, marks_stand_on_the_time_axis_and_among_the_changes)
{
	run();
	iob_model_mark(m, 90000, "fan off", 0);
	m->toast.level = IOB_TOAST_NONE;
	draw(40, 120, IOB_GLYPHS_ASCII);
	cr_assert(found_on(40, "! 01:30 fan off"));
	cr_assert(found_on(40, "!         "));
}

Test(draw, an_enlarged_panel_has_the_screen_and_a_hidden_one_is_gone)
{
	run();
	iob_model_act(m, IOB_ACT_PANEL_2, 0);
	draw(24, 80, IOB_GLYPHS_ASCII);
	for (int y = 0; y < 24; y++)
		cr_assert_null(strstr(screen[y], "- Latency"));
	/* No room for the jobs here: the key enlarges them. */
	iob_model_act(m, IOB_ACT_PANEL_4, 0);
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(2, "- Jobs -"));
	cr_assert(has(21, "---+"));
	iob_model_act(m, IOB_ACT_CANCEL, 0);
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(2, "IOPS rd+wr"));
}

Test(draw, a_logarithmic_axis_says_so)
{
	run();
	m->yaxis = IOB_YAXIS_LOG;
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(2, "IOPS rd+wr, y log"));
	cr_assert(has(3, " 150k|"));
	cr_assert(has(10, "  150|"));
}

Test(draw, a_sweep_moves_the_newest_column_and_nothing_else)
{
	char before[64][MOST_COLS * 4];
	int differ = 0;

	run();
	m->sweep = true;
	draw(24, 80, IOB_GLYPHS_ASCII);
	memcpy(before, screen, sizeof(before));
	fake.now_ms += 2000;
	iob_model_update(m, 1042 * IOB_NS_PER_S);
	draw(24, 80, IOB_GLYPHS_ASCII);
	for (int y = 3; y < 11; y++)
		for (int x = 7; x < 79; x++)
			differ += before[y][x] != screen[y][x];
	cr_assert_leq(differ, 3 * 8);
	cr_assert_gt(differ, 0);
}

Test(draw, panning_shows_the_past)
{
	run();
	m->panels.focus = IOB_PANEL_GRAPH;
	iob_model_act(m, IOB_ACT_LEFT, 0);
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(11, "-10s|"));
	iob_model_act(m, IOB_ACT_CANCEL, 0);
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(11, "now|"));
}

Test(draw, a_large_table_of_latencies_shows_how_they_are_spread)
{
	run();
	m->panels.focus = IOB_PANEL_LATENCY;
	iob_model_act(m, IOB_ACT_ENLARGE, 0);
	draw(40, 120, IOB_GLYPHS_ASCII);
	cr_assert(found_on(40, "share of the last 10 s"));
	cr_assert(found_on(40, " 99.000%"));
	cr_assert(found_on(40, "  1.000%"));
}

Test(draw, the_time_left_counts_all_stages)
{
	run();
	m->shown.nstages = 2;
	m->shown.remaining_ns = 260 * IOB_NS_PER_S;
	draw(24, 80, IOB_GLYPHS_ASCII);
	cr_assert(has(0, "RUN 1/2 01:40/05:00 04:20 left"));
}
