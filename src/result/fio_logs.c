/* SPDX-License-Identifier: MIT */
#include "result/fio_logs.h"

#include <errno.h>
#include <inttypes.h>

#define NS_PER_MS 1000000
#define NS_PER_S  1e9

static const char *const names[IOB_FIO_NLOGS] = {
	[IOB_FIO_LOG_BW] = "bw",
	[IOB_FIO_LOG_IOPS] = "iops",
	[IOB_FIO_LOG_SLAT] = "slat",
	[IOB_FIO_LOG_CLAT] = "clat",
	[IOB_FIO_LOG_LAT] = "lat",
	[IOB_FIO_LOG_HIST] = "clat_hist",
};

int iob_fio_log_path(
	char *buf, size_t n, const char *prefix, enum iob_fio_log kind, unsigned worker)
{
	int used;

	if (worker)
		used = snprintf(buf, n, "%s_%s.%u.log", prefix, names[kind], worker);
	else
		used = snprintf(buf, n, "%s_%s.log", prefix, names[kind]);
	return used >= 0 && (size_t)used < n ? 0 : -ENAMETOOLONG;
}

/* A line to be. */
struct line {
	uint64_t time_ns, mean, max;
	uint64_t block_size, offset;
	unsigned dir, high, priority;
};

static void put_line(FILE *f, const struct iob_fio_log_options *o, const struct line *l)
{
	fprintf(f, "%" PRIu64 ", %" PRIu64, o->epoch_ms + l->time_ns / NS_PER_MS,
		o->value == IOB_FIO_LOG_MAX ? l->max : l->mean);
	if (o->value == IOB_FIO_LOG_BOTH && o->window_ns)
		fprintf(f, ", %" PRIu64, l->max);
	fprintf(f, ", %u, %" PRIu64, l->dir, l->block_size);
	if (o->offset)
		fprintf(f, ", %" PRIu64, l->offset);
	if (o->priority)
		fprintf(f, ", 0x%04x\n", l->priority);
	else
		fprintf(f, ", %u\n", l->high);
}

static uint64_t per_second(uint64_t count, double unit, uint64_t ns)
{
	return ns ? (uint64_t)((double)count / unit * NS_PER_S / (double)ns) : 0;
}

void iob_fio_log_record(FILE *f, enum iob_fio_log kind, const struct iob_fio_log_options *o,
	const struct iob_io_record *r)
{
	struct line l = {.time_ns = r->done_ns,
		.block_size = r->bytes,
		.offset = r->offset,
		.dir = r->dir,
		.high = r->high,
		.priority = r->priority};
	bool has_slat = r->slat_ns != IOB_IO_NO_SLAT;

	if (kind == IOB_FIO_LOG_SLAT && !has_slat)
		return;
	switch (kind) {
	case IOB_FIO_LOG_BW:
		l.mean = per_second(r->bytes, 1024, r->clat_ns);
		break;
	case IOB_FIO_LOG_IOPS:
		l.mean = 1;
		break;
	case IOB_FIO_LOG_SLAT:
		l.mean = r->slat_ns;
		break;
	case IOB_FIO_LOG_CLAT:
		l.mean = r->clat_ns;
		break;
	default:
		l.mean = r->clat_ns + (has_slat ? r->slat_ns : 0);
		break;
	}
	l.max = l.mean;
	put_line(f, o, &l);
}

static const struct iob_log_sum *sum_of(
	const struct iob_log_window *w, enum iob_fio_log kind, unsigned dir)
{
	if (kind == IOB_FIO_LOG_SLAT)
		return &w->dir[dir].slat;
	return kind == IOB_FIO_LOG_CLAT ? &w->dir[dir].clat : &w->dir[dir].lat;
}

void iob_fio_log_window(FILE *f, enum iob_fio_log kind, const struct iob_fio_log_options *o,
	const struct iob_log_window *w)
{
	uint64_t begin = w->index * o->window_ns;
	uint64_t span = w->end_ns > begin ? w->end_ns - begin : 0;

	for (unsigned d = 0; d < IOB_NDIR; d++) {
		struct line l = {.time_ns = w->end_ns, .dir = d};
		const struct iob_log_sum *s = sum_of(w, kind, d);

		if (!(o->directions & (1u << d)))
			continue;
		if (kind == IOB_FIO_LOG_BW) {
			l.mean = l.max = per_second(w->dir[d].bytes, 1024, span);
		} else if (kind == IOB_FIO_LOG_IOPS) {
			l.mean = l.max = per_second(w->dir[d].ios, 1, span);
		} else if (s->n) {
			l.mean = (s->sum_ns + s->n / 2) / s->n;
			l.max = s->max_ns;
		}
		put_line(f, o, &l);
	}
}

void iob_fio_log_hist(FILE *f, const struct iob_fio_log_options *o, const struct iob_log_hist *h)
{
	unsigned coarseness =
		o->coarseness < IOB_FIO_MAX_COARSENESS ? o->coarseness : IOB_FIO_MAX_COARSENESS;
	unsigned step = 1u << coarseness, next = 0;

	fprintf(f, "%" PRIu64 ", %" PRIu32 ", %" PRIu32, o->epoch_ms + h->end_ns / NS_PER_MS,
		h->dir, h->block_size);
	while (next < IOB_FIO_HIST_BINS) {
		unsigned end = next + step < IOB_FIO_HIST_BINS ? next + step : IOB_HIST_BUCKETS + 1;
		uint64_t sum = 0;

		for (; next < end; next++)
			sum += h->count[next];
		fprintf(f, ", %" PRIu64, sum);
	}
	fputc('\n', f);
}
