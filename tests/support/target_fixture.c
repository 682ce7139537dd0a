/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/support/target_fixture.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/blkpg.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"

#define MOST 4

char fixture_dir[512];
static char mounts[MOST][1024], swaps[MOST][1024], loops[MOST][64];
static int loop_fds[MOST];
static unsigned nmounts, nswaps, nloops;
static struct {
	char device[64];
	int number;
} partitions[MOST];
static unsigned npartitions;

void fixture_open(void)
{
	const char *base = getenv("TMPDIR");

	snprintf(fixture_dir, sizeof(fixture_dir), "%s/iob-target-XXXXXX", base ? base : "/tmp");
	cr_assert_not_null(mkdtemp(fixture_dir));
}

static int remove_entry(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static int partition_op(const char *device, int op, struct blkpg_partition *part)
{
	struct blkpg_ioctl_arg arg = {.op = op, .datalen = sizeof(*part), .data = part};
	IOB_FD int fd = open(device, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -1 : ioctl(fd, BLKPG, &arg);
}

void fixture_close(void)
{
	while (nswaps > 0)
		swapoff(swaps[--nswaps]);
	while (nmounts > 0)
		umount2(mounts[--nmounts], MNT_DETACH);
	while (npartitions > 0) {
		struct blkpg_partition part = {.pno = partitions[--npartitions].number};

		partition_op(partitions[npartitions].device, BLKPG_DEL_PARTITION, &part);
	}
	while (nloops > 0)
		close(loop_fds[--nloops]);
	if (fixture_dir[0] != '\0')
		nftw(fixture_dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	fixture_dir[0] = '\0';
}

const char *fixture_path(const char *name)
{
	static char buffers[8][1024];
	static unsigned next;
	char *buf = buffers[next++ % 8];

	snprintf(buf, sizeof(buffers[0]), "%s/%s", fixture_dir, name);
	return buf;
}

static void make_parents(const char *path)
{
	char copy[1024];

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *c = copy + strlen(fixture_dir) + 1; *c; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		cr_assert(mkdir(copy, 0755) == 0 || errno == EEXIST);
		*c = '/';
	}
}

void fixture_write(const char *name, const char *text)
{
	const char *path = fixture_path(name);

	make_parents(path);
	FILE *f = fopen(path, "we");
	cr_assert_not_null(f);
	fputs(text, f);
	cr_assert_eq(fclose(f), 0);
}

void fixture_link(const char *name, const char *target)
{
	const char *path = fixture_path(name);

	make_parents(path);
	cr_assert_eq(symlink(target, path), 0);
}

const char *fixture_data(const char *name, size_t size)
{
	const char *path = fixture_path(name);
	IOB_FD int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
	char block[4096];

	cr_assert_geq(fd, 0);
	for (size_t at = 0; at < size; at += sizeof(block)) {
		for (size_t i = 0; i < sizeof(block); i++)
			block[i] = (char)((at >> 12) * 31 + i * 7 + 1);
		size_t n = size - at < sizeof(block) ? size - at : sizeof(block);
		cr_assert_eq(write(fd, block, n), (ssize_t)n);
	}
	return path;
}

uint64_t fixture_digest(const char *path)
{
	IOB_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t hash = UINT64_C(14695981039346656037);
	static uint64_t block[1 << 16];
	ssize_t n = 0;

	cr_assert_geq(fd, 0, "open %s", path);
	while ((n = read(fd, block, sizeof(block))) > 0) {
		memset((char *)block + n, 0, sizeof(block) - (size_t)n);
		for (size_t i = 0; i * sizeof(block[0]) < (size_t)n; i++)
			hash = (hash ^ block[i]) * UINT64_C(1099511628211);
	}
	cr_assert_eq(n, 0);
	return hash;
}

unsigned fixture_count(const char *folder)
{
	DIR *d = opendir(folder);
	unsigned n = 0;

	cr_assert_not_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

const char *fixture_loop(const char *file, unsigned sector_size, const char **why)
{
	char *device = loops[nloops];

	if (geteuid() != 0) {
		*why = "a loop device needs root";
		return NULL;
	}
	IOB_FD int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	IOB_FD int backing = open(file, O_RDWR | O_CLOEXEC);
	if (control < 0 || backing < 0) {
		*why = "no /dev/loop-control here";
		return NULL;
	}
	/* Somebody else may take the free one first. */
	for (int attempt = 0; attempt < 16; attempt++) {
		int number = ioctl(control, LOOP_CTL_GET_FREE);
		if (number < 0)
			break;
		snprintf(device, sizeof(loops[0]), "/dev/loop%d", number);
		IOB_FD int fd = open(device, O_RDWR | O_CLOEXEC);
		/* Detached by the last close, also when a test dies. */
		struct loop_config config = {.fd = (unsigned)backing,
			.block_size = sector_size,
			.info.lo_flags = LO_FLAGS_AUTOCLEAR};
		if (fd >= 0 && ioctl(fd, LOOP_CONFIGURE, &config) == 0) {
			loop_fds[nloops++] = iob_steal_fd(&fd);
			return device;
		}
		if (fd >= 0 && errno != EBUSY)
			break;
	}
	*why = "no loop device can be attached here";
	return NULL;
}

int fixture_run(const char *const argv[])
{
	int status = 0;
	pid_t pid = fork();

	cr_assert_geq(pid, 0);
	if (pid == 0) {
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);

		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		setenv("PATH", "/usr/sbin:/sbin:/usr/bin:/bin", 1);
		execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void fixture_mount(const char *device, const char *folder, const char *type, const char *options)
{
	cr_assert(mkdir(folder, 0755) == 0 || errno == EEXIST);
	cr_assert_eq(
		mount(device, folder, type, 0, options), 0, "mount %s: errno %d", device, errno);
	snprintf(mounts[nmounts++], sizeof(mounts[0]), "%s", folder);
}

void fixture_swapon(const char *path)
{
	cr_assert_eq(swapon(path, 0), 0, "swapon %s: errno %d", path, errno);
	snprintf(swaps[nswaps++], sizeof(swaps[0]), "%s", path);
}

void fixture_add_partition(const char *device, int number, uint64_t start, uint64_t size)
{
	struct blkpg_partition part = {
		.start = (long long)start, .length = (long long)size, .pno = number};

	/* One that a run which was killed has left would be in the way. */
	partition_op(device, BLKPG_DEL_PARTITION, &part);
	cr_assert_eq(partition_op(device, BLKPG_ADD_PARTITION, &part), 0);
	snprintf(partitions[npartitions].device, sizeof(partitions[0].device), "%s", device);
	partitions[npartitions++].number = number;
}

void fixture_plan(struct iob_plan *plan, enum iob_rw rw, const char *filename)
{
	struct iob_job *job = &plan->stage[0];

	memset(plan, 0, sizeof(*plan));
	plan->nstages = 1;
	plan->seed = 7;
	job->rw = rw;
	job->rwmixread = 50;
	job->nrfiles = 1;
	job->invalidate = true;
	for (unsigned d = 0; d < IOB_NDIR; d++)
		job->bs[d].min = job->bs[d].max = 4096;
	snprintf(job->filename, sizeof(job->filename), "%s", filename);
}
