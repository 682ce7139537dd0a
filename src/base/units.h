/* SPDX-License-Identifier: MIT */
/*
 * Values as people write them, parsed strictly, and as they like to read them.
 *
 * Sizes: a number, a fraction allowed ("1.5m"), and a unit in any case: none or b = bytes;
 * k m g t p, ki.., kib.. = powers of 1024; kb mb gb tb pb = powers of 1000.  "4k" = "4K" = "4KiB" =
 * 4096, "4kB" = 4000.  Times: ns us ms s sec m min h d and their long forms; a bare number is in
 * the unit that the caller gives.  No blanks inside, no sign, no hex, nothing left over: "4x", "",
 * "-1", "1e3" and whatever exceeds 64 bits are errors, as is a fraction that is not a whole number
 * of bytes (ns).
 *
 * Parsers return 0, -EINVAL (not a value; *why says what is wrong with it, a constant string) or
 * -ERANGE (too large), and leave *out alone on failure.
 */
#ifndef IOB_BASE_UNITS_H
#define IOB_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

int iob_parse_uint(const char *text, uint64_t *out, const char **why);
/* A number, perhaps with k, m or g (powers of 1000): "20000", "20k", "1.5M". */
int iob_parse_count(const char *text, uint64_t *out, const char **why);
int iob_parse_size(const char *text, uint64_t *out, const char **why);
/* default_unit_ns: what a bare number counts, for instance IOB_NS_PER_S. */
int iob_parse_time(const char *text, uint64_t default_unit_ns, uint64_t *out_ns, const char **why);
/* "75%" or "75" or "12.5%": 0..100 in millionths of a percent-point, so 12.5 -> 12500000. */
int iob_parse_percent(const char *text, uint64_t *out_micro, const char **why);

/*
 * Formatters write at most n bytes including the end and return buf.
 * All are plain ASCII.
 */
/* Exact and re-parsable: "4k", "1m", "1536", "16g". */
char *iob_format_size_exact(char *buf, size_t n, uint64_t bytes);
/* Exact and re-parsable: "5s", "1.5s", "300ms", "2h". */
char *iob_format_time_exact(char *buf, size_t n, uint64_t ns);
/* For people, 3-4 digits: "931.5GiB", "3.6TiB", "4KiB". */
char *iob_format_bytes(char *buf, size_t n, uint64_t bytes);
/* For people, SI: "1TB", "1.92TB". */
char *iob_format_bytes_si(char *buf, size_t n, uint64_t bytes);
/* As fio prints bandwidth: "1830MiB/s (1919MB/s)". */
char *iob_format_bandwidth(char *buf, size_t n, double bytes_per_s);
/* A count or rate, 3-4 digits with k M G (powers of 1000): "214k", "12.3k", "967", "0". */
char *iob_format_count(char *buf, size_t n, double value);
/* A latency with its unit, 3 digits: "92.1us", "1.93ms", "412ns", "2.05s". */
char *iob_format_latency(char *buf, size_t n, uint64_t ns);
/* mm:ss or h:mm:ss. */
char *iob_format_clock(char *buf, size_t n, uint64_t ns);

#endif
