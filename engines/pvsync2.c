/* SPDX-License-Identifier: MIT */
/* preadv2 and pwritev2 with a vector of one, and flags for each request. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>

#include "base/cleanup.h"
#include "engines/blocking.h"
#include "engines/engines.h"

/* Younger than many headers (Linux 6.14). */
#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE 0x80
#endif

struct pvsync2_state {
	struct iob_blocking blocking; /* first */
	int flags;
};

struct kind {
	int flag;
	const char *param, *remedy;
};

static const struct kind kinds[] = {
	{RWF_HIPRI, "hipri", "leave it out"},
	{RWF_DONTCACHE, "uncached",
		"it takes Linux 6.14 and a file system that knows RWF_DONTCACHE (ext4, XFS, btrfs); "
		"leave it out"},
	{RWF_NOWAIT, "nowait", "leave it out, or use --direct=1"},
};
#define NKINDS (sizeof(kinds) / sizeof(*kinds))

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

/* Has the queue of the disk behind fd been given to polling?  -1 = not known. */
static int has_polling(int fd)
{
	/* Of a partition, and of a disk. */
	static const char *const queues[] = {"../queue", "queue"};
	struct stat st;
	char path[96];
	int value = -1;

	if (fstat(fd, &st) < 0)
		return -1;
	dev_t dev = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
	for (unsigned i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%s/io_poll", major(dev),
			minor(dev), queues[i]);
		IOB_FILE FILE *f = fopen(path, "re");
		if (f && fscanf(f, "%d", &value) != 1)
			value = -1;
	}
	return value;
}

/* A flag that would do nothing must not stand in the report as if it had done something. */
static int check_sense(int flags, const struct iob_engine_env *env, struct iob_error *err)
{
	if ((flags & RWF_HIPRI) && !env->direct)
		return iob_fail_usage(
			err, "hipri: buffered I/O cannot be polled for; use --direct=1");
	if ((flags & RWF_DONTCACHE) && env->direct)
		return iob_fail_usage(err, "uncached: direct I/O leaves nothing in the page cache "
					   "anyway; leave it out, or use --direct=0");
	for (unsigned i = 0; (flags & RWF_HIPRI) && i < env->ntargets; i++)
		if (has_polling(env->targets[i].fd) == 0)
			return iob_fail(err, -EOPNOTSUPP,
				"hipri: the driver behind %s has no queues for polling "
				"(queue/io_poll is 0; for NVMe: load it with nvme.poll_queues=1 or "
				"more); leave hipri out",
				env->targets[i].path);
	return 0;
}

/* Reads at the end of the file, where there is nothing to be read: the flag is looked at first. */
static int try_flag(const struct iob_target *target, const struct kind *kind, struct iob_error *err)
{
	_Alignas(4096) char page[4096];
	struct iovec vector = {page, sizeof(page)};
	/* The last multiple of the page above the end; beyond the end is the end. */
	off_t at = (off_t)((target->size + sizeof(page) - 1) / sizeof(page) * sizeof(page));

	if (preadv2(target->fd, &vector, 1, at, kind->flag) >= 0 ||
		(errno != EOPNOTSUPP && errno != ENOTSUP))
		return 0;
	return iob_fail(err, -EOPNOTSUPP, "%s: not known to the kernel for %s; %s", kind->param,
		target->path, kind->remedy);
}

static int pvsync2_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct pvsync2_state *s = state;
	int ret;

	s->blocking.targets = env->targets;
	s->flags = (env->job->hipri ? RWF_HIPRI : 0) | (env->job->uncached ? RWF_DONTCACHE : 0) |
		   (env->job->nowait ? RWF_NOWAIT : 0);
	ret = check_sense(s->flags, env, err);
	for (unsigned i = 0; ret == 0 && i < env->ntargets; i++)
		for (unsigned k = 0; ret == 0 && k < NKINDS; k++)
			if (s->flags & kinds[k].flag)
				ret = try_flag(&env->targets[i], &kinds[k], err);
	return ret;
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
	int fd = b->targets[req->file].fd, flags = ((struct pvsync2_state *)b)->flags;
	ssize_t n;

	do {
		n = once(fd, req, flags);
		/* Refused because it would wait: now it waits, so that each request ends. */
		if (n < 0 && errno == EAGAIN)
			flags &= ~RWF_NOWAIT;
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
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
		s->flags & RWF_DONTCACHE ? " uncached" : "",
		s->flags & RWF_NOWAIT ? " nowait" : "");
}

static void pvsync2_close(void *state)
{
	(void)state;
}

static const char *const params[] = {"hipri", "uncached", "nowait", NULL};

const struct iob_engine iob_engine_pvsync2 = {
	.name = "pvsync2",
	.summary = "preadv2 and pwritev2: as pvsync, with flags",
	.caps = IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS,
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
