/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/detach.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

int iob_detach(int keep_fd)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	keep_fd = fcntl(keep_fd, F_DUPFD_CLOEXEC, 3);
	if (keep_fd > 3)
		close_range(3, (unsigned)keep_fd - 1, 0);
	if (keep_fd >= 3)
		close_range((unsigned)keep_fd + 1, ~0U, 0);
	return keep_fd;
}

void iob_leave_signals_to_front(void)
{
	static const int ignored[] = {SIGXFSZ, SIGPIPE, SIGINT, SIGQUIT, SIGHUP, SIGTSTP, SIGTERM,
		SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPWR};

	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		(void)signal(ignored[i], SIG_IGN);
}
