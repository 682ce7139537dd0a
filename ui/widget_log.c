/* SPDX-License-Identifier: MIT */
/* The lines below the panels: figures in words, status, hints. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/fmt.h"
#include "ui/lines.h"
#include "ui/widget.h"

void iob_draw_numbers(struct iob_canvas *c, struct iob_rect r, const struct iob_model *m)
{
	const struct iob_segment_figures *now = &m->shown.view.now;
	char iops[24], mib[24], p99[24], max[24];

	iob_canvas_printf(c, r, 0, 0, IOB_ROLE_VALUE, "IOPS %s  p99 %s  %s MiB/s",
		iob_format_count(iops, sizeof(iops), now->all.iops),
		iob_format_latency(p99, sizeof(p99), now->all.lat.percentile_ns[IOB_P99]),
		iob_fmt_mib(mib, sizeof(mib), now->all.bw));
	iob_canvas_printf(c, r, 1, 0, IOB_ROLE_NORMAL, "rd %s/s  wr %s/s  max %s",
		iob_format_count(iops, sizeof(iops), now->dir[IOB_READ].iops),
		iob_format_count(mib, sizeof(mib), now->dir[IOB_WRITE].iops),
		iob_format_latency(max, sizeof(max), now->all.lat.max_ns));
	iob_canvas_printf(c, r, 2, 0, IOB_ROLE_NORMAL, "in flight %llu  disk busy %.0f%%",
		(unsigned long long)m->shown.in_flight, m->shown.view.disk.util);
}

static void against_base(char *buf, size_t n, const struct iob_model *m)
{
	const struct iob_figures *a = &m->base.all, *b = &m->shown.view.segment.all;
	char iops[16], p99[16];

	snprintf(buf, n, "vs base: IOPS %s p99 %s ",
		iob_fmt_change(iops, sizeof(iops), a->iops, b->iops),
		iob_fmt_change(p99, sizeof(p99), (double)a->lat.percentile_ns[IOB_P99],
			(double)b->lat.percentile_ns[IOB_P99]));
}

/* At the right end, if what stands at the left leaves the room. */
static void draw_health(struct iob_canvas *c, struct iob_rect r, int x, const struct iob_model *m)
{
	char text[96];

	if (m->frozen_ns)
		snprintf(text, sizeof(text), "FROZEN %.0f s ",
			(double)(m->now_ns - m->frozen_ns) / 1e9);
	else if (m->slow_terminal)
		snprintf(text, sizeof(text), "slow terminal ");
	else if (m->has_base)
		against_base(text, sizeof(text), m);
	else if (m->shown.view.segment.depth > 0 && m->shown.phase == IOB_PHASE_RUNNING)
		snprintf(text, sizeof(text), "depth %.1f  cpu %.0f%% ", m->shown.view.segment.depth,
			m->shown.view.segment.cpu * 100);
	else
		return;
	if (x + (int)iob_text_width(text) + 1 > r.cols)
		return;
	bool bad = m->frozen_ns || m->slow_terminal;
	iob_canvas_right(c, r, 0, r.cols, bad ? IOB_ROLE_WARN : IOB_ROLE_LABEL, text);
}

#define TOAST_ROWS 3

/* A text that is too long for its line takes those above, too: what it says matters more now. */
static int draw_wrapped(
	struct iob_canvas *c, struct iob_rect r, enum iob_role role, const char *text)
{
	struct iob_lines lines = {.count = 0};

	iob_lines_wrap(&lines, role, (size_t)r.cols - 2, "", text);
	int rows = lines.count < TOAST_ROWS ? (int)lines.count : TOAST_ROWS;
	rows = rows > r.y + 1 ? r.y + 1 : rows;
	struct iob_rect over = {r.y + 1 - rows, r.x, rows, r.cols};
	iob_canvas_fill(c, over, IOB_ROLE_NORMAL);
	for (int y = 0; y < rows; y++)
		iob_canvas_text(c, over, y, 1, role, lines.item[y].text);
	iob_lines_free(&lines);
	return r.cols;
}

int iob_draw_toast(struct iob_canvas *c, struct iob_rect r, const struct iob_toast *toast)
{
	static const enum iob_role roles[] = {
		IOB_ROLE_NORMAL, IOB_ROLE_OK, IOB_ROLE_WARN, IOB_ROLE_ERROR};
	char text[sizeof(toast->text) + 8];

	if (toast->level == IOB_TOAST_NONE || r.rows < 1)
		return 1;
	snprintf(text, sizeof(text), "%s%s", iob_toast_prefix(toast->level), toast->text);
	if ((int)iob_text_width(text) + 2 > r.cols && r.cols > 20)
		return draw_wrapped(c, r, roles[toast->level], text);
	return iob_canvas_text(c, r, 0, 1, roles[toast->level], text);
}

