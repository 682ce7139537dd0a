/* SPDX-License-Identifier: MIT */
#include "base/units.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

#define MINUTE (60 * IOB_NS_PER_S)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

typedef unsigned __int128 u128;

struct unit {
	const char *name;
	uint64_t factor;
};

char *iob_format_size_exact(char *buf, size_t n, uint64_t bytes)
{
	static const char letters[] = "kmgtp";
	size_t power = 0;

	while (bytes != 0 && bytes % 1024 == 0 && letters[power] != '\0') {
		bytes /= 1024;
		power++;
	}
	if (power == 0)
		snprintf(buf, n, "%llu", (unsigned long long)bytes);
	else
		snprintf(buf, n, "%llu%c", (unsigned long long)bytes, letters[power - 1]);
	return buf;
}

char *iob_format_time_exact(char *buf, size_t n, uint64_t ns)
{
	static const struct unit whole[] = {{"d", DAY}, {"h", HOUR}, {"m", MINUTE}, {NULL, 0}};
	static const struct unit broken[] = {
		{"s", IOB_NS_PER_S}, {"ms", IOB_NS_PER_MS}, {"us", IOB_NS_PER_US}, {"ns", 1}};
	const struct unit *u = broken;

	if (ns == 0) {
		snprintf(buf, n, "0s");
		return buf;
	}
	for (const struct unit *w = whole; w->name; w++) {
		if (ns % w->factor == 0) {
			snprintf(buf, n, "%llu%s", (unsigned long long)(ns / w->factor), w->name);
			return buf;
		}
	}
	while (ns < u->factor)
		u++;
	unsigned long long part = ns % u->factor;
	int digits = 0;
	for (uint64_t f = u->factor; f > 1; f /= 10)
		digits++;
	for (; part != 0 && part % 10 == 0; digits--)
		part /= 10;
	if (part == 0)
		snprintf(buf, n, "%llu%s", (unsigned long long)(ns / u->factor), u->name);
	else
		snprintf(buf, n, "%llu.%0*llu%s", (unsigned long long)(ns / u->factor), digits,
			part, u->name);
	return buf;
}

/* In the largest unit that leaves at least 1, rounded to `scale` (1 / smallest step), without
 * zeros at the end. */
static char *format_scaled(char *buf, size_t n, uint64_t bytes, uint64_t base, uint64_t scale,
	const char *const *names)
{
	uint64_t factor = 1;
	size_t i = 0;

	while (names[i + 1] &&
		(u128)bytes * scale * 2 + factor >= (u128)base * factor * scale * 2) {
		factor *= base;
		i++;
	}
	uint64_t steps = (uint64_t)(((u128)bytes * scale * 2 + factor) / ((u128)factor * 2));
	unsigned long long whole = steps / scale;
	unsigned part = (unsigned)(steps % scale);
	int digits = scale == 100 ? 2 : 1;
	if (part != 0 && digits == 2 && part % 10 == 0) {
		part /= 10;
		digits = 1;
	}
	if (part == 0)
		snprintf(buf, n, "%llu%s", whole, names[i]);
	else
		snprintf(buf, n, "%llu.%0*u%s", whole, digits, part, names[i]);
	return buf;
}

char *iob_format_bytes(char *buf, size_t n, uint64_t bytes)
{
	static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", NULL};

	return format_scaled(buf, n, bytes, 1024, 10, names);
}

char *iob_format_bytes_si(char *buf, size_t n, uint64_t bytes)
{
	static const char *const names[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB", NULL};

	return format_scaled(buf, n, bytes, 1000, 100, names);
}

/* fio's way: at most four characters of number; the unit only grows when four digits do not do. */
static int format_four(char *buf, size_t n, double value, double base, const char *letters)
{
	size_t i = 0;

	if (!(value > 0))
		value = 0;
	while (value >= 9999.5 && letters[i + 1] != '\0') {
		value /= base;
		i++;
	}
	int decimals = i == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
	if (i == 0)
		return snprintf(buf, n, "%.*f", decimals, value);
	return snprintf(buf, n, "%.*f%c", decimals, value, letters[i]);
}

char *iob_format_bandwidth(char *buf, size_t n, double bytes_per_s)
{
	char iec[48];
	char si[48];

	format_four(iec, sizeof(iec), bytes_per_s, 1024, "BKMGTPE");
	format_four(si, sizeof(si), bytes_per_s, 1000, "BkMGTPE");
	bool scaled = strpbrk(iec, "KMGTPE") != NULL;
	snprintf(buf, n, "%s%sB/s (%sB/s)", iec, scaled ? "i" : "", si);
	return buf;
}

char *iob_format_count(char *buf, size_t n, double value)
{
	/* What is no number, or no small one, is the other formatter's affair. */
	bool small = value > 0 && value < 99.95;

	if (small && value != (double)(unsigned)value)
		snprintf(buf, n, "%.*f", value >= 9.995 ? 1 : 2, value);
	else
		format_four(buf, n, value, 1000, " kMGTPE");
	return buf;
}

char *iob_format_latency(char *buf, size_t n, uint64_t ns)
{
	static const struct unit units[] = {
		{"us", IOB_NS_PER_US}, {"ms", IOB_NS_PER_MS}, {"s", IOB_NS_PER_S}};
	size_t i = 0;

	if (ns < 1000) {
		snprintf(buf, n, "%uns", (unsigned)ns);
		return buf;
	}
	/* 999.5 and more of a unit would read as 1000. */
	while (i < 2 && (u128)ns * 2 >= (u128)units[i].factor * 1999)
		i++;
	double value = (double)ns / (double)units[i].factor;
	int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
	snprintf(buf, n, "%.*f%s", decimals, value, units[i].name);
	return buf;
}

char *iob_format_clock(char *buf, size_t n, uint64_t ns)
{
	unsigned long long s = ns / IOB_NS_PER_S;

	if (s < 3600)
		snprintf(buf, n, "%02llu:%02llu", s / 60, s % 60);
	else
		snprintf(buf, n, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
	return buf;
}
