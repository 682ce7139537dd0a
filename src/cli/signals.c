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

/* Those that came during a talk, in two words since none may be lost. */
static volatile sig_atomic_t noted, noted_later;

static void note(int number)
{
	if (noted)
		noted_later = number;
	else
		noted = number;
}

static void handle(const struct iob_signals *s, void (*handler)(int))
{
	/* No SA_RESTART: a write shall end. */
	struct sigaction action = {.sa_handler = handler, .sa_mask = s->caught};

	for (int number = 1; number < NSIG; number++)
		if (sigismember(&s->caught, number) == 1)
			sigaction(number, &action, NULL);
}

void iob_signals_begin_talk(const struct iob_signals *s)
{
	handle(s, note);
	sigprocmask(SIG_UNBLOCK, &s->caught, NULL);
}

void iob_signals_end_talk(const struct iob_signals *s)
{
	sigprocmask(SIG_BLOCK, &s->caught, NULL);
	handle(s, SIG_DFL);
}

/* Only while they are blocked. */
static int take_noted(void)
{
	int number = noted;

	noted = noted_later;
	noted_later = 0;
	return number;
}

int iob_signals_take(const struct iob_signals *s)
{
	struct signalfd_siginfo info;

	if (noted)
		return take_noted();
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
