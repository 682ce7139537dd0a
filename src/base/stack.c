/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/stack.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>

/* Reports and screens hold whole histograms and paths there. */
#define LEAST  ((rlim_t)512 << 10)
#define WANTED ((rlim_t)8 << 20)

/* The library took the size for new threads from the limit when the program began. */
static void give_threads(size_t bytes)
{
	pthread_attr_t attr;

	if (pthread_attr_init(&attr) != 0)
		return;
	if (pthread_attr_setstacksize(&attr, bytes) == 0)
		(void)pthread_setattr_default_np(&attr);
	pthread_attr_destroy(&attr);
}

int iob_stack_ensure(struct iob_error *err)
{
	struct rlimit stack;

	if (getrlimit(RLIMIT_STACK, &stack) < 0 || stack.rlim_cur >= LEAST)
		return 0;
	unsigned long kib = (unsigned long)(stack.rlim_max >> 10);
	if (stack.rlim_max < LEAST)
		return iob_fail(err, -ENOMEM,
			"the stack is limited to %luKiB, and %luKiB are needed; raise `ulimit -s`",
			kib, (unsigned long)(LEAST >> 10));
	stack.rlim_cur = stack.rlim_max < WANTED ? stack.rlim_max : WANTED;
	if (setrlimit(RLIMIT_STACK, &stack) < 0)
		return iob_fail(err, -errno, "raise the limit of the stack: %m");
	give_threads((size_t)stack.rlim_cur);
	return 0;
}
