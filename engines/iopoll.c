/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "engines/iopoll.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"

/* First number of the file, or -1. */
static long read_number(const char *root, const char *path)
{
	char full[512];
	long value;

	snprintf(full, sizeof(full), "%s%s", root, path);
	IOB_FILE FILE *f = fopen(full, "re");
	return f && fscanf(f, "%ld", &value) == 1 ? value : -1;
}

/* queue/io_poll of the disk, or of the disk of the partition; -1 = not known. */
static long queue_polls(const char *root, dev_t dev, char *where, size_t n)
{
	for (unsigned up = 0; up < 2; up++) {
		snprintf(where, n, "/sys/dev/block/%u:%u/%squeue/io_poll", major(dev), minor(dev),
			up ? "../" : "");
		long polls = read_number(root, where);
		if (polls >= 0)
			return polls;
	}
	return -1;
}

static int refuse_queue(
	const char *root, const char *path, const char *where, struct iob_error *err)
{
	long nvme = read_number(root, "/sys/module/nvme/parameters/poll_queues");

	if (nvme >= 0)
		return iob_fail(err, -EOPNOTSUPP,
			"hipri=1: the disk of %.150s has no poll queues (%s is 0; for NVMe, "
			"/sys/module/nvme/parameters/poll_queues is %ld: load the driver with "
			"nvme.poll_queues=N); leave hipri out",
			path, where, nvme);
	return iob_fail(err, -EOPNOTSUPP,
		"hipri=1: the disk of %.150s has no poll queues (%s is 0; its driver must offer "
		"them, as nvme does with nvme.poll_queues=N); leave hipri out",
		path, where);
}

int iob_iopoll_check(const char *root, const struct iob_engine_env *env, struct iob_error *err)
{
	char where[96];

	if (!env->direct)
		return iob_fail_usage(err,
			"hipri=1: only direct I/O can be polled for; add direct=1 or leave hipri out");
	for (unsigned i = 0; i < env->ntargets; i++) {
		struct stat st;

		if (fstat(env->targets[i].fd, &st) < 0 || S_ISCHR(st.st_mode))
			continue;
		dev_t dev = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
		if (queue_polls(root, dev, where, sizeof(where)) == 0)
			return refuse_queue(root, env->targets[i].path, where, err);
	}
	return 0;
}
