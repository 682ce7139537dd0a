/* SPDX-License-Identifier: MIT */
/*
 * Profiles: named INI files (read with iniparser) that hold stages in order.
 *
 *	[profile]
 *	summary = 4k random reads, 32 deep
 *	[stage-name]          one section per stage, in order
 *	rw = randread
 *	bs = 4k
 *
 * Every key of a stage is a row of the parameter table.  Searched in this order: a NAME with '/' or
 * ending in ".ini" is a path; the directories of $IOTOP_BENCH_PROFILES (colon separated);
 * $XDG_CONFIG_HOME/iotop-bench/profiles (~/.config if unset); the source tree, if the program runs
 * where it was built (in it or one below); the installed directory.
 */
#ifndef IOB_JOB_PROFILE_H
#define IOB_JOB_PROFILE_H

#include <stddef.h>

#include "job/plan.h"

struct iob_profile_entry {
	char name[IOB_NAME_MAX];
	char summary[128]; /* cleaned of control characters */
	char path[IOB_PATH_MAX];
};

/* Load into plan->stage and plan->profile (the rest stays).  Errors name file, section, key and
 * value. */
int iob_profile_load(struct iob_plan *, const char *name_or_path, struct iob_error *);

/* Write the plan as a profile of the user's own: what was given, but not where it runs.  path gets
 * the file's name; a file that exists is left alone (usage error). */
int iob_profile_save(
	const struct iob_plan *, const char *name, char *path, size_t n, struct iob_error *);

/* Name, summary and place of one profile.  What is wrong with the file itself becomes its summary.
 */
int iob_profile_find(struct iob_profile_entry *, const char *name_or_path, struct iob_error *);

/* All profiles that can be found, first found wins, in the order iops, bandwidth, latency, mixed,
 * then by name. *list is to be freed by the caller.  Returns the count or a negative errno. */
int iob_profile_list(struct iob_profile_entry **list, struct iob_error *);

#endif
