/* SPDX-License-Identifier: MIT */
/*
 * A file that we made carries a mark (an extended attribute) with what it was when we wrote to it
 * last: device, inode, size and the time of its last change.  While it is still all that, nobody
 * else has put anything there: a later run may write it without consent, as it may write what it
 * made itself.  A copy that took the attribute and the time along is another inode, and what has a
 * second name was linked there by somebody: neither holds.  Where a file system has no such
 * attributes, or keeps times in whole seconds, there is no mark, and consent is asked for.
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
