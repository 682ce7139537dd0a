/* SPDX-License-Identifier: MIT */
/*
 * The single paths of a disk that the kernel reaches in several ways (NVMe multipath).  Kernels
 * before 6.4 count nothing for such a disk; each of its paths has counters of its own, but is
 * hidden: /proc/diskstats has no line for it, only /sys knows it.
 */
#ifndef IOB_MEASURE_DISKPATHS_H
#define IOB_MEASURE_DISKPATHS_H

#include "measure/hoststat.h"

#define IOB_DISKPATHS_MOST 16

/* Zeroed = none. */
struct iob_diskpaths {
	unsigned count;
	int fd[IOB_DISKPATHS_MOST]; /* of each path's `stat` */
	/* A path that went away keeps what it had counted. */
	struct iob_diskstat last[IOB_DISKPATHS_MOST];
};

/* Is this the name of a path, and of that disk (NULL = of any)? */
bool iob_diskpaths_is_one(const char *name, const char *disk);
/* Gets each path, with its `stat`, which is the callee's to close.  disk as above. */
typedef void iob_diskpaths_visit(void *arg, const char *name, int fd);
void iob_diskpaths_visit_all(const char *root, const char *disk, iob_diskpaths_visit *, void *arg);

/* disk: kernel name ("nvme0n1").  root: "" for the real /sys, else a folder that stands for /.  No
 * error when there are none. */
void iob_diskpaths_open(struct iob_diskpaths *, const char *root, const char *disk);
/* The sum over all paths; false if there are none. */
bool iob_diskpaths_read(struct iob_diskpaths *, struct iob_diskstat *sum);
void iob_diskpaths_close(struct iob_diskpaths *);

#endif
