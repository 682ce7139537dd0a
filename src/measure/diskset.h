/* SPDX-License-Identifier: MIT */
/* The counters of all disks of the machine at one time: whoever does not know yet which of them
 * will matter keeps them all. */
#ifndef IOB_MEASURE_DISKSET_H
#define IOB_MEASURE_DISKSET_H

#include "measure/hoststat.h"

/* Zeroed = empty. */
struct iob_diskset {
	char *text;     /* of /proc/diskstats, and a line for each path that is missing there; owned
			 */
	uint64_t at_ns; /* iob_now_ns scale */
};

/* root: "" for the real one, else a folder that stands for / (tests).  Frees what was there. */
int iob_diskset_read(struct iob_diskset *, const char *root);
/* False if that disk was not there.  name: its kernel name, by which the sum over its paths stands
 * in for counters that the kernel never moved; *paths (may be NULL) is how many, 0 = its own. */
bool iob_diskset_find(const struct iob_diskset *, unsigned major, unsigned minor, const char *name,
	struct iob_diskstat *, unsigned *paths);
void iob_diskset_free(struct iob_diskset *);

#endif
