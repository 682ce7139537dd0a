/* SPDX-License-Identifier: MIT */
#include "result/fio_number.h"

#include <inttypes.h>
#include <stdio.h>

#define DEFAULT_DIGITS 4
#define BITS_PER_BYTE  8

static const char *const units[] = {
	[IOB_FIO_PLAIN] = "",
	[IOB_FIO_BYTES] = "B",
	[IOB_FIO_BYTE_RATE] = "B/s",
	[IOB_FIO_BIT_RATE] = "bit/s",
};
static const char *const decimal_prefixes[] = {"", "k", "M", "G", "T", "P", "E", NULL};
static const char *const binary_prefixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", NULL};

static unsigned digits_of(uint64_t value)
{
	unsigned digits = 1;

	for (; value >= 10; value /= 10)
		digits++;
	return digits;
}

char *iob_fio_number(
	char *buf, size_t n, uint64_t value, unsigned digits, bool binary, enum iob_fio_unit unit)
{
	const char *const *prefix = binary ? binary_prefixes : decimal_prefixes;
	const uint64_t step = binary ? 1024 : 1000;
	uint64_t rest = 0;
	bool divided = false;

	if (digits == 0)
		digits = DEFAULT_DIGITS;
	if (unit == IOB_FIO_BIT_RATE)
		value = value > UINT64_MAX / BITS_PER_BYTE ? UINT64_MAX : value * BITS_PER_BYTE;
	for (; digits_of(value) > digits && prefix[1]; prefix++) {
		rest = value % step;
		value /= step;
		divided = true;
	}
	unsigned whole = digits_of(value);
	if (divided && digits >= whole + 2)
		snprintf(buf, n, "%.*f%s%s", (int)(digits - whole - 1),
			(double)value + (double)rest / (double)step, *prefix, units[unit]);
	else
		snprintf(buf, n, "%" PRIu64 "%s%s", value + (rest >= step / 2 ? 1 : 0), *prefix,
			units[unit]);
	return buf;
}

struct iob_fio_time_unit iob_fio_row_unit(uint64_t min_ns, uint64_t max_ns, double stddev_ns)
{
	if (min_ns > 2000000 && max_ns > 99999999 && stddev_ns > 1e6)
		return (struct iob_fio_time_unit){"msec", 1000000};
	if (min_ns > 2000 && max_ns > 99999 && stddev_ns > 1e3)
		return (struct iob_fio_time_unit){"usec", 1000};
	return (struct iob_fio_time_unit){"nsec", 1};
}

struct iob_fio_time_unit iob_fio_percentile_unit(uint64_t min_ns, uint64_t max_ns)
{
	if (min_ns > 2000000 && max_ns > 99999999)
		return (struct iob_fio_time_unit){"msec", 1000000};
	if (min_ns > 2000 && max_ns > 99999)
		return (struct iob_fio_time_unit){"usec", 1000};
	return (struct iob_fio_time_unit){"nsec", 1};
}

uint64_t iob_fio_percentile_in(struct iob_fio_time_unit unit, uint64_t ns)
{
	for (uint64_t left = unit.ns; left > 1; left /= 1000)
		ns = ns / 1000 + (ns % 1000 ? 1 : 0);
	return ns;
}
