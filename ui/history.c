/* SPDX-License-Identifier: MIT */
#include "ui/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK      500  /* intervals per call, about 150 kB */
#define NEAR       100  /* read again each time: 10 s */
#define FAR        3000 /* now and then: 5 min */
#define FAR_UPDATE 20

static struct iob_point *point_at(struct iob_history *h, size_t index)
{
	if (index >= h->room) {
		size_t room = h->room ? h->room * 2 : 1024;
		struct iob_point *grown;

		while (room <= index)
			room *= 2;
		grown = realloc(h->point, room * sizeof(*grown));
		if (!grown)
			return NULL;
		h->point = grown;
		h->room = room;
	}
	if (index >= h->count) {
		memset(&h->point[h->count], 0, (index + 1 - h->count) * sizeof(h->point[0]));
		h->count = index + 1;
	}
	return &h->point[index];
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void add(struct iob_point *p, const struct iob_interval *i)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		p->ios[d] += i->dir[d].ios;
		p->bytes[d] += i->dir[d].bytes;
		p->sum_ns += i->dir[d].sum_ns;
		p->p50_sum[d] += (double)i->dir[d].p50_ns * (double)i->dir[d].ios;
		p->p99_ns[d] = larger(p->p99_ns[d], i->dir[d].p99_ns);
		p->p999_ns[d] = larger(p->p999_ns[d], i->dir[d].p999_ns);
		p->max_ns[d] = larger(p->max_ns[d], i->dir[d].max_ns);
	}
	p->busy_ms += i->disk.io_ms;
	p->errors += i->errors;
	p->intervals++;
	if (i->flags & IOB_INTERVAL_IDLE || iob_interval_is_gap(i))
		p->idle++;
	if (i->flags & IOB_INTERVAL_DISK)
		p->disk++;
}

static void read_from(
	struct iob_history *h, const struct iob_source *source, size_t from, size_t closed)
{
	struct iob_interval *chunk = malloc(CHUNK * sizeof(*chunk));

	if (!chunk)
		return;
	/* Points are summed anew, so begin at the border of one. */
	from -= from % IOB_POINT_INTERVALS;
	for (size_t at = from; at < closed;) {
		size_t n = closed - at < CHUNK ? closed - at : CHUNK;

		n = source->timeline(source->self, at, chunk, n);
		if (n == 0)
			break;
		for (size_t i = 0; i < n; i++) {
			struct iob_point *p = point_at(h, (at + i) / IOB_POINT_INTERVALS);

			if (!p) {
				free(chunk);
				return;
			}
			if ((at + i) % IOB_POINT_INTERVALS == 0)
				memset(p, 0, sizeof(*p));
			add(p, &chunk[i]);
		}
		at += n;
		h->closed = larger(h->closed, at);
	}
	free(chunk);
}

void iob_history_update(
	struct iob_history *h, const struct iob_source *source, uint64_t closed, bool all)
{
	size_t back = h->updates++ % FAR_UPDATE == 0 ? FAR : NEAR;
	size_t from = h->closed > back && !all ? h->closed - back : 0;

	read_from(h, source, from, closed);
}

void iob_history_free(struct iob_history *h)
{
	free(h->point);
	memset(h, 0, sizeof(*h));
}

size_t iob_history_fold(unsigned seconds, int samples)
{
	size_t points = seconds * 1000 / IOB_POINT_MS;

	return points / (size_t)samples > 0 ? points / (size_t)samples : 1;
}

/* A point of one or two intervals would make the newest column jump about. */
static size_t complete(const struct iob_history *h)
{
	size_t n = h->closed / IOB_POINT_INTERVALS;

	return n < h->count ? n : h->count;
}

static void merge(struct iob_point *to, const struct iob_point *p)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		to->ios[d] += p->ios[d];
		to->bytes[d] += p->bytes[d];
		to->p50_sum[d] += p->p50_sum[d];
		to->p99_ns[d] = larger(to->p99_ns[d], p->p99_ns[d]);
		to->p999_ns[d] = larger(to->p999_ns[d], p->p999_ns[d]);
		to->max_ns[d] = larger(to->max_ns[d], p->max_ns[d]);
	}
	to->sum_ns += p->sum_ns;
	to->busy_ms += p->busy_ms;
	to->intervals = (uint16_t)(to->intervals + p->intervals);
	to->idle = (uint16_t)(to->idle + p->idle);
	to->disk = (uint16_t)(to->disk + p->disk);
}

static void rate(struct iob_bar *bar, const uint64_t count[IOB_NDIR], double scale)
{
	bar->part = (double)count[IOB_READ] * scale;
	bar->value = (double)(count[IOB_READ] + count[IOB_WRITE] + count[IOB_TRIM]) * scale;
}

