/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <liburing.h>

#include "tests/bench/raw_loop.h"

static struct io_uring ring;
static unsigned idle[RAW_DEPTH], nidle;

static unsigned turn(struct raw_file *f)
{
	struct io_uring_cqe *cqe;
	unsigned head, n = 0;

	while (nidle > 0) {
		unsigned slot = idle[--nidle];
		struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);

		if (!sqe)
			raw_fail("io_uring_get_sqe", EBUSY);
		io_uring_prep_read_fixed(
			sqe, 0, f->buffers + (size_t)slot * RAW_BLOCK, RAW_BLOCK, raw_offset(f), 0);
		sqe->flags |= IOSQE_FIXED_FILE;
		io_uring_sqe_set_data64(sqe, slot);
	}
	io_uring_submit_and_wait(&ring, 1);
	io_uring_for_each_cqe(&ring, head, cqe)
	{
		if (cqe->res != (int)RAW_BLOCK)
			raw_fail("read", cqe->res < 0 ? -cqe->res : EIO);
		idle[nidle++] = (unsigned)cqe->user_data;
		n++;
	}
	io_uring_cq_advance(&ring, n);
	return n;
}

int main(int argc, char **argv)
{
	struct raw_file f;

	raw_open(&f, argc, argv);
	int ret = io_uring_queue_init(RAW_DEPTH, &ring,
		IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN);
	if (ret < 0)
		ret = io_uring_queue_init(RAW_DEPTH, &ring, 0);
	if (ret < 0)
		raw_fail("io_uring_setup", -ret);
	struct iovec all = {f.buffers, (size_t)RAW_BLOCK * RAW_DEPTH};
	if (io_uring_register_files(&ring, &f.fd, 1) < 0 ||
		io_uring_register_buffers(&ring, &all, 1) < 0)
		raw_fail("io_uring_register", ENOMEM);
	io_uring_register_ring_fd(&ring);
	while (nidle < RAW_DEPTH) {
		idle[nidle] = nidle;
		nidle++;
	}
	return raw_run("io_uring QD32", &f, turn);
}
