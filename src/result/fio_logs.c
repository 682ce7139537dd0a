/* SPDX-License-Identifier: MIT */
#include "result/fio_logs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

/* printf would take most of the time of a log with a line for each transfer. */
static char *put_number(char *at, uint64_t n)
{
	char digits[20];
	unsigned from = sizeof(digits);

	do {
		digits[--from] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	memcpy(at, digits + from, sizeof(digits) - from);
	return at + sizeof(digits) - from;
}

static char *put_next(char *at, uint64_t n)
{
	*at++ = ',';
	*at++ = ' ';
	return put_number(at, n);
}

static char *put_priority(char *at, unsigned priority)
{
	static const char hex[] = "0123456789abcdef";

	for (const char *p = ", 0x"; *p; p++)
		*at++ = *p;
	for (int shift = 12; shift >= 0; shift -= 4)
		*at++ = hex[priority >> shift & 15];
	return at;
}

static char *put_line(char *at, const struct iob_fio_log_options *o, const struct line *l)
{
	at = put_number(at, o->epoch_ms + l->time_ns / NS_PER_MS);
	at = put_next(at, o->value == IOB_FIO_LOG_MAX ? l->max : l->mean);
	if (o->value == IOB_FIO_LOG_BOTH && o->window_ns)
		at = put_next(at, l->max);
	at = put_next(at, l->dir);
	at = put_next(at, l->block_size);
	if (o->offset)
		at = put_next(at, l->offset);
	at = o->priority ? put_priority(at, l->priority) : put_next(at, l->high);
	*at++ = '\n';
	return at;
}

static uint64_t per_second(uint64_t count, double unit, uint64_t ns)
{
	return ns ? (uint64_t)((double)count / unit * NS_PER_S / (double)ns) : 0;
}

char *iob_fio_log_record(char *at, enum iob_fio_log kind, const struct iob_fio_log_options *o,
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
		return at;
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
	return put_line(at, o, &l);
}

static const struct iob_log_sum *sum_of(
	const struct iob_log_window *w, enum iob_fio_log kind, unsigned dir)
{
	if (kind == IOB_FIO_LOG_SLAT)
		return &w->dir[dir].slat;
	return kind == IOB_FIO_LOG_CLAT ? &w->dir[dir].clat : &w->dir[dir].lat;
}

char *iob_fio_log_window(char *at, enum iob_fio_log kind, const struct iob_fio_log_options *o,
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
		at = put_line(at, o, &l);
	}
	return at;
}

char *iob_fio_log_hist(char *at, const struct iob_fio_log_options *o, const struct iob_log_hist *h)
{
	unsigned coarseness =
		o->coarseness < IOB_FIO_MAX_COARSENESS ? o->coarseness : IOB_FIO_MAX_COARSENESS;
	unsigned step = 1u << coarseness, next = 0;

	at = put_number(at, o->epoch_ms + h->end_ns / NS_PER_MS);
	at = put_next(at, h->dir);
	at = put_next(at, h->block_size);
	while (next < IOB_FIO_HIST_BINS) {
		unsigned end = next + step < IOB_FIO_HIST_BINS ? next + step : IOB_HIST_BUCKETS + 1;
		uint64_t sum = 0;

		for (; next < end; next++)
			sum += h->count[next];
		at = put_next(at, sum);
	}
	*at++ = '\n';
	return at;
}