/* One direction stands for the column: a largest of reads and writes says nothing of either. */
static void latency(struct iob_bar *bar, const struct iob_point *sum, const uint64_t ns[IOB_NDIR])
{
	enum iob_dir dir = sum->ios[IOB_READ] ? IOB_READ : IOB_WRITE;

	if (sum->ios[dir] == 0)
		dir = IOB_TRIM;
	bar->value = (double)ns[dir];
	bar->part = dir == IOB_READ ? bar->value : 0;
}

static void median(struct iob_bar *bar, const struct iob_point *sum)
{
	uint64_t ns[IOB_NDIR];

	for (int d = 0; d < IOB_NDIR; d++)
		ns[d] = sum->ios[d] ? (uint64_t)(sum->p50_sum[d] / (double)sum->ios[d]) : 0;
	latency(bar, sum, ns);
}

struct iob_bar iob_history_bar(
	const struct iob_history *h, enum iob_metric metric, size_t from, size_t n)
{
	struct iob_bar bar = {.kind = IOB_BAR_NONE};
	struct iob_point sum = {.intervals = 0};

	for (size_t i = from; i < from + n && i < complete(h); i++)
		merge(&sum, &h->point[i]);
	if (sum.intervals == 0)
		return bar;
	/* A stretch of which more was idle than not would show a rate that never was. */
	unsigned active = sum.intervals - (unsigned)sum.idle;
	bar.kind = active * 2 < sum.intervals || active == 0 ? IOB_BAR_GAP : IOB_BAR_VALUE;
	double seconds = active * (double)IOB_INTERVAL_NS / 1e9;
	switch (metric) {
	case IOB_METRIC_IOPS:
		rate(&bar, sum.ios, active ? 1 / seconds : 0);
		break;
	case IOB_METRIC_MIB:
		rate(&bar, sum.bytes, active ? 1 / seconds / (1 << 20) : 0);
		break;
	case IOB_METRIC_P50:
		median(&bar, &sum);
		break;
	case IOB_METRIC_P99:
		latency(&bar, &sum, sum.p99_ns);
		break;
	case IOB_METRIC_P999:
		latency(&bar, &sum, sum.p999_ns);
		break;
	case IOB_METRIC_MAX:
		latency(&bar, &sum, sum.max_ns);
		break;
	case IOB_METRIC_DEPTH:
		bar.value = active ? (double)sum.sum_ns / 1e9 / seconds : 0;
		bar.part = bar.value;
		break;
	case IOB_METRIC_UTIL:
	case IOB_METRIC_HEAT:
	case IOB_NMETRICS:
		bar.kind = sum.disk ? IOB_BAR_VALUE : IOB_BAR_GAP;
		bar.value = sum.disk ? (double)sum.busy_ms / (sum.disk * 100.0) * 100 : 0;
		bar.value = fmin(bar.value, 100);
		bar.part = bar.value;
		break;
	}
	return bar;
}

long iob_history_first(const struct iob_history *h, struct iob_columns c, size_t ncolumns)
{
	size_t column = c.fold * c.group;
	size_t used = (complete(h) + column - 1) / column;

	return ((long)used - (long)c.back - (long)ncolumns) * (long)column;
}

long iob_history_bars(const struct iob_history *h, enum iob_metric metric, struct iob_columns c,
	struct iob_bar *bars, size_t n)
{
	long first = iob_history_first(h, c, n / c.group);

	for (size_t i = 0; i < n; i++) {
		long at = first + (long)(i * c.fold);

		if (at < 0)
			bars[i] = (struct iob_bar){.kind = IOB_BAR_NONE};
		else
			bars[i] = iob_history_bar(h, metric, (size_t)at, c.fold);
	}
	return first;
}

static const struct {
	const char *word, *name;
} names[IOB_NMETRICS] = {
	[IOB_METRIC_IOPS] = {"iops", "IOPS"},
	[IOB_METRIC_MIB] = {"mib", "MiB/s"},
	[IOB_METRIC_P50] = {"p50", "p50 latency"},
	[IOB_METRIC_P99] = {"p99", "p99 latency"},
	[IOB_METRIC_P999] = {"p99.9", "p99.9 latency"},
	[IOB_METRIC_MAX] = {"max", "max latency"},
	[IOB_METRIC_DEPTH] = {"depth", "in flight (mean)"},
	[IOB_METRIC_UTIL] = {"util", "disk busy %"},
	[IOB_METRIC_HEAT] = {"heat", "latency heat map"},
};

const char *iob_metric_name(enum iob_metric metric)
{
	return names[metric].name;
}

const char *iob_metric_word(enum iob_metric metric)
{
	return names[metric].word;
}

enum iob_metric iob_metric_find(const char *word)
{
	int i = 0;

	while (i < IOB_NMETRICS && strcmp(names[i].word, word) != 0)
		i++;
	return (enum iob_metric)i;
}
