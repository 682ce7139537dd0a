/* SPDX-License-Identifier: MIT */
/*
 * What files will take of their file systems: of each IOB_KEEP_FREE_PERCENT stay free, whatever is
 * laid out, and whatever I/O fills holes afterwards.  Asked before the first byte is written; what
 * is still to be taken then is promised, and counts for who asks later.
 */
#ifndef IOB_TARGET_SPACE_H
#define IOB_TARGET_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "target/filesystem.h"

/* What a file will take beyond what it has, in bytes. */
struct iob_space_wish {
	const char *path; /* it need not exist, nor the directories that lead to it */
	uint64_t laid;    /* before the run: laid out or set aside */
	uint64_t may;     /* besides: what the run may come to take of it */
	bool holes;       /* `may` lies in holes of a file that exists; for the words */
};

/* Who asks. */
struct iob_space_asker {
	uint32_t owner; /* number of the clone: it asks again for what it was promised before */
	uint64_t cap;   /* all its `may` together come to no more; UINT64_MAX = no cap */
};

/* 0, or -ENOSPC with the figures and the remedy.  A file may be wished for twice.  Others are those
 * that iob_kin_before tells of. */
int iob_space_check(const struct iob_space_wish *, unsigned n, const struct iob_space_asker *,
	struct iob_error *);

/* They will be made and laid out by this process when its turn has come. */
void iob_space_promise_ahead(
	const struct iob_space_wish *, unsigned n, const struct iob_space_asker *);
/* The file, open as fd while its targets are, may come to have `most` bytes. */
void iob_space_promise(int fd, uint64_t most, const struct iob_space_asker *);
/* What is open as fd will take no more than it has: it is about to be closed. */
void iob_space_settle(int fd);

/* In what units space is given away there, in bytes: of a file that is there, or of where it will
 * be made. */
uint64_t iob_space_unit(const char *path);
/* Bytes that the file has. */
uint64_t iob_space_taken(const struct stat *);

/* The words for "no space": code -ENOSPC or -EDQUOT.  doing: "laying out PATH"; room: as it was
 * before; others: of it for other files, or 0. */
int iob_space_refuse(int code, const char *doing, uint64_t wanted, const struct iob_room *room,
	uint64_t others, struct iob_error *);

#endif
