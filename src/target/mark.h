/* SPDX-License-Identifier: MIT */
/*
 * A file that we made carries a mark (an extended attribute) with the time at which we wrote to it
 * last.  While that is still the time of its last change, nobody else has put anything there: a
 * later run may write it without consent, as it may write what it made itself.  Where a file system
 * has no such attributes there is no mark, and consent is asked for.
 */
#ifndef IOB_TARGET_MARK_H
#define IOB_TARGET_MARK_H

#include <stdbool.h>
#include <sys/stat.h>

/* Made by us just now, or `holds` was true before we wrote to it: set the mark to its present
 * state. */
void iob_mark_set(int fd);
/* The file's content is ours alone. */
bool iob_mark_holds(const char *path, const struct stat *);

#endif
