/* SPDX-License-Identifier: MIT */
/*
 * The kernel's own counters of a disk (/proc/diskstats, 7 to 20 columns after the name) and of CPU
 * use (/proc/stat).  Column meanings: the kernel's Documentation/admin-guide/iostats.rst; derived
 * figures carry iostat's names.
 */
#ifndef IOB_MEASURE_HOSTSTAT_H
#define IOB_MEASURE_HOSTSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Counters as the kernel keeps them; those that a kernel does not have are 0.  Monotonic, but may
 * wrap at 32 bits. */
struct iob_diskstat {
	uint64_t reads, read_merges, read_sectors, read_ms;
	uint64_t writes, write_merges, write_sectors, write_ms;
	uint64_t in_flight; /* not a counter */
	uint64_t io_ms, weighted_ms;
	uint64_t discards, discard_merges, discard_sectors, discard_ms;
	uint64_t flushes, flush_ms;
};

/* Difference b - a field by field (32-bit wrap understood; in_flight is b's). */
void iob_diskstat_delta(
	struct iob_diskstat *out, const struct iob_diskstat *a, const struct iob_diskstat *b);
/* Sum of deltas; in_flight is the newer one's. */
void iob_diskstat_add(struct iob_diskstat *to, const struct iob_diskstat *delta);
/* Take part of a sum out of it again; what is not in it is 0 then. */
void iob_diskstat_take(struct iob_diskstat *from, const struct iob_diskstat *part);
/* Divide a delta in two: share (0..1) of each field, and exactly the rest. */
void iob_diskstat_split(struct iob_diskstat *first, struct iob_diskstat *rest,
	const struct iob_diskstat *delta, double share);

/* iostat's figures of a delta over ns. */
struct iob_iostat {
	double r_s, w_s, d_s, f_s; /* per second */
	double r_bytes_s, w_bytes_s, d_bytes_s;
	double rrqm_s, wrqm_s;         /* merged per second */
	double r_await_ms, w_await_ms; /* 0 when there were none */
	double aqu_sz;
	double util; /* per cent, 0..100 */
};

void iob_iostat_compute(struct iob_iostat *, const struct iob_diskstat *delta, uint64_t ns);

/* Parse the line of a device out of the text of /proc/diskstats.  0, -ENOENT if it is not there,
 * -EINVAL if its line makes no sense. */
int iob_diskstat_parse(const char *text, unsigned major, unsigned minor, struct iob_diskstat *);
/* The numbers alone, as in /sys/block/X/stat.  0 or -EINVAL. */
int iob_diskstat_parse_counters(const char *text, struct iob_diskstat *);
/* Has it never counted anything? */
bool iob_diskstat_is_zero(const struct iob_diskstat *);

/* An open /proc/diskstats, read again each time. */
struct iob_diskstat_reader {
	int fd;
	unsigned major, minor;
	char *buf;
	size_t size;
};

/* root: "" for the real one, else a folder that stands for / (tests). */
int iob_diskstat_open(struct iob_diskstat_reader *, const char *root, unsigned major,
	unsigned minor, struct iob_error *);
int iob_diskstat_read(struct iob_diskstat_reader *, struct iob_diskstat *);
/* Another line of what was read last. */
int iob_diskstat_again(
	const struct iob_diskstat_reader *, unsigned major, unsigned minor, struct iob_diskstat *);
void iob_diskstat_close(struct iob_diskstat_reader *);

/* Whole machine, in clock ticks since boot: busy (all but idle and iowait) and total. */
struct iob_cpustat {
	uint64_t busy, total;
	unsigned cpus;
};

int iob_cpustat_read(const char *root, struct iob_cpustat *);

#endif
