/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

/* A standard stream that is closed would be the number of the next file to be opened, and a report
 * would go there.  Opened the wrong way round, its use is the error that it should be. */
static void fill(int fd)
{
	if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
		(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Somebody before us left the pipe or terminal so that it refuses what it cannot take at once, and
 * may need it so: we open our own, which waits. */
static void make_patient(int fd)
{
	char self[32];
	struct stat st;
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || !(flags & O_NONBLOCK) || fstat(fd, &st) < 0 ||
		!(S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode)))
		return;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	/* To open a pipe without a reader would wait for one. */
	IOB_FD int own = open(self, (flags & O_ACCMODE) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (own >= 0 && fcntl(own, F_SETFL, flags & ~O_NONBLOCK) == 0)
		dup2(own, fd);
}

void iob_streams_mend(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		fill(fd);
	make_patient(STDOUT_FILENO);
	make_patient(STDERR_FILENO);
}

bool iob_stream_takes_more(int fd)
{
	struct pollfd there = {.fd = fd, .events = POLLOUT};

	return fd < 0 || poll(&there, 1, 0) != 0;
}
