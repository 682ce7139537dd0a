/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "engines/blocking.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * In a program of several threads the C library's calls are points of cancellation, which costs
 * about 40 ns each; nobody cancels our threads.  Where a register holds the whole offset the
 * system call can be made without it.
 */
#if defined(SYS_pread64) && __SIZEOF_LONG__ == 8
static ssize_t plain_pread(int fd, void *buf, size_t n, off_t offset)
{
	return syscall(SYS_pread64, fd, buf, n, offset);
}

static ssize_t plain_pwrite(int fd, const void *buf, size_t n, off_t offset)
{
	return syscall(SYS_pwrite64, fd, buf, n, offset);
}
#else
#define plain_pread  pread
#define plain_pwrite pwrite
#endif

static int64_t once(int fd, const struct iob_req *req)
{
	switch ((enum iob_op)req->op) {
	case IOB_OP_READ:
		return plain_pread(fd, req->buf, req->length, (off_t)req->offset);
	case IOB_OP_WRITE:
		return plain_pwrite(fd, req->buf, req->length, (off_t)req->offset);
	case IOB_OP_TRIM:
		if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)req->offset,
			    (off_t)req->length) < 0)
			return -1;
		return req->length;
	case IOB_OP_FSYNC:
		return fsync(fd);
	case IOB_OP_FDATASYNC:
		return fdatasync(fd);
	}
	errno = EINVAL;
	return -1;
}

int64_t iob_blocking_io(const struct iob_target *target, const struct iob_req *req)
{
	int64_t result;

	do
		result = once(target->fd, req);
	while (result < 0 && (errno == EINTR || errno == EAGAIN));
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
