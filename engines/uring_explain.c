/* SPDX-License-Identifier: MIT */
/* Why there is no ring, or one without registered buffers, and what to do. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/cleanup.h"
#include "engines/uring_setup.h"

#define AMPLE_MEMLOCK ((rlim_t)1 << 20) /* the buffers of an ordinary run */

/* Value of the sysctl, or -1 on kernels that lack it. */
static int disabled_by_sysctl(void)
{
	IOB_FILE FILE *f = fopen("/proc/sys/kernel/io_uring_disabled", "re");
	int c = f ? fgetc(f) : EOF;

	return c >= '0' && c <= '9' ? c - '0' : -1;
}

static int explain_permission(int code, const struct iob_uring_wish *wish, struct iob_error *err)
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
	if (wish->extra & IORING_SETUP_SQPOLL)
		return iob_fail(err, code,
			"sqthread_poll=1: %m: kernels before 5.13 want root for it, or a system call "
			"filter (seccomp) forbids io_uring; run as root or leave sqthread_poll out");
	return iob_fail(err, code,
		"io_uring: %m: a system call filter (seccomp, as containers have) forbids it; allow "
		"io_uring_setup, io_uring_enter and io_uring_register there, or use "
		"--ioengine=libaio");
}

static int explain_invalid(int code, const struct iob_uring_wish *wish, struct iob_error *err)
{
	if (wish->extra & IORING_SETUP_SQ_AFF)
		return iob_fail(err, code,
			"sqthread_poll_cpu=%u: %m: no such CPU, or it is offline or not allowed here; "
			"name another one",
			wish->cpu);
	if (wish->extra & IORING_SETUP_SQE128)
		return iob_fail(err, code,
			"io_uring_cmd: %m: this kernel's io_uring has no commands for devices (5.19 "
			"has); use --ioengine=io_uring on the block device");
	return iob_fail(
		err, code, "io_uring: setting up a ring for %u requests: %m", wish->capacity);
}

int iob_uring_explain(int code, const struct iob_uring_wish *wish, struct iob_error *err)
{
	struct rlimit limit = {0};

	switch (-code) {
	case EPERM:
	case EACCES:
		return explain_permission(code, wish, err);
	case EINVAL:
		return explain_invalid(code, wish, err);
	case ENOSYS:
		return iob_fail(err, code,
			"io_uring: %m: the kernel is older than 5.1, was built without it, or a "
			"system call filter (seccomp) hides it; use --ioengine=libaio");
	case ENOMEM:
		getrlimit(RLIMIT_MEMLOCK, &limit);
		return iob_fail(err, code,
			"io_uring: %m for a ring for %u requests: the limit on locked memory is %llu "
			"KiB (many kernels count rings against it), or the control group has no "
			"memory left; raise `ulimit -l`, lower iodepth or numjobs, or use "
			"--ioengine=libaio",
			wish->capacity, (unsigned long long)limit.rlim_cur / 1024);
	case EMFILE:
	case ENFILE:
		return iob_fail(err, code,
			"io_uring: %m: a ring takes a file descriptor; raise `ulimit -n` or lower "
			"numjobs");
	default:
		return iob_fail(err, code, "io_uring: setting up a ring for %u requests: %m",
			wish->capacity);
	}
}

void iob_uring_remark_memlock(struct io_uring *ring, char *buf, size_t n)
{
	struct rlimit limit;

	buf[0] = '\0';
	if (getrlimit(RLIMIT_MEMLOCK, &limit) < 0 || limit.rlim_cur >= AMPLE_MEMLOCK)
		return;
	/* The limit does not bind whoever has CAP_IPC_LOCK: only a try tells. */
	size_t size = (size_t)limit.rlim_cur + 4096;
	IOB_FREE void *memory = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
	struct iovec iov = {memory, size};

	if (!memory || io_uring_register_buffers(ring, &iov, 1) != -ENOMEM)
		return;
	snprintf(buf, n,
		"buffers are not registered where they exceed the limit on locked memory, %llu KiB "
		"(slower); raise `ulimit -l`",
		(unsigned long long)limit.rlim_cur / 1024);
}
