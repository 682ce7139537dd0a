/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "engines/rwflags.h"

#include <errno.h>
#include <stdalign.h>
#include <sys/uio.h>
#include <unistd.h>

#define PROBE 4096

/* Does the kernel know the flag for this file?  Some know it for reads alone; a write is nothing to
 * try. */
static bool is_known(const struct iob_engine_env *env, int flag)
{
	alignas(PROBE) unsigned char buf[PROBE];
	struct iovec iov = {buf, sizeof(buf)};

	if (env->ntargets == 0)
		return true;
	ssize_t got = preadv2(env->targets[0].fd, &iov, 1, 0, flag);
	return got >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS);
}

int iob_rwflags_of(const struct iob_engine_env *env, struct iob_error *err)
{
	int flags = 0;

	if (env->job->uncached && env->direct)
		return iob_fail_usage(err,
			"uncached=1: direct I/O does not go through the page cache; add direct=0 or "
			"leave uncached out");
	if (env->job->uncached && !is_known(env, IOB_RWF_DONTCACHE))
		return iob_fail(err, -EOPNOTSUPP,
			"uncached=1: %m: the kernel is older than 6.14, or the file system of %.200s does "
			"not know it; leave it out, or use direct=1",
			env->targets[0].path);
	if (env->job->nowait && !is_known(env, RWF_NOWAIT))
		return iob_fail(err, -EOPNOTSUPP,
			"nowait=1: %m: the file system or the driver of %.200s does not know it; leave "
			"it out",
			env->targets[0].path);
	if (env->job->uncached)
		flags |= IOB_RWF_DONTCACHE;
	if (env->job->nowait)
		flags |= RWF_NOWAIT;
	return flags;
}

const char *iob_rwflags_explain(int flags, const struct iob_req *req)
{
	if (req->result == -EOPNOTSUPP && flags & RWF_NOWAIT)
		return "the file system or the driver does not know nowait for it; use direct=1 or "
		       "leave nowait out";
	if (req->result == -EOPNOTSUPP && flags & IOB_RWF_DONTCACHE)
		return "the file system does not know uncached for it; leave uncached out";
	return NULL;
}
