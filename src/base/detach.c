/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/detach.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

/* The lowest of them from this number on; -1 = none is left. */
static int next_of(const int *fd, unsigned n, int from)
{
	int lowest = -1;

	for (unsigned i = 0; i < n; i++)
		if (fd[i] >= from && (lowest < 0 || fd[i] < lowest))
			lowest = fd[i];
	return lowest;
}

static void close_others(int *fd, unsigned n)
{
	int from = 3, next;

	for (unsigned i = 0; i < n; i++)
		if (fd[i] >= 0 && fd[i] < 3)
			fd[i] = fcntl(fd[i], F_DUPFD_CLOEXEC, 3);
	for (; (next = next_of(fd, n, from)) >= 0; from = next + 1)
		if (next > from)
			close_range((unsigned)from, (unsigned)next - 1, 0);
	close_range((unsigned)from, ~0U, 0);
}

void iob_detach_keeping(int *fd, unsigned n)
{
	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* First of all room for a descriptor: the limit may be reached. */
	close_others(fd, n);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int i = 0; null >= 0 && i < 3; i++)
		dup2(null, i);
	if (null >= 3)
		close(null);
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
