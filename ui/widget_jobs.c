/* SPDX-License-Identifier: MIT */
/* A line for each worker: what it did in the last full second. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

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

void iob_draw_jobs(struct iob_canvas *c, struct iob_rect r, const struct iob_model *m)
{
	struct iob_rect inside = iob_rect_inside(r);
	int lines = inside.rows - 1;
	unsigned n = 0, first = (unsigned)m->first_job, count = m->shown.workers;
	struct iob_run_worker *w = calloc(count ? count : 1, sizeof(*w));
	char right[48] = "";

	if (w && m->source.workers)
		n = m->source.workers(m->source.self, w, count);
	n = n < count ? n : count;
	if ((int)n <= lines)
		first = 0;
	else if (first > n - (unsigned)lines)
		first = n - (unsigned)lines;
	iob_canvas_printf(c, inside, 0, 1, IOB_ROLE_LABEL, "%4s %4s %8s %7s %9s", "job", "cpu",
		"IOPS", "p99 us", "in flight");
	for (int y = 0; y < lines && first + (unsigned)y < n; y++)
		draw_worker(c, inside, y + 1, first + (unsigned)y, &w[first + (unsigned)y]);
	if ((int)n > lines)
		snprintf(
			right, sizeof(right), "%u-%u of %u", first, first + (unsigned)lines - 1, n);
	else
		snprintf(right, sizeof(right), "%u, last full second", n);
	iob_canvas_box(c, r, "Jobs", right);
	free(w);
}
