/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "engines/own_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* By the descriptor and not by the name: scratch files have none.  Of this thread: its table of
 * descriptors may be its own. */
static int open_again(int fd, int flags)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/thread-self/fd/%d", fd);
	return open(path, flags | O_CLOEXEC | O_NOCTTY);
}

static int open_one(struct iob_own_file *own, const struct iob_target *target, const char *engine,
	struct iob_error *err)
{
	int flags = fcntl(target->fd, F_GETFL);
	struct stat st;

	own->fd = -1;
	/* What has no descriptor fails by request. */
	if (flags < 0 || fstat(target->fd, &st) < 0)
		return 0;
	own->writable = (flags & O_ACCMODE) != O_RDONLY;
	own->not_ours = !S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode) && !S_ISDIR(st.st_mode);
	own->fd = own->not_ours ? target->fd : open_again(target->fd, flags);
	if (own->fd >= 0)
		return 0;
	return iob_fail(err, -errno,
		"%s: opening %s again for a worker of its own: %m; raise `ulimit -n`, lower "
		"numjobs or nrfiles, or use --ioengine=psync",
		engine, target->path);
}

int iob_own_files_open(struct iob_own_file **out, const struct iob_engine_env *env,
	const char *engine, struct iob_error *err)
{
	struct iob_own_file *own = calloc(env->ntargets ? env->ntargets : 1, sizeof(*own));

	if (!own)
		return iob_fail(err, -ENOMEM, "%s: no memory for %u files", engine, env->ntargets);
	for (unsigned i = 0; i < env->ntargets; i++) {
		int ret = open_one(&own[i], &env->targets[i], engine, err);

		if (ret < 0) {
			iob_own_files_close(own, i);
			return ret;
		}
	}
	*out = own;
	return 0;
}

void iob_own_files_close(struct iob_own_file *own, unsigned n)
{
	for (unsigned i = 0; own && i < n; i++)
		if (own[i].fd >= 0 && !own[i].not_ours)
			close(own[i].fd);
	free(own);
}