/* Long enough to be read. */
#define WARNING_NS UINT64_C(6000000000)

/* Each in its turn.  A run that is on is always too short so far: that is said at the end. */
static const struct iob_warning *warning_in_turn(const struct iob_model *m)
{
	const struct iob_warnings *w = &m->shown.warnings;
	const struct iob_warning *worth[IOB_MAX_WARNINGS];
	unsigned n = 0;

	for (unsigned i = 0; i < w->count; i++)
		if (strcmp(w->item[i].code, "SHORT") != 0)
			worth[n++] = &w->item[i];
	return n ? worth[m->now_ns / WARNING_NS % n] : NULL;
}

static bool is_silent(const struct iob_model *m)
{
	return iob_model_is_running(m) && m->snap.phase >= IOB_PHASE_LAYOUT && !m->snap.responding;
}

/* A warning is too long for a line: the first part of its sentence says what is wrong, the rest is
 * advice, which the summary has.  False if no part ends where it fits. */
static bool end_at_clause(char *text, size_t cols)
{
	char *end = NULL;

	for (char *p = strpbrk(text, ":;"); p; p = strpbrk(p + 1, ":;")) {
		char kept = *p;

		/* The code at the start is no part. */
		if (p < strchr(text, ' ') || p[1] != ' ')
			continue;
		*p = '\0';
		bool fits = iob_text_width(text) <= cols;
		*p = kept;
		if (!fits)
			break;
		end = p;
	}
	if (end)
		*end = '\0';
	return end != NULL;
}

static int draw_warning(struct iob_canvas *c, struct iob_rect r, const struct iob_warning *w)
{
	char text[300], cut[300];

	snprintf(text, sizeof(text), "%s: %s", w->code, w->text);
	if (r.cols < 3)
		return 0;
	if ((int)iob_text_width(text) > r.cols - 2 && !end_at_clause(text, (size_t)r.cols - 2))
		iob_text_pad(cut, sizeof(cut), text, (size_t)r.cols - 2);
	else
		snprintf(cut, sizeof(cut), "%s", text);
	return iob_canvas_text(c, r, 0, 1, IOB_ROLE_WARN, cut);
}

void iob_draw_status(struct iob_canvas *c, struct iob_rect r, const struct iob_model *m)
{
	const struct iob_warning *warning = warning_in_turn(m);
	int x = iob_draw_toast(c, r, &m->toast);
	char text[96];

	if (m->toast.level == IOB_TOAST_NONE && m->snap.stop_requested && iob_model_is_running(m))
		x = iob_canvas_printf(c, r, 0, 1, IOB_ROLE_WARN,
			"stopping: %llu requests still out; Ctrl-C leaves at once",
			(unsigned long long)m->snap.in_flight);
	else if (m->toast.level == IOB_TOAST_NONE && is_silent(m))
		x = iob_canvas_text(c, r, 0, 1, IOB_ROLE_ERROR,
			"the load process gives no sign of life; figures go on when it does");
	else if (m->toast.level == IOB_TOAST_NONE && iob_sweep_drive_is_on(&m->drive))
		x = iob_canvas_text(c, r, 0, 1, IOB_ROLE_PENDING,
			iob_sweep_drive_text(text, sizeof(text), &m->drive, m->now_ns));
	else if (m->toast.level == IOB_TOAST_NONE && warning)
		x = draw_warning(c, r, warning);
	draw_health(c, r, x, m);
}

void iob_draw_hints(struct iob_canvas *c, struct iob_rect r, enum iob_screen screen)
{
	const char *word = NULL;
	char keys[24];
	int x = 1;

	for (size_t at = 0; (at = iob_keymap_hint(screen, at, keys, sizeof(keys), &word)) != 0;) {
		if (x + (int)(strlen(keys) + strlen(word)) + 1 > r.cols)
			return;
		x = iob_canvas_text(c, r, 0, x, IOB_ROLE_KEY, keys);
		/* Blanks in the same look: each change of it costs bytes. */
		x = iob_canvas_printf(c, r, 0, x, IOB_ROLE_LABEL, " %s  ", word);
	}
}
