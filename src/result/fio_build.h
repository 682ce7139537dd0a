/* SPDX-License-Identifier: MIT */
/*
 * From a fleet to the figures of fio's reports.  An entry is one clone, or with group_reporting all
 * clones of a group that follow each other.  How the figures of several are put together is fio's
 * (doc/measuring.md): counts and histograms are added, of runtimes the longest counts, samples of
 * bandwidth are added as if they had been taken at the same time.
 */
#ifndef IOB_RESULT_FIO_BUILD_H
#define IOB_RESULT_FIO_BUILD_H

#include "result/fio_report.h"
#include "run/fleet.h"

/* May be called while the fleet runs (interim).  Pair with iob_fio_report_free, before the fleet
 * and its jobs are freed. */
int iob_fio_build(struct iob_fio_report *, struct iob_fleet *, bool interim, struct iob_error *);

/* For the files of fio_build: */

/* The clones of an entry: `count` of them from `first` on. */
struct iob_fio_members {
	struct iob_fleet *fleet;
	unsigned first, count;
};

/* What all did together in intervals of IOB_INTERVAL_NS from the start of the earliest. */
struct iob_fio_bandwidth {
	uint64_t bytes[IOB_NDIR];
};
/* fio_build_samples.c: from interval `from` on; *out is the caller's to free; how many there are,
 * or an error.  While the fleet runs the newest may still grow. */
ssize_t iob_fio_build_bandwidth(const struct iob_fio_members *, size_t from,
	struct iob_fio_bandwidth **out, struct iob_error *);

/* fio_build_samples.c: the samples of all directions of the entry. */
int iob_fio_build_samples(
	struct iob_fio_entry *, const struct iob_fio_members *, struct iob_error *);
/* fio_build_disks.c: the disks below the targets of all clones. */
int iob_fio_build_disks(struct iob_fio_report *, struct iob_fleet *, struct iob_error *);

#endif
