/* SPDX-License-Identifier: MIT */
/* A line for each worker: what it did in the last full second. */
#include <config.h>

#include <stdio.h>

#include "base/units.h"
#include "ui/fmt.h"
#include "ui/widget.h"

static void draw_worker(struct iob_canvas *c, struct iob_rect r, int y, unsigned number,
	const struct iob_run_worker *w)
{
	char iops[24], p99[24];

	iob_canvas_printf(c, r, y, 1, IOB_ROLE_NORMAL, "%4u %3.0f%% %8s %7s %9llu", number,
		w->view.cpu * 100, iob_format_count(iops, sizeof(iops), w->view.iops),
		iob_fmt_micros(p99, sizeof(p99), w->view.p99_ns), (unsigned long long)w->in_flight);
}

static const struct iob_worker_rows *rows_of(const struct iob_model *m)
{
	struct iob_worker_rows *rows = m->rows;

	if (rows && m->source.workers && !m->frozen_ns) {
		unsigned count = m->shown.workers < rows->room ? m->shown.workers : rows->room;
		unsigned n = m->source.workers(m->source.self, rows->worker, count);

		rows->count = n < count ? n : count;
	}
	return rows;
}

void iob_draw_jobs(struct iob_canvas *c, struct iob_rect r, const struct iob_model *m)
{
	struct iob_rect inside = iob_rect_inside(r);
	int lines = inside.rows - 1;
	const struct iob_worker_rows *rows = rows_of(m);
	unsigned n = rows ? rows->count : 0, first = (unsigned)m->first_job;
	char right[48] = "";

	if ((int)n <= lines)
		first = 0;
	else if (first > n - (unsigned)lines)
		first = n - (unsigned)lines;
	iob_canvas_printf(c, inside, 0, 1, IOB_ROLE_LABEL, "%4s %4s %8s %7s %9s", "job", "cpu",
		"IOPS", "p99 us", "in flight");
	for (int y = 0; y < lines && first + (unsigned)y < n; y++)
		draw_worker(
			c, inside, y + 1, first + (unsigned)y, &rows->worker[first + (unsigned)y]);
	if ((int)n > lines)
		snprintf(
			right, sizeof(right), "%u-%u of %u", first, first + (unsigned)lines - 1, n);
	else
		snprintf(right, sizeof(right), "%u, last full second", n);
	iob_canvas_box(c, r, "Jobs", right);
}
