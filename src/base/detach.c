/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/detach.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

void iob_detach_keeping(int *fd, unsigned n)
{
	const int end = 3 + (int)n;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; null >= 0 && i < 3; i++)
		dup2(null, i);
	/* Out of the way of each other first. */
	for (unsigned i = 0; i < n; i++)
		fd[i] = fcntl(fd[i], F_DUPFD_CLOEXEC, end);
	for (unsigned i = 0; i < n; i++)
		fd[i] = fd[i] < 0 ? -1 : dup3(fd[i], 3 + (int)i, O_CLOEXEC);
	close_range((unsigned)end, ~0U, 0);
}

int iob_detach(int keep_fd)
{
	iob_detach_keeping(&keep_fd, 1);
	return keep_fd;
}

void iob_leave_signals_to_front(void)
{
	static const int ignored[] = {SIGXFSZ, SIGPIPE, SIGINT, SIGQUIT, SIGHUP, SIGTSTP, SIGTERM,
		SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPWR};

	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		(void)signal(ignored[i], SIG_IGN);
}
