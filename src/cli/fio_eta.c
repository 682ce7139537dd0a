/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_eta.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "result/fio_number.h"

#define MINUTE 60
#define HOUR   3600
#define DAY    86400

struct text {
	char *at;
	size_t left;
};

static void __attribute__((format(printf, 2, 3))) put(struct text *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int n = vsnprintf(t->at, t->left, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= t->left)
		n = t->left ? (int)t->left - 1 : 0;
	t->at += n;
	t->left -= (size_t)n;
}

char *iob_fio_eta_text(char *buf, size_t n, uint64_t s)
{
	struct text t = {buf, n};

	if (s >= DAY)
		put(&t, "%02" PRIu64 "d:", s / DAY);
	if (s >= HOUR)
		put(&t, "%02" PRIu64 "h:", s % DAY / HOUR);
	put(&t, "%02" PRIu64 "m:%02" PRIu64 "s", s % HOUR / MINUTE, s % MINUTE);
	return buf;
}

/* [R(2),P(1)] */
static void put_states(struct text *t, const char *state)
{
	put(t, "[");
	for (size_t i = 0, n; state[i]; i += n) {
		for (n = 1; state[i + n] == state[i]; n++)
			;
		put(t, "%s%c(%zu)", i ? "," : "", state[i], n);
	}
	put(t, "]");
}

static void put_rates(struct text *t, const double rate[IOB_NDIR], enum iob_fio_unit unit)
{
	static const char letters[IOB_NDIR] = {'r', 'w', 't'};
	const char *comma = "";
	char number[IOB_FIO_NUMBER_MAX];

	put(t, "[");
	for (int d = 0; d < IOB_NDIR; d++) {
		if (rate[d] <= 0)
			continue;
		iob_fio_number(
			number, sizeof(number), (uint64_t)rate[d], 0, unit != IOB_FIO_PLAIN, unit);
		put(t, "%s%c=%s", comma, letters[d], number);
		comma = ",";
	}
	put(t, "%s]", unit == IOB_FIO_PLAIN ? " IOPS" : "");
}

/* From the least that is asked for, which nobody can ask for here, to the most. */
static void put_limits(struct text *t, const struct iob_fio_live *l)
{
	char number[IOB_FIO_NUMBER_MAX];

	if (l->rate)
		put(t, ", 0B/s-%s",
			iob_fio_number(
				number, sizeof(number), l->rate, 4, true, IOB_FIO_BYTE_RATE));
	else if (l->rate_iops)
		put(t, ", 0-%" PRIu64 " IOPS", l->rate_iops);
}

char *iob_fio_live_line(char *buf, size_t n, const struct iob_fio_live *l)
{
	struct text t = {buf, n};
	double rates = 0;
	char eta[64];

	put(&t, "Jobs: %u (f=%u)", l->running, l->files);
	put_limits(&t, l);
	for (int d = 0; d < IOB_NDIR; d++)
		rates += l->bw[d] + l->iops[d];
	if (l->running == 0 || l->eta_s == IOB_FIO_ETA_UNKNOWN)
		return buf;
	put(&t, ": ");
	put_states(&t, l->state);
	if (l->ramping == l->running || l->elapsed_s + l->eta_s == 0)
		put(&t, "[-.-%%]");
	else
		put(&t, "[%3.1f%%]",
			100 * (double)l->elapsed_s / (double)(l->elapsed_s + l->eta_s));
	if (rates > 0) {
		put_rates(&t, l->bw, IOB_FIO_BYTE_RATE);
		put_rates(&t, l->iops, IOB_FIO_PLAIN);
	}
	put(&t, "[eta %s]", iob_fio_eta_text(eta, sizeof(eta), l->eta_s));
	return buf;
}
