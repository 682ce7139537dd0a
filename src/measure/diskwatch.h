/* SPDX-License-Identifier: MIT */
/* The disk under test and the machine's CPUs, read on the recorder's grid: differences since the
 * reading before, and figures over the last second. */
#ifndef IOB_MEASURE_DISKWATCH_H
#define IOB_MEASURE_DISKWATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/diskpaths.h"
#include "measure/hoststat.h"

#define IOB_DISKWATCH_POINTS 11 /* a second of boundaries and the one before it */

/* Which counters are meant. */
struct iob_diskline {
	unsigned major, minor;           /* of the partition, or else of the disk */
	unsigned disk_major, disk_minor; /* of the whole disk */
	char disk[64];                   /* its kernel name; "" = unknown */
};

struct iob_diskwatch_point {
	uint64_t ns;
	struct iob_diskstat stat;
};

struct iob_diskwatch {
	bool watching;
	bool valid; /* `last` was read, and the disk is still there */
	struct iob_diskline line;
	struct iob_diskstat_reader reader;
	struct iob_diskpaths paths;
	bool by_paths; /* the disk itself counts nothing: `last` is the sum of its paths */
	struct iob_diskwatch_point last;
	bool whole_valid;
	struct iob_diskstat whole;  /* of the disk, if a partition is watched */
	struct iob_diskstat beside; /* that others did beside it, between the last two readings */
	struct iob_diskwatch_point point[IOB_DISKWATCH_POINTS]; /* boundaries, a circle */
	uint64_t points;                                        /* ever put in */
	struct iob_cpustat cpu[2];                              /* older, newer */
	struct iob_cpustat cpu_begun;
	uint64_t cpu_ns; /* when the newer one was read */
};

/* Watch this disk from now on; one that cannot be read is not an error.  False if it is watched
 * already. */
bool iob_diskwatch_open(
	struct iob_diskwatch *, const char *root, const struct iob_diskline *, uint64_t now_ns);
/* Watch none; what is known of the CPUs stays. */
void iob_diskwatch_leave(struct iob_diskwatch *);
/* Just opened: deltas begin with what somebody else has read before, who knew the disk earlier. */
void iob_diskwatch_begin_at(struct iob_diskwatch *, const struct iob_diskwatch_point *);
void iob_diskwatch_close(struct iob_diskwatch *);

/* Read.  True with the delta and the time that it began, if there was a reading before this. */
bool iob_diskwatch_read(
	struct iob_diskwatch *, uint64_t now_ns, struct iob_diskstat *delta, uint64_t *from_ns);
/* The last reading was at a boundary: keep it for the figures of the last second. */
void iob_diskwatch_keep(struct iob_diskwatch *);
/* How many paths the figures are the sum of; 0 = they are the disk's own. */
unsigned iob_diskwatch_paths(const struct iob_diskwatch *);
/* Figures over the last second; false if there are none. */
bool iob_diskwatch_figures(const struct iob_diskwatch *, struct iob_iostat *);

/* Read the CPU times if a second has passed since the last time. */
void iob_diskwatch_read_cpu(struct iob_diskwatch *, const char *root, uint64_t now_ns);
/* Busy share of the machine between the last two readings, 0..1. */
double iob_diskwatch_cpu(const struct iob_diskwatch *);
/* The same since the measuring began: the last reading before that call, or else the first. */
double iob_diskwatch_cpu_in_all(const struct iob_diskwatch *);
void iob_diskwatch_begin_cpu(struct iob_diskwatch *);

#endif
