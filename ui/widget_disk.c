/* SPDX-License-Identifier: MIT */
/* What the kernel counted for the disk behind the target, over the last second. */
#include <config.h>

#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "ui/fmt.h"
#include "ui/widget.h"

#define GAUGE_MOST 64
/* From this on there is room for a table. */
#define TABLE_ROWS 7
#define TABLE_COLS 46

/* How far the kernel's count of requests is from ours; they differ when requests are split, merged
 * or answered by a cache, or when somebody else uses the disk. */
static char *against_app(char *buf, size_t n, const struct iob_snapshot *s)
{
	const struct iob_recorder_view *v = &s->view;
	double kernel = v->disk.r_s + v->disk.w_s + v->disk.d_s;
	double app = v->now.all.iops;

	if (s->phase == IOB_PHASE_PAUSED)
		snprintf(buf, n, "others: %s requests/s",
			iob_format_count((char[16]){""}, 16, kernel));
	else if (app > 0 && kernel < app / 1000)
		snprintf(buf, n, "page cache serves our requests");
	else if (app <= 0)
		snprintf(buf, n, "kernel %s/s, app 0/s",
			iob_format_count((char[16]){""}, 16, kernel));
	else
		snprintf(buf, n, "kernel vs app requests %s",
			iob_fmt_change((char[16]){""}, 16, app, kernel));
	return buf;
}

static void one_line(struct iob_canvas *c, struct iob_rect r, const struct iob_recorder_view *v)
{
	char rd[24], wr[24];

	iob_canvas_printf(c, r, 0, 1, IOB_ROLE_NORMAL,
		"disk busy %.0f%%  aqu %.1f  rd %s MiB/s wr %s MiB/s", v->disk.util, v->disk.aqu_sz,
		iob_fmt_mib(rd, sizeof(rd), v->disk.r_bytes_s),
		iob_fmt_mib(wr, sizeof(wr), v->disk.w_bytes_s));
}

static void traffic(struct iob_canvas *c, struct iob_rect r, int y, enum iob_dir dir,
	const struct iob_iostat *disk)
{
	bool read = dir == IOB_READ;
	char rate[24], mib[24];

	iob_format_count(rate, sizeof(rate), read ? disk->r_s : disk->w_s);
	iob_fmt_mib(mib, sizeof(mib), read ? disk->r_bytes_s : disk->w_bytes_s);
	int x = iob_canvas_text(
		c, r, y, 1, read ? IOB_ROLE_READ : IOB_ROLE_WRITE, read ? "rd" : "wr");
	iob_canvas_printf(c, r, y, x + 1, IOB_ROLE_NORMAL, "%5s/s %5s MiB/s", rate, mib);
	double await_ms = read ? disk->r_await_ms : disk->w_await_ms;
	if (await_ms > 0 && r.cols >= 31)
		iob_canvas_printf(c, r, y, 24, IOB_ROLE_NORMAL, "%7s",
			iob_format_latency(rate, sizeof(rate), (uint64_t)(await_ms * 1e6)));
}

static void table_row(struct iob_canvas *c, struct iob_rect r, int y, enum iob_dir dir,
	const struct iob_iostat *d)
{
	static const char *const names[IOB_NDIR] = {"rd", "wr", "tr"};
	const double rate[IOB_NDIR] = {d->r_s, d->w_s, d->d_s};
	const double bytes[IOB_NDIR] = {d->r_bytes_s, d->w_bytes_s, d->d_bytes_s};
	const double wait_ms[IOB_NDIR] = {d->r_await_ms, d->w_await_ms, 0};
	const double merged[IOB_NDIR] = {d->rrqm_s, d->wrqm_s, 0};
	double size = rate[dir] > 0 ? bytes[dir] / rate[dir] : 0;
	char text[32];

	iob_canvas_text(c, r, y, 1, (enum iob_role)(IOB_ROLE_READ + (int)dir), names[dir]);
	iob_canvas_right(
		c, r, y, 10, IOB_ROLE_NORMAL, iob_format_count(text, sizeof(text), rate[dir]));
	iob_canvas_right(c, r, y, 18, IOB_ROLE_NORMAL, iob_fmt_mib(text, sizeof(text), bytes[dir]));
	iob_canvas_right(c, r, y, 27, IOB_ROLE_NORMAL,
		wait_ms[dir] > 0
			? iob_format_latency(text, sizeof(text), (uint64_t)(wait_ms[dir] * 1e6))
			: "-");
	iob_canvas_right(c, r, y, 36, IOB_ROLE_NORMAL,
		size > 0 ? iob_format_bytes(text, sizeof(text), (uint64_t)size) : "-");
	iob_canvas_right(c, r, y, 46, IOB_ROLE_NORMAL,
		dir == IOB_TRIM ? "-" : iob_format_count(text, sizeof(text), merged[dir]));
}

