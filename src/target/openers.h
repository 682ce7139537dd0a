/* SPDX-License-Identifier: MIT */
/* Who else has a file or device open, from /proc; without root those of other users stay unseen. */
#ifndef IOB_TARGET_OPENERS_H
#define IOB_TARGET_OPENERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct iob_openers {
	unsigned count;   /* processes, this one left out */
	unsigned writers; /* of them, those that may write through it */
	bool unseen;      /* there are, or may be, processes that cannot be looked into */
	char text[160];   /* "dd (1234, writing), cat (1240)", cleaned and cut */
};

/* writers_only: leave readers out of count and text. */
void iob_openers_find(struct iob_openers *, const struct stat *, bool writers_only);

/* Is a regular file that we hold open for reading open for writing elsewhere?  Asked of the kernel
 * at no cost; false also when it does not say. */
bool iob_openers_may_exist(int fd, bool ours_writes);

#endif
