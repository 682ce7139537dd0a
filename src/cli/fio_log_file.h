/* SPDX-License-Identifier: MIT */
/*
 * A log file while it grows, in the process that writes logs: whole lines only, on the disk within
 * seconds.  What goes wrong is told in the page, and ends the file behind its last whole line; all
 * calls are legal after that, and do nothing.
 */
#ifndef IOB_CLI_FIO_LOG_FILE_H
#define IOB_CLI_FIO_LOG_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cli/fio_log_page.h"

struct iob_log_file {
	int fd; /* -1 = there is none, or it has failed */
	struct iob_log_page *page;
	struct iob_log_wait *wait;
	unsigned which;    /* see iob_log_wait */
	char *text;        /* owned: whole lines that are not written yet */
	size_t used, room; /* bytes in it; that the next lines may take at most */
	off_t size;        /* of what stands in the file */
	bool unsynced;
	char path[PATH_MAX];
};

/* An empty file, new or one that was there when places were checked.  The rest is said by the
 * caller: page, wait, which, room, path. */
void iob_log_file_open(struct iob_log_file *);
/* Where the next lines are to be put, `room` bytes; NULL = nobody wants them.  And where they end.
 */
char *iob_log_file_next(struct iob_log_file *);
void iob_log_file_add(struct iob_log_file *, const char *end);
/* All lines into the file; and onto the disk. */
void iob_log_file_flush(struct iob_log_file *);
void iob_log_file_sync(struct iob_log_file *);
/* All of `part`, which is removed then, behind what stands there. */
void iob_log_file_append(struct iob_log_file *, struct iob_log_file *part);
void iob_log_file_close(struct iob_log_file *);

#endif
