/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/detach.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

/* First of all room for a descriptor: the limit may be reached. */
static int close_others(int keep_fd)
{
	if (keep_fd >= 0 && keep_fd < 3)
		keep_fd = fcntl(keep_fd, F_DUPFD_CLOEXEC, 3);
	if (keep_fd > 3)
		close_range(3, (unsigned)keep_fd - 1, 0);
	if (keep_fd >= 3)
		close_range((unsigned)keep_fd + 1, ~0U, 0);
	return keep_fd;
}

int iob_detach(int keep_fd)
{
	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	keep_fd = close_others(keep_fd);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	if (null >= 3)
		close(null);
	return keep_fd;
}
