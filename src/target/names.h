/* SPDX-License-Identifier: MIT */
/* fio's lists of file names: ':' between them, "\:" is a colon, "\\" a backslash. */
#ifndef IOB_TARGET_NAMES_H
#define IOB_TARGET_NAMES_H

#include "base/error.h"

#define IOB_NAMES_MOST 4096

struct iob_names {
	unsigned count;
	char **name; /* owned, each */
};

/* Relative names are put into directory unless that is "".  On failure nothing is left. */
int iob_names_split(
	struct iob_names *, const char *list, const char *directory, struct iob_error *);
/* All regular files below a directory, sorted; links are not followed. */
int iob_names_below(struct iob_names *, const char *directory, struct iob_error *);
void iob_names_free(struct iob_names *);

/* Make the directories that lead to the path and are missing, mode 0700, none under /dev. */
int iob_names_make_directories(const char *path, struct iob_error *);

#endif
