/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <inttypes.h>

#include "result/fio_number.h"
#include "result/fio_text.h"

#define EXTREME_DIGITS 6
#define LINE_COLUMNS   73 /* for percentiles, beside the margin */
#define ENTRY_COLUMNS  10 /* of a percentile, beside its decimals and its value */
#define LEAST_WIDTH    5
#define SHARES_A_LINE  5

void iob_fio_text_span(const char *name, const struct iob_span *s, FILE *f)
{
	double dev = iob_moments_stddev(&s->moments);
	struct iob_fio_time_unit unit = iob_fio_row_unit(iob_fio_min(s), iob_fio_max(s), dev);
	char min[IOB_FIO_NUMBER_MAX], max[IOB_FIO_NUMBER_MAX];

	if (s->moments.n == 0)
		return;
	iob_fio_number(min, sizeof(min), s->moments.min_ns / unit.ns, EXTREME_DIGITS, false,
		IOB_FIO_PLAIN);
	iob_fio_number(max, sizeof(max), s->moments.max_ns / unit.ns, EXTREME_DIGITS, false,
		IOB_FIO_PLAIN);
	fprintf(f, "    %4s (%s): min=%s, max=%s, avg=%5.02f, stdev=%5.02f\n", name, unit.name, min,
		max, iob_moments_mean(&s->moments) / (double)unit.ns, dev / (double)unit.ns);
}

static unsigned width_of(uint64_t largest)
{
	unsigned width = 1;

	for (; largest >= 10; largest /= 10)
		width++;
	return width > LEAST_WIDTH ? width : LEAST_WIDTH;
}

static void extremes(const uint64_t *value, unsigned n, uint64_t *min, uint64_t *max)
{
	*min = *max = value[0];
	for (unsigned i = 1; i < n; i++) {
		if (value[i] < *min)
			*min = value[i];
		if (value[i] > *max)
			*max = value[i];
	}
}

void iob_fio_text_percentiles(
	const struct iob_fio_entry *e, const char *name, const struct iob_span *s, FILE *f)
{
	const unsigned n = e->npercentiles, decimals = e->percentile_precision;
	uint64_t value[IOB_FIO_MAX_PERCENTILES], min, max;

	if (n == 0 || s->hist.total == 0)
		return;
	iob_fio_percentiles(e, s, value);
	extremes(value, n, &min, &max);
	struct iob_fio_time_unit unit = iob_fio_percentile_unit(min, max);
	unsigned width = width_of(iob_fio_percentile_in(unit, max));
	unsigned a_line = LINE_COLUMNS / (decimals + ENTRY_COLUMNS + width);

	fprintf(f, "    %s percentiles (%s):\n", name, unit.name);
	for (unsigned i = 0; i < n; i++) {
		if (i % a_line == 0)
			fputs("     |", f);
		fprintf(f, " %*.*fth=[%*" PRIu64 "]", (int)decimals + 3, (int)decimals,
			e->percentile[i], (int)width, iob_fio_percentile_in(unit, value[i]));
		if (i + 1 < n)
			fputc(',', f);
		if (i + 1 == n || (i + 1) % a_line == 0)
			fputc('\n', f);
	}
}

static void put_slots(const char *unit, const double *share, unsigned n, FILE *f)
{
	unsigned shown = 0;

	for (unsigned i = 0; i < n; i++) {
		if (share[i] <= 0)
			continue;
		if (shown % SHARES_A_LINE == 0)
			fprintf(f, "%s  lat (%s)   : ", shown ? "\n" : "", unit);
		else
			fputs(", ", f);
		fprintf(f, "%s=%3.2f%%", iob_fio_latency_names[i], share[i]);
		shown++;
	}
	if (shown)
		fputc('\n', f);
}

void iob_fio_text_latencies(const struct iob_fio_entry *e, FILE *f)
{
	struct iob_fio_latencies lat;

	iob_fio_entry_latencies(e, &lat);
	put_slots("nsec", lat.ns, IOB_FIO_LAT_NS, f);
	put_slots("usec", lat.us, IOB_FIO_LAT_US, f);
	put_slots("msec", lat.ms, IOB_FIO_LAT_MS, f);
}
