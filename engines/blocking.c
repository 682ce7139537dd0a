/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "engines/blocking.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int64_t once(int fd, const struct iob_req *req)
{
	switch ((enum iob_op)req->op) {
	case IOB_OP_READ:
		return pread(fd, req->buf, req->length, (off_t)req->offset);
	case IOB_OP_WRITE:
		return pwrite(fd, req->buf, req->length, (off_t)req->offset);
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
