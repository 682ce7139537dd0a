/* SPDX-License-Identifier: MIT */
/* The kernel's older asynchronous interface: one call submits a batch, another one waits. */
#include <config.h>

#include <errno.h>
#include <libaio.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "engines/blocking.h"
#include "engines/engines.h"

#define MAX_CAPACITY      32768
/* io_destroy waits for what is in flight: given up after this, the context then goes with the
 * process. */
#define CLOSE_PATIENCE_NS (100 * IOB_NS_PER_MS)

struct libaio_state {
	io_context_t context;
	const struct iob_target *targets;
	struct iocb *iocbs;   /* by index of the request */
	struct iocb **queued; /* not yet submitted */
	struct io_event *events;
	struct iob_req **settled; /* ended without the kernel's queue */
	unsigned nqueued, nsettled, in_kernel;
	unsigned capacity;
};

static unsigned long read_number(const char *path)
{
	IOB_FILE FILE *f = fopen(path, "re");
	unsigned long value = 0;

	return f && fscanf(f, "%lu", &value) == 1 ? value : 0;
}

static int explain(int code, unsigned capacity, struct iob_error *err)
{
	unsigned long used = read_number("/proc/sys/fs/aio-nr");
	unsigned long most = read_number("/proc/sys/fs/aio-max-nr");

	switch (-code) {
	case EAGAIN:
		return iob_fail(err, code,
			"libaio: a context for %u requests exceeds the system's limit: fs.aio-nr is "
			"%lu of fs.aio-max-nr %lu; raise it (sysctl -w fs.aio-max-nr=1048576) or "
			"lower iodepth or numjobs",
			capacity, used, most);
	case ENOSYS:
	case EPERM:
		return iob_fail(err, code,
			"libaio: %m: the kernel was built without it or a system call filter "
			"(seccomp) forbids it; use --ioengine=psync");
	default:
		return iob_fail(err, code, "libaio: setting up %u requests: %m", capacity);
	}
}

static int libaio_probe(struct iob_error *err)
{
	io_context_t context = NULL;
	int ret = io_setup(1, &context);

	if (ret < 0)
		return explain(ret, 1, err);
	io_destroy(context);
	return 0;
}

static void free_arrays(struct libaio_state *s)
{
	free(s->iocbs);
	free(s->queued);
	free(s->events);
	free(s->settled);
}

static int libaio_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct libaio_state *s = state;

	s->targets = env->targets;
	s->capacity = env->capacity;
	s->iocbs = calloc(s->capacity, sizeof(*s->iocbs));
	s->queued = calloc(s->capacity, sizeof(struct iocb *));
	s->events = calloc(s->capacity, sizeof(*s->events));
	s->settled = calloc(s->capacity, sizeof(struct iob_req *));
	if (!s->iocbs || !s->queued || !s->events || !s->settled) {
		free_arrays(s);
		return iob_fail(err, -ENOMEM, "libaio: no memory for %u requests", s->capacity);
	}
	int ret = io_setup((int)s->capacity, &s->context);
	if (ret < 0) {
		free_arrays(s);
		return explain(ret, s->capacity, err);
	}
	return 0;
}

static void settle(struct libaio_state *s, struct iob_req *req, int64_t result)
{
	req->result = result;
	s->settled[s->nsettled++] = req;
}

static void libaio_queue(void *state, struct iob_req *const *reqs, unsigned n)
{
	struct libaio_state *s = state;

	for (unsigned i = 0; i < n; i++) {
		struct iob_req *req = reqs[i];
		struct iocb *cb = &s->iocbs[req->index];
		int fd = s->targets[req->file].fd;

		switch ((enum iob_op)req->op) {
		case IOB_OP_READ:
			io_prep_pread(cb, fd, req->buf, req->length, (long long)req->offset);
			break;
		case IOB_OP_WRITE:
			io_prep_pwrite(cb, fd, req->buf, req->length, (long long)req->offset);
			break;
		case IOB_OP_FSYNC:
			io_prep_fsync(cb, fd);
			break;
		case IOB_OP_FDATASYNC:
			io_prep_fdsync(cb, fd);
			break;
		case IOB_OP_TRIM: /* the interface has no word for it */
			settle(s, req, iob_blocking_io(&s->targets[req->file], req));
			continue;
		}
		cb->data = req;
		s->queued[s->nqueued++] = cb;
	}
}

