/* SPDX-License-Identifier: MIT */
/* preadv2 and pwritev2 with a vector of one, and flags for each request. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <sys/uio.h>

#include "base/rng.h"
#include "engines/blocking.h"
#include "engines/engines.h"
#include "engines/iopoll.h"
#include "engines/rwflags.h"

#define ALL UINT64_C(100) /* per cent */

struct pvsync2_state {
	struct iob_blocking blocking; /* first */
	int flags;
	uint64_t hipri_percentage;
	struct iob_rng rng;
};

static int pvsync2_probe(struct iob_error *err)
{
	char byte;
	struct iovec vector = {&byte, 1};

	/* A call on no file: only the kernel that lacks the call says ENOSYS. */
	if (preadv2(-1, &vector, 1, 0, 0) < 0 && (errno == ENOSYS || errno == EPERM))
		return iob_fail(err, -errno,
			"pvsync2: preadv2: %m: the kernel is older than 4.6 or a system call filter "
			"(seccomp) forbids it; use --ioengine=pvsync");
	return 0;
}

static int pvsync2_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct pvsync2_state *s = state;
	int ret = iob_rwflags_of(env, err);

	if (ret < 0)
		return ret;
	s->blocking.targets = env->targets;
	s->flags = ret;
	if (!env->job->hipri)
		return 0;
	s->flags |= RWF_HIPRI;
	s->hipri_percentage = env->job->hipri_percentage;
	iob_rng_seed(&s->rng, env->job->randseed, 0);
	return iob_iopoll_check("", env, err);
}

static ssize_t once(int fd, const struct iob_req *req, int flags)
{
	struct iovec vector = {req->buf, req->length};

	if (req->op == IOB_OP_READ)
		return preadv2(fd, &vector, 1, (off_t)req->offset, flags);
	return pwritev2(fd, &vector, 1, (off_t)req->offset, flags);
}

static int64_t transfer(struct iob_blocking *b, const struct iob_req *req)
{
	struct pvsync2_state *s = (struct pvsync2_state *)b;
	int fd = b->targets[req->file].fd, flags = s->flags;
	unsigned tries = 0;
	ssize_t n;

	if ((flags & RWF_HIPRI) && iob_rng_below(&s->rng, ALL) >= s->hipri_percentage)
		flags &= ~RWF_HIPRI;
	do {
		n = once(fd, req, flags);
		/* Refused because it would wait: now it waits, so that each request ends. */
		if (n < 0 && errno == EAGAIN)
			flags &= ~RWF_NOWAIT;
	} while (n < 0 && iob_blocking_again(errno, &tries));
	return n < 0 ? -errno : n;
}

static int pvsync2_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	(void)min;
	(void)timeout_ns;
	return iob_blocking_reap(state, done, max, transfer);
}

static void pvsync2_flags(const void *state, char *buf, size_t n)
{
	const struct pvsync2_state *s = state;

	snprintf(buf, n, "blocking%s%s%s", s->flags & RWF_HIPRI ? " hipri" : "",
		s->flags & IOB_RWF_DONTCACHE ? " uncached" : "",
		s->flags & RWF_NOWAIT ? " nowait" : "");
}

static void pvsync2_close(void *state)
{
	(void)state;
}

static const char *const params[] = {"hipri", "hipri_percentage", "uncached", "nowait", NULL};

const struct iob_engine iob_engine_pvsync2 = {
	.name = "pvsync2",
	.summary = "preadv2 and pwritev2: as pvsync, with flags",
	.caps = IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS | IOB_ENGINE_SYNC_RANGE |
		IOB_ENGINE_OWN_TABLE,
	.max_capacity = 1,
	.params = params,
	.state_size = sizeof(struct pvsync2_state),
	.probe = pvsync2_probe,
	.open = pvsync2_open,
	.queue = iob_blocking_queue,
	.reap = pvsync2_reap,
	.flags = pvsync2_flags,
	.close = pvsync2_close,
};
