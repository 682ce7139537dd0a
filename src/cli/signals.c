/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/signals.h"

#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>

int iob_signals_catch(struct iob_signals *s, struct iob_error *err)
{
	static const int which[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM,
		SIGVTALRM, SIGPROF, SIGXCPU, SIGPWR};

	sigemptyset(&s->caught);
	for (size_t i = 0; i < sizeof(which) / sizeof(which[0]); i++) {
		struct sigaction now;

		/* What nohup or a shell has us ignore arrives all the same once it is blocked. */
		if (sigaction(which[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(&s->caught, which[i]);
	}
	signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &s->caught, NULL))
		return iob_fail(err, -errno, "block signals: %m");
	s->fd = signalfd(-1, &s->caught, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->fd < 0)
		return iob_fail(err, -errno, "signalfd: %m");
	return 0;
}

int iob_signals_take(const struct iob_signals *s)
{
	struct signalfd_siginfo info;

	return read(s->fd, &info, sizeof(info)) == (ssize_t)sizeof(info) ? (int)info.ssi_signo : 0;
}

void iob_signals_release(const struct iob_signals *s)
{
	signal(SIGUSR1, SIG_IGN);
	sigprocmask(SIG_UNBLOCK, &s->caught, NULL);
}

void iob_signals_close(struct iob_signals *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}