/* The first queued request was refused: it ends here, the others may still go. */
static void refuse_first(struct libaio_state *s, unsigned at, int code)
{
	struct iob_req *req = s->queued[at]->data;

	/* Kernels before 4.18 do not sync asynchronously. */
	if (code == -EINVAL && req->op >= IOB_OP_FSYNC)
		settle(s, req, iob_blocking_io(&s->targets[req->file], req));
	else
		settle(s, req, code);
}

static void submit(struct libaio_state *s)
{
	unsigned at = 0;

	while (at < s->nqueued) {
		int ret = io_submit(s->context, (long)(s->nqueued - at), s->queued + at);

		if (ret > 0) {
			at += (unsigned)ret;
			s->in_kernel += (unsigned)ret;
		} else if (ret == -EAGAIN && s->in_kernel > 0) {
			break; /* reaping makes room */
		} else if (ret == -EAGAIN || ret == -EINTR || ret == 0) {
			sched_yield();
		} else {
			refuse_first(s, at++, ret);
		}
	}
	for (unsigned i = at; i < s->nqueued; i++)
		s->queued[i - at] = s->queued[i];
	s->nqueued -= at;
}

static unsigned take_settled(struct libaio_state *s, struct iob_req **done, unsigned max)
{
	unsigned n = 0;

	while (n < max && s->nsettled > 0)
		done[n++] = s->settled[--s->nsettled];
	return n;
}

static int wait_events(
	struct libaio_state *s, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout)
{
	struct timespec ts = {(time_t)(timeout / IOB_NS_PER_S), (long)(timeout % IOB_NS_PER_S)};
	int n;

	do
		n = io_getevents(s->context, (long)min, (long)max, s->events,
			timeout == UINT64_MAX && min > 0 ? NULL : &ts);
	while (n == -EINTR);
	for (int i = 0; i < n; i++) {
		struct iob_req *req = s->events[i].data;

		req->result = (int64_t)s->events[i].res;
		done[i] = req;
	}
	if (n > 0)
		s->in_kernel -= (unsigned)n;
	return n;
}

static int libaio_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct libaio_state *s = state;
	unsigned n = 0;

	do {
		submit(s);
		n += take_settled(s, done + n, max - n);
		if (n == max || s->in_kernel == 0)
			break;
		unsigned want = min > n ? min - n : 0;
		/* What found no room goes in as soon as one has come back. */
		if (want > 1 && s->nqueued > 0)
			want = 1;
		int got = wait_events(s, done + n, want, max - n, want ? timeout_ns : 0);
		if (got < 0)
			return n ? (int)n : got;
		n += (unsigned)got;
		if ((unsigned)got < want)
			break;
	} while (n < min);
	return (int)n;
}

static void libaio_flags(const void *state, char *buf, size_t n)
{
	(void)state;
	snprintf(buf, n, "io_submit io_getevents");
}

static void libaio_close(void *state)
{
	struct libaio_state *s = state;
	uint64_t give_up = iob_now_ns() + CLOSE_PATIENCE_NS;

	while (s->in_kernel > 0 && iob_now_ns() < give_up) {
		struct timespec ts = {0, (long)(CLOSE_PATIENCE_NS / 10)};
		int n = io_getevents(s->context, 1, (long)s->capacity, s->events, &ts);

		if (n > 0)
			s->in_kernel -= (unsigned)n;
		else if (n < 0 && n != -EINTR)
			break;
	}
	if (s->in_kernel == 0)
		io_destroy(s->context);
	free_arrays(s);
}

const struct iob_engine iob_engine_libaio = {
	.name = "libaio",
	.summary = "the kernel's older asynchronous I/O; asynchronous with direct I/O only",
	.caps = IOB_ENGINE_ASYNC | IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS,
	.max_capacity = MAX_CAPACITY,
	.state_size = sizeof(struct libaio_state),
	.probe = libaio_probe,
	.open = libaio_open,
	.queue = libaio_queue,
	.reap = libaio_reap,
	.flags = libaio_flags,
	.close = libaio_close,
};
