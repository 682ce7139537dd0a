/* SPDX-License-Identifier: MIT */
/*
 * Release at the end of the scope, for set-up and parse code:
 *	IOB_FREE char *line = NULL;
 *	IOB_FD int fd = open(...);
 *	IOB_FILE FILE *f = fopen(...);
 * To hand the object on: return iob_steal(&line), iob_steal_fd(&fd).
 */
#ifndef IOB_BASE_CLEANUP_H
#define IOB_BASE_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void iob_cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void iob_cleanup_fd(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void iob_cleanup_file(FILE **f)
{
	if (*f)
		fclose(*f);
}

static inline int iob_steal_fd(int *fd)
{
	int value = *fd;

	*fd = -1;
	return value;
}

#define iob_steal(p)                                                                               \
	__extension__({                                                                            \
		__auto_type stolen_ = *(p);                                                        \
		*(p) = NULL;                                                                       \
		stolen_;                                                                           \
	})

#define IOB_FREE __attribute__((unused, cleanup(iob_cleanup_free)))
#define IOB_FD   __attribute__((unused, cleanup(iob_cleanup_fd)))
#define IOB_FILE __attribute__((unused, cleanup(iob_cleanup_file)))

#endif
