/* SPDX-License-Identifier: MIT */
#include "measure/diskwatch.h"

#include "base/clock.h"

void iob_diskwatch_leave(struct iob_diskwatch *w)
{
	if (w->watching)
		iob_diskstat_close(&w->reader);
	iob_diskpaths_close(&w->paths);
	w->points = 0;
	w->watching = w->valid = w->by_paths = w->whole_valid = false;
}

bool iob_diskwatch_open(
	struct iob_diskwatch *w, const char *root, const struct iob_diskline *line, uint64_t now_ns)
{
	struct iob_diskstat delta;
	uint64_t from_ns = 0;

	if (w->watching && w->line.major == line->major && w->line.minor == line->minor)
		return false;
	iob_diskwatch_leave(w);
	w->line = *line;
	w->watching = iob_diskstat_open(&w->reader, root, line->major, line->minor, NULL) == 0;
	iob_diskpaths_open(&w->paths, root, line->disk);
	iob_diskwatch_read(w, now_ns, &delta, &from_ns);
	return true;
}

void iob_diskwatch_begin_at(struct iob_diskwatch *w, const struct iob_diskwatch_point *before)
{
	/* The sum over paths is no counter of the disk itself. */
	if (w->valid && !w->by_paths && before->ns < w->last.ns)
		w->last = *before;
}

void iob_diskwatch_close(struct iob_diskwatch *w)
{
	iob_diskwatch_leave(w);
	*w = (struct iob_diskwatch){0};
}

static void start_anew(struct iob_diskwatch *w)
{
	w->valid = w->whole_valid = false;
	w->points = 0;
}

/* As long as the disk has counted nothing its paths are asked, too. */
static int read_now(struct iob_diskwatch *w, struct iob_diskstat *now)
{
	struct iob_diskstat sum;
	int rc = iob_diskstat_read(&w->reader, now);

	if (rc < 0)
		return rc;
	bool by_paths = iob_diskstat_is_zero(now) && iob_diskpaths_read(&w->paths, &sum) &&
			!iob_diskstat_is_zero(&sum);
	/* The other way round nothing was counted before, by either. */
	if (w->by_paths && !by_paths)
		start_anew(w);
	w->by_paths = by_paths;
	if (by_paths)
		*now = sum;
	return 0;
}

static uint64_t excess(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

static void read_beside(struct iob_diskwatch *w, const struct iob_diskstat *delta, bool have)
{
	const struct iob_diskline *line = &w->line;
	struct iob_diskstat now, whole = {0};
	bool partition = line->disk_major != line->major || line->disk_minor != line->minor;

	w->beside = (struct iob_diskstat){0};
	if (!partition ||
		iob_diskstat_again(&w->reader, line->disk_major, line->disk_minor, &now) < 0)
		return;
	if (have && w->whole_valid) {
		iob_diskstat_delta(&whole, &w->whole, &now);
		w->beside.reads = excess(whole.reads, delta->reads);
		w->beside.writes = excess(whole.writes, delta->writes);
		w->beside.read_sectors = excess(whole.read_sectors, delta->read_sectors);
		w->beside.write_sectors = excess(whole.write_sectors, delta->write_sectors);
	}
	w->whole = now;
	w->whole_valid = true;
}

bool iob_diskwatch_read(
	struct iob_diskwatch *w, uint64_t now_ns, struct iob_diskstat *delta, uint64_t *from_ns)
{
	struct iob_diskwatch_point now = {.ns = now_ns};

	if (!w->watching)
		return false;
	if (read_now(w, &now.stat) < 0) {
		/* The disk is gone; should it come back, it starts anew. */
		start_anew(w);
		return false;
	}
	bool have = w->valid && now_ns > w->last.ns;
	if (have) {
		iob_diskstat_delta(delta, &w->last.stat, &now.stat);
		*from_ns = w->last.ns;
	}
	if (have || !w->valid) {
		w->last = now;
		read_beside(w, delta, have);
	}
	w->valid = true;
	return have;
}

unsigned iob_diskwatch_paths(const struct iob_diskwatch *w)
{
	return w->by_paths ? w->paths.count : 0;
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
