/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "engines/guarded_copy.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/* The copy that a thread is at.  A bus error is raised by the very instruction that touches the
 * page, in the thread that executes it, so nothing else can be interrupted by it. */
struct guard {
	uintptr_t begin, end;
	sigjmp_buf back;
};

static _Thread_local struct guard *volatile current;
static struct sigaction before;
static int install_code;

static void on_bus_error(int number, siginfo_t *info, void *context)
{
	struct guard *guard = current;
	uintptr_t at = (uintptr_t)info->si_addr;

	if (guard && info->si_code > 0 && at >= guard->begin && at < guard->end)
		siglongjmp(guard->back, 1);
	if (before.sa_flags & SA_SIGINFO) {
		before.sa_sigaction(number, info, context);
		return;
	}
	if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
		before.sa_handler(number);
		return;
	}
	/* The instruction is executed again, and ends the process as it would have without us. */
	signal(SIGBUS, SIG_DFL);
}

static void install(void)
{
	/* SA_NODEFER: the jump leaves the signal as it was, unblocked. */
	struct sigaction action = {
		.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};

	sigemptyset(&action.sa_mask);
	if (sigaction(SIGBUS, &action, &before) < 0)
		install_code = -errno;
}

int iob_guarded_copy_enable(struct iob_error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	sigset_t bus;

	pthread_once(&once, install);
	if (install_code < 0)
		return iob_fail(err, install_code, "mmap: a handler of bus errors: %m");
	/* Workers block all signals; a blocked bus error kills the process. */
	sigemptyset(&bus);
	sigaddset(&bus, SIGBUS);
	int ret = pthread_sigmask(SIG_UNBLOCK, &bus, NULL);
	return ret ? iob_fail(err, -ret, "mmap: unblocking SIGBUS: %m") : 0;
}

__attribute__((noinline)) bool iob_guarded_copy(
	void *to, const void *from, size_t n, const void *map, size_t size)
{
	struct guard guard;

	guard.begin = (uintptr_t)map;
	guard.end = guard.begin + size;
	if (sigsetjmp(guard.back, 0) != 0) {
		current = NULL;
		return false;
	}
	current = &guard;
	memcpy(to, from, n);
	/* The copy may not be moved behind this. */
	atomic_signal_fence(memory_order_seq_cst);
	current = NULL;
	return true;
}
