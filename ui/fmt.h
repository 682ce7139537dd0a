/* SPDX-License-Identifier: MIT */
/* Figures for narrow columns; everything else is in base/units.h.  All write at most n bytes and
 * return buf. */
#ifndef IOB_UI_FMT_H
#define IOB_UI_FMT_H

#include <stddef.h>
#include <stdint.h>

/* A latency in microseconds in five cells: "0.41" "92.1" "310"; from a millisecond on with a
 * letter: "1.93m" "18.2m" "2.05s".  0 is "-". */
char *iob_fmt_micros(char *buf, size_t n, uint64_t ns);
/* Bytes per second as MiB in five cells: "0.00" "1.46" "586" "2387" "12.3k". */
char *iob_fmt_mib(char *buf, size_t n, double bytes_per_s);
/* Three digits: "0.41" "31.9" "310". */
char *iob_fmt_three(char *buf, size_t n, double v);
/* Change from a to b: "+19%" "-4.2%" "x3.1" ; "-" if a is 0. */
char *iob_fmt_change(char *buf, size_t n, double from, double to);

#endif
