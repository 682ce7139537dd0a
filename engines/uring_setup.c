/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "engines/uring_setup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/cleanup.h"

#define PIECE ((size_t)1 << IOB_URING_PIECE_BITS)

/* Newest first; each is tried when the one before was answered EINVAL. */
static const unsigned setups[] = {
	IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, /* 6.1 */
	IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN,  /* 6.0 */
	IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN, /* 5.19 */
	IORING_SETUP_SUBMIT_ALL,                             /* 5.18 */
	0,
};

/* Value of the sysctl, or -1 on kernels that lack it. */
static int disabled_by_sysctl(void)
{
	IOB_FILE FILE *f = fopen("/proc/sys/kernel/io_uring_disabled", "re");
	int c = f ? fgetc(f) : EOF;

	return c >= '0' && c <= '9' ? c - '0' : -1;
}

static int explain_permission(int code, struct iob_error *err)
{
	int disabled = disabled_by_sysctl();

	if (disabled == 2)
		return iob_fail(err, code,
			"io_uring: %m: kernel.io_uring_disabled is 2 (off for everybody); set it to 0 "
			"with sysctl as root, or use --ioengine=libaio");
	if (disabled == 1)
		return iob_fail(err, code,
			"io_uring: %m: kernel.io_uring_disabled is 1 (for privileged processes and the "
			"group kernel.io_uring_group); run as root, or use --ioengine=libaio");
	return iob_fail(err, code,
		"io_uring: %m: a system call filter (seccomp, as containers have) forbids it; allow "
		"io_uring_setup, io_uring_enter and io_uring_register there, or use "
		"--ioengine=libaio");
}

static int explain(int code, unsigned entries, struct iob_error *err)
{
	struct rlimit limit = {0};

	switch (-code) {
	case EPERM:
	case EACCES:
		return explain_permission(code, err);
	case ENOSYS:
		return iob_fail(err, code,
			"io_uring: %m: the kernel is older than 5.1, was built without it, or a "
			"system call filter (seccomp) hides it; use --ioengine=libaio");
	case ENOMEM:
		getrlimit(RLIMIT_MEMLOCK, &limit);
		return iob_fail(err, code,
			"io_uring: %m for a ring of %u entries: the limit on locked memory is %llu "
			"KiB (kernels before 5.11 count rings against it); raise `ulimit -l`, lower "
			"iodepth or numjobs, or use --ioengine=libaio",
			entries, (unsigned long long)limit.rlim_cur / 1024);
	case EMFILE:
	case ENFILE:
		return iob_fail(err, code,
			"io_uring: %m: a ring takes a file descriptor; raise `ulimit -n` or lower "
			"numjobs");
	default:
		return iob_fail(
			err, code, "io_uring: setting up a ring of %u entries: %m", entries);
	}
}

static int make_ring(struct io_uring *ring, unsigned entries, unsigned *setup)
{
	int ret = -EINVAL;

	for (size_t i = 0; i < sizeof(setups) / sizeof(*setups) && ret == -EINVAL; i++) {
		*setup = setups[i];
		ret = io_uring_queue_init(entries, ring, *setup);
	}
	return ret;
}

int iob_uring_setup(struct io_uring *ring, unsigned capacity, struct iob_uring_features *f,
	struct iob_error *err)
{
	int ret = make_ring(ring, capacity, &f->setup);

	if (ret < 0)
		return explain(ret, capacity, err);
	f->ring_fd = io_uring_register_ring_fd(ring) == 1;
	return 0;
}

int iob_uring_probe(struct iob_error *err)
{
	struct io_uring ring;
	unsigned setup;
	int ret = make_ring(&ring, 1, &setup);

	if (ret < 0)
		return explain(ret, 1, err);
	struct io_uring_probe *probe = io_uring_get_probe_ring(&ring);
	bool reads = probe && io_uring_opcode_supported(probe, IORING_OP_READ);
	io_uring_free_probe(probe);
	io_uring_queue_exit(&ring);
	if (!reads)
		return iob_fail(err, -EOPNOTSUPP,
			"io_uring: this kernel's is too old (5.6 has what is needed); use "
			"--ioengine=libaio");
	return 0;
}

bool iob_uring_register_targets(struct io_uring *ring, const struct iob_target *targets, unsigned n)
{
	if (n == 0)
		return false;
	IOB_FREE int *fds = calloc(n, sizeof(*fds));
	if (!fds)
		return false;
	for (unsigned i = 0; i < n; i++)
		fds[i] = targets[i].fd;
	return io_uring_register_files(ring, fds, n) == 0;
}

bool iob_uring_register_arena(struct io_uring *ring, void *arena, size_t size)
{
	size_t pieces = (size + PIECE - 1) / PIECE;

	if (pieces == 0 || pieces > 1024)
		return false;
	IOB_FREE struct iovec *iov = calloc(pieces, sizeof(*iov));
	if (!iov)
		return false;
	for (size_t i = 0; i < pieces; i++) {
		size_t left = size - i * PIECE;

		iov[i].iov_base = (unsigned char *)arena + i * PIECE;
		iov[i].iov_len = left < PIECE ? left : PIECE;
	}
	return io_uring_register_buffers(ring, iov, (unsigned)pieces) == 0;
}

void iob_uring_describe(const struct iob_uring_features *f, char *buf, size_t n)
{
	snprintf(buf, n, "%s%s%s%s%s", f->buffers ? "fixedbufs " : "nofixedbufs ",
		f->files ? "registerfiles " : "", f->ring_fd ? "registered_ring_fd " : "",
		f->setup & IORING_SETUP_SINGLE_ISSUER ? "single_issuer " : "",
		f->setup & IORING_SETUP_DEFER_TASKRUN  ? "defer_taskrun"
		: f->setup & IORING_SETUP_COOP_TASKRUN ? "coop_taskrun"
						       : "");
}
