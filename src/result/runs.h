/* SPDX-License-Identifier: MIT */
/*
 * The runs that are kept without being asked for, so that nothing is lost: one JSON file each in
 * $XDG_STATE_HOME/iotop-bench (~/.local/state/iotop-bench).  The file's name says target and time.
 */
#ifndef IOB_RESULT_RUNS_H
#define IOB_RESULT_RUNS_H

#include <stdio.h>
#include <time.h>

#include "result/result.h"
#include "result/save.h"

#define IOB_RUNS_MOST 200 /* older ones are removed */

/* Save it there; path says where.  Makes the directory. */
int iob_runs_keep(const struct iob_result *, char *path, size_t n, struct iob_error *);

/* What is kept; `name` and `started_s` (since 1970) make the file's name. */
struct iob_runs_document {
	const char *name; /* "nvme0n1", "fio": letters, digits, dots and underscores */
	time_t started_s;
	struct iob_document document;
};

/* The same, for want of a better place in a directory for temporary files, under a name that nobody
 * can have foreseen. */
int iob_runs_rescue(const struct iob_result *, char *path, size_t n, struct iob_error *);
int iob_runs_rescue_document(
	const struct iob_runs_document *, char *path, size_t n, struct iob_error *);

/* What a kept run is known by without being read. */
struct iob_runs_entry {
	char path[IOB_PATH_MAX];
	char target[64]; /* "nvme0n1", "scratch", "null" */
	char when[32];   /* "2026-05-18 14:02" */
};

/* The word that stands for a target in the names of the files. */
char *iob_runs_target(char *buf, size_t n, const struct iob_target_info *);
/* The newest `most` of this target (NULL = of all), the newest first.  *list is to be freed.
 * Returns how many; 0 when there is no directory. */
int iob_runs_list(
	struct iob_runs_entry **list, const char *target, size_t most, struct iob_error *);

#endif
