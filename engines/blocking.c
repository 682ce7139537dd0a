/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "engines/blocking.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TRIES_AT_ONCE 100
#define TRIES_EACH_MS 2000

/*
 * In a program of several threads the C library's calls are points of cancellation, which costs
 * about 40 ns each; nobody cancels our threads.  Where a register holds the whole offset the
 * system call can be made without it, and where we know the registers without the C library's
 * general call too, which shuffles six arguments (5 ns).
 */
#if defined(SYS_pread64) && __SIZEOF_LONG__ == 8
static inline ssize_t plain_io(long number, int fd, const void *buf, size_t n, off_t offset)
{
#if defined(__x86_64__)
	register long at __asm__("r10") = offset;
	ssize_t ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(number), "D"((long)fd), "S"(buf), "d"(n), "r"(at)
			 : "rcx", "r11", "memory");
	if (__builtin_expect(ret >= 0, 1))
		return ret;
	errno = (int)-ret;
	return -1;
#else
	return syscall(number, fd, buf, n, offset);
#endif
}
#define plain_pread(fd, buf, n, offset)  plain_io(SYS_pread64, fd, buf, n, offset)
#define plain_pwrite(fd, buf, n, offset) plain_io(SYS_pwrite64, fd, buf, n, offset)
#else
#define plain_pread  pread
#define plain_pwrite pwrite
#endif

/* A hole in a device would be zeros that the device is asked to write. */
static int64_t trim(const struct iob_target *target, const struct iob_req *req)
{
	uint64_t range[] = {req->offset, req->length};
	int rc;

	if (target->block_size)
		rc = ioctl(target->fd, BLKDISCARD, range);
	else
		rc = fallocate(target->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			(off_t)req->offset, (off_t)req->length);
	return rc < 0 ? -1 : (int64_t)req->length;
}

static int64_t once(const struct iob_target *target, const struct iob_req *req)
{
	int fd = target->fd;

	/* Ahead of the switch, whose table of jumps costs more. */
	if (__builtin_expect(req->op == IOB_OP_READ, 1))
		return plain_pread(fd, req->buf, req->length, (off_t)req->offset);
	switch ((enum iob_op)req->op) {
	case IOB_OP_READ:
		return plain_pread(fd, req->buf, req->length, (off_t)req->offset);
	case IOB_OP_WRITE:
		return plain_pwrite(fd, req->buf, req->length, (off_t)req->offset);
	case IOB_OP_TRIM:
		return trim(target, req);
	case IOB_OP_FSYNC:
		return fsync(fd);
	case IOB_OP_FDATASYNC:
		return fdatasync(fd);
	case IOB_OP_SYNC_FILE_RANGE:
		return sync_file_range(fd, (off_t)req->offset, (off_t)req->length, req->sync_flags);
	}
	errno = EINVAL;
	return -1;
}

bool iob_blocking_again(int code, unsigned *tries)
{
	struct timespec nap = {.tv_nsec = 1000000};

	if (code != EAGAIN)
		return code == EINTR;
	if (++*tries > TRIES_AT_ONCE)
		nanosleep(&nap, NULL);
	else
		sched_yield();
	return *tries <= TRIES_AT_ONCE + TRIES_EACH_MS;
}

int64_t iob_blocking_io(const struct iob_target *target, const struct iob_req *req)
{
	unsigned tries = 0;
	int64_t result;

	do
		result = once(target, req);
	while (result < 0 && iob_blocking_again(errno, &tries));
	return result < 0 ? -errno : result;
}

int iob_blocking_probe(struct iob_error *err)
{
	(void)err;
	return 0;
}

void iob_blocking_queue(void *state, struct iob_req *const *reqs, unsigned n)
{
	struct iob_blocking *b = state;

	if (n > 0)
		b->queued = reqs[0];
}

void iob_blocking_flags(const void *state, char *buf, size_t n)
{
	(void)state;
	snprintf(buf, n, "blocking");
}
