/* SPDX-License-Identifier: MIT */
/*
 * What iniparser cannot tell of a profile: the order of its sections and keys, their lines, their
 * names as written; and clear errors for all that iniparser takes wrongly in silence (repeated
 * sections and keys, joined lines) or refuses without words (lines over 1024 bytes).  For the
 * profile_*.c files alone.
 */
#ifndef IOB_JOB_PROFILE_SCAN_H
#define IOB_JOB_PROFILE_SCAN_H

#include <stddef.h>

#include "base/error.h"
#include "job/profile.h"

struct iob_profile_key {
	unsigned line;
	char name[IOB_NAME_MAX];
};

struct iob_profile_section {
	unsigned line;
	char name[IOB_NAME_MAX];
	size_t nkeys;
	struct iob_profile_key *keys; /* owned */
};

struct iob_profile_scan {
	size_t nsections;
	struct iob_profile_section *sections; /* owned */
};

/* Usage errors name file:line.  On failure too the scan is to be freed. */
int iob_profile_scan(struct iob_profile_scan *, const char *path, struct iob_error *);
/* Legal on a zeroed object. */
void iob_profile_scan_free(struct iob_profile_scan *);

/* Where the profile of that name is; a usage error with a suggestion when there is none. */
int iob_profile_path(char *path, size_t n, const char *name_or_path, struct iob_error *);

/* Fill an entry of the list from a file; what is wrong with the file becomes the summary.  Fails
 * only without memory. */
int iob_profile_describe(struct iob_profile_entry *, const char *path);

#endif
