/* SPDX-License-Identifier: MIT */
#include "measure/diskwatch.h"

#include "base/clock.h"

void iob_diskwatch_open(
	struct iob_diskwatch *w, const char *root, unsigned major, unsigned minor, uint64_t now_ns)
{
	struct iob_diskstat delta;
	uint64_t from_ns = 0;

	if (w->watching && w->reader.major == major && w->reader.minor == minor)
		return;
	if (w->watching)
		iob_diskstat_close(&w->reader);
	w->points = 0;
	w->valid = false;
	w->watching = iob_diskstat_open(&w->reader, root, major, minor, NULL) == 0;
	iob_diskwatch_read(w, now_ns, &delta, &from_ns);
}

void iob_diskwatch_close(struct iob_diskwatch *w)
{
	if (w->watching)
		iob_diskstat_close(&w->reader);
	*w = (struct iob_diskwatch){0};
}

bool iob_diskwatch_read(
	struct iob_diskwatch *w, uint64_t now_ns, struct iob_diskstat *delta, uint64_t *from_ns)
{
	struct iob_diskwatch_point now = {.ns = now_ns};

	if (!w->watching)
		return false;
	if (iob_diskstat_read(&w->reader, &now.stat) < 0) {
		/* The disk is gone; should it come back, it starts anew. */
		w->valid = false;
		w->points = 0;
		return false;
	}
	bool have = w->valid && now_ns > w->last.ns;
	if (have) {
		iob_diskstat_delta(delta, &w->last.stat, &now.stat);
		*from_ns = w->last.ns;
	}
	if (have || !w->valid)
		w->last = now;
	w->valid = true;
	return have;
}

void iob_diskwatch_keep(struct iob_diskwatch *w)
{
	if (w->valid)
		w->point[w->points++ % IOB_DISKWATCH_POINTS] = w->last;
}

bool iob_diskwatch_figures(const struct iob_diskwatch *w, struct iob_iostat *out)
{
	struct iob_diskstat delta;

	if (w->points < 2)
		return false;
	uint64_t oldest = w->points > IOB_DISKWATCH_POINTS ? w->points - IOB_DISKWATCH_POINTS : 0;
	const struct iob_diskwatch_point *a = &w->point[oldest % IOB_DISKWATCH_POINTS];
	const struct iob_diskwatch_point *b = &w->point[(w->points - 1) % IOB_DISKWATCH_POINTS];
	iob_diskstat_delta(&delta, &a->stat, &b->stat);
	iob_iostat_compute(out, &delta, b->ns - a->ns);
	return true;
}

void iob_diskwatch_read_cpu(struct iob_diskwatch *w, const char *root, uint64_t now_ns)
{
	struct iob_cpustat now;

	if (w->cpu_ns && now_ns - w->cpu_ns < IOB_NS_PER_S)
		return;
	w->cpu_ns = now_ns;
	if (iob_cpustat_read(root, &now) < 0)
		return;
	w->cpu[0] = w->cpu[1];
	w->cpu[1] = now;
	if (w->cpu_begun.total == 0)
		w->cpu_begun = now;
}

static double busy_share(const struct iob_cpustat *a, const struct iob_cpustat *b)
{
	if (a->total == 0 || b->total <= a->total || b->busy < a->busy)
		return 0;
	double share = (double)(b->busy - a->busy) / (double)(b->total - a->total);
	return share < 1 ? share : 1;
}

double iob_diskwatch_cpu(const struct iob_diskwatch *w)
{
	return busy_share(&w->cpu[0], &w->cpu[1]);
}

double iob_diskwatch_cpu_in_all(const struct iob_diskwatch *w)
{
	return busy_share(&w->cpu_begun, &w->cpu[1]);
}

void iob_diskwatch_begin_cpu(struct iob_diskwatch *w)
{
	w->cpu_begun = w->cpu[1];
}
