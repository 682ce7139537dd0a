/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "result/compare.h"
#include "ui/fmt.h"

#define SCALE    30.0 /* per cent at the end of a bar */
#define MOST_BAR 61

struct compare {
	struct iob_lines *lines;
	const struct iob_comparison *c;
	int bar; /* cells, odd */
};

/* Lower to the left, higher to the right of the middle. */
static void draw_bar(char *buf, int cols, double percent)
{
	int half = cols / 2;
	int n = (int)lround(fmin(fabs(percent), SCALE) / SCALE * half);

	memset(buf, ' ', (size_t)cols);
	buf[half] = '|';
	for (int i = 1; i <= n; i++)
		buf[percent < 0 ? half - i : half + i] = percent < 0 ? '<' : '>';
	buf[cols] = '\0';
}

static void put_value(char *buf, size_t n, const struct iob_compare_row *row, double value)
{
	switch (row->unit) {
	case IOB_COMPARE_COUNT:
		iob_format_count(buf, n, value);
		break;
	case IOB_COMPARE_BANDWIDTH:
		iob_fmt_mib(buf, n, value);
		break;
	case IOB_COMPARE_LATENCY:
		iob_fmt_micros(buf, n, (uint64_t)value);
		break;
	default:
		snprintf(buf, n, "%.0f", value);
	}
}

/* A is what was done now, B what it is compared with. */
static void add_row(const struct compare *c, const struct iob_compare_row *row)
{
	static const char *const suffix[] = {
		[IOB_COMPARE_LATENCY] = " us", [IOB_COMPARE_PERCENT] = " %"};
	static const struct {
		enum iob_role role;
		char mark;
	} looks[] = {
		[IOB_COMPARE_SAME] = {IOB_ROLE_NORMAL, ' '},
		[IOB_COMPARE_NOISE] = {IOB_ROLE_NORMAL, ' '},
		[IOB_COMPARE_OTHER] = {IOB_ROLE_NORMAL, ' '},
		[IOB_COMPARE_BETTER] = {IOB_ROLE_OK, '+'},
		[IOB_COMPARE_WORSE] = {IOB_ROLE_ERROR, '!'},
	};
	enum iob_compare_verdict verdict = iob_comparison_judge(c->c, row, 1);
	const char *unit = row->unit == IOB_COMPARE_COUNT || row->unit == IOB_COMPARE_BANDWIDTH
				   ? ""
				   : suffix[row->unit];
	char name[48], a[24], b[24], change[24], bar[MOST_BAR + 1];

	snprintf(name, sizeof(name), "%s%s",
		row->unit == IOB_COMPARE_BANDWIDTH ? "MiB/s" : row->name, unit);
	put_value(a, sizeof(a), row, row->value[1]);
	put_value(b, sizeof(b), row, row->value[0]);
	draw_bar(bar, c->bar, iob_comparison_change(row, 1));
	iob_lines_add(c->lines, looks[verdict].role, "%-14s %9s %9s %8s %c [%s]%s", name, a, b,
		iob_fmt_change(change, sizeof(change), row->value[0], row->value[1]),
		looks[verdict].mark, bar, verdict == IOB_COMPARE_NOISE ? " ~" : "");
}

static void differ(void *self, const char *what, const char *b, const char *a)
{
	struct iob_lines *lines = self;

	iob_lines_add(lines, IOB_ROLE_WARN, "differs: %-12s A %.80s   B %.80s", what,
		a[0] ? a : "-", b[0] ? b : "-");
}

static void add_settings(struct compare *c)
{
	bool same = iob_comparison_settings(c->c, 1, differ, c->lines);

	iob_comparison_places(c->c, 1, differ, c->lines);
	iob_lines_add(c->lines, same ? IOB_ROLE_LABEL : IOB_ROLE_WARN, "Same settings? %s",
		same ? "yes" : "no: see above");
}

void iob_compare_lines(
	struct iob_lines *lines, const struct iob_result *a, const struct iob_result *b, int cols)
{
	const struct iob_result *runs[2] = {b, a};
	struct iob_comparison comparison;
	struct compare c = {.lines = lines, .c = &comparison};
	int empty = iob_comparison_make(&comparison, runs, 2);

	if (empty >= 0) {
		iob_lines_add(lines, IOB_ROLE_WARN, "run %s has measured nothing",
			empty == 0 ? "B" : "A");
		return;
	}
	c.bar = cols - 54 < MOST_BAR ? cols - 54 : MOST_BAR;
	c.bar = c.bar < 9 ? 9 : c.bar - !(c.bar % 2);
	iob_lines_add(lines, IOB_ROLE_HEAD, "%-14s %9s %9s %8s   -%.0f%% ... +%.0f%%", "", "A", "B",
		"A vs B", SCALE, SCALE);
	for (unsigned i = 0; i < comparison.nrows; i++)
		add_row(&c, &comparison.row[i]);
	iob_lines_add(lines, IOB_ROLE_LABEL,
		"~ within the spread of either run (%.1f %%): repeat before believing it",
		fmax(0, iob_comparison_noise(&comparison, 1)));
	add_settings(&c);
}