/* iostat's columns.  Returns the row after it. */
static int table(struct iob_canvas *c, struct iob_rect r, int y, const struct iob_iostat *d)
{
	static const struct {
		int end;
		const char *name;
	} heads[] = {{10, "/s"}, {18, "MiB/s"}, {27, "await"}, {36, "areq-sz"}, {46, "merged/s"}};

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		iob_canvas_right(c, r, y, heads[i].end, IOB_ROLE_HEAD, heads[i].name);
	y++;
	for (int dir = 0; dir < IOB_NDIR; dir++)
		table_row(c, r, y++, (enum iob_dir)dir, d);
	return y;
}

static void gauge(struct iob_canvas *c, struct iob_rect r, double util)
{
	struct iob_cell cells[GAUGE_MOST];
	int cols = r.cols - 14;

	iob_canvas_text(c, r, 0, 1, IOB_ROLE_LABEL, "busy");
	if (cols < 1)
		return;
	cols = cols > GAUGE_MOST ? GAUGE_MOST : cols;
	iob_raster_gauge(cells, cols, util / 100, c->glyphs);
	iob_canvas_cells(c, r, 0, 7, cells, cols);
	iob_canvas_printf(c, r, 0, 8 + cols, IOB_ROLE_VALUE, "%3.0f%%", fmin(util, 100));
}

/* What a dm or md device stands on, as far as there is room. */
static void below(struct iob_canvas *c, struct iob_rect r, int y, const struct iob_below *b)
{
	char rd[24], wr[24];

	for (unsigned i = 0; i < b->count && y < r.rows; i++, y++) {
		const struct iob_below_disk *d = &b->disk[i];

		if (!d->valid)
			continue;
		iob_canvas_printf(c, r, y, 1, IOB_ROLE_NORMAL,
			"%-10.10s rd %s/s wr %s/s  busy %.0f%%", d->name,
			iob_format_count(rd, sizeof(rd), d->figures.r_s),
			iob_format_count(wr, sizeof(wr), d->figures.w_s), d->figures.util);
	}
}

/* Whose counters these are: "sda", "sda1 of sda", "nvme0n1, 2 paths". */
static char *counted(char *buf, size_t n, const struct iob_snapshot *s)
{
	const struct iob_target_info *t = &s->target;

	if (s->view.disk_paths)
		snprintf(buf, n, "%s, %u path%s", t->disk, s->view.disk_paths,
			s->view.disk_paths == 1 ? "" : "s");
	else
		snprintf(buf, n, "%s%s%s", iob_target_counted(t), t->partition[0] ? " of " : "",
			t->partition[0] ? t->disk : "");
	return buf;
}

void iob_draw_disk(struct iob_canvas *c, struct iob_rect r, const struct iob_model *m, bool box)
{
	const struct iob_recorder_view *v = &m->shown.view;
	struct iob_rect inside = box ? iob_rect_inside(r) : r;
	char text[160];

	if (box)
		iob_canvas_box(c, r, "Disk (kernel)",
			m->shown.target.disk[0] ? counted(text, sizeof(text), &m->shown) : NULL);
	if (!v->has_disk) {
		iob_canvas_text(c, inside, 0, 1, IOB_ROLE_LABEL,
			m->shown.phase < IOB_PHASE_RAMP ? "" : "no disk with counters behind it");
		return;
	}
	if (!box) {
		one_line(c, inside, v);
		return;
	}
	gauge(c, inside, v->disk.util);
	int y = 1;
	if (inside.rows >= TABLE_ROWS + (int)m->below.count && inside.cols >= TABLE_COLS) {
		y = table(c, inside, y, &v->disk);
	} else {
		traffic(c, inside, y++, IOB_READ, &v->disk);
		traffic(c, inside, y++, IOB_WRITE, &v->disk);
	}
	iob_canvas_printf(c, inside, y++, 1, IOB_ROLE_NORMAL, "aqu-sz %.1f   in flight %llu",
		v->disk.aqu_sz, (unsigned long long)v->disk_in_flight);
	iob_canvas_text(
		c, inside, y++, 1, IOB_ROLE_NORMAL, against_app(text, sizeof(text), &m->shown));
	below(c, inside, y, &m->below);
}
