/* SPDX-License-Identifier: MIT */
/* The kernel's older asynchronous interface: one call submits a batch, another one waits. */
#include <config.h>

#include <errno.h>
#include <libaio.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "engines/blocking.h"
#include "engines/engines.h"
#include "engines/ioprio.h"
#include "engines/libaio_ring.h"
#include "engines/rwflags.h"

#define MAX_CAPACITY      65536
#define AMPLE_ROOM        1024
/* IOCB_FLAG_IOPRIO of linux/aio_abi.h, which does not go with libaio.h. */
#define FLAG_IOPRIO       (1U << 1)
#define MAX_RETRIES       10000 /* in a row */
/* io_destroy waits for what is in flight: given up after this, the context then goes with the
 * process. */
#define CLOSE_PATIENCE_NS (100 * IOB_NS_PER_MS)

struct libaio_state {
	io_context_t context;
	const struct iob_target *targets;
	struct iocb *iocbs;   /* by index of the request */
	struct iocb **queued; /* not yet submitted */
	struct io_event *events;
	struct iob_req **settled;     /* ended without the kernel's queue */
	struct iovec *vectors;        /* by index of the request; NULL = not vectored */
	struct iob_libaio_ring *ring; /* NULL = events come by system call alone */
	unsigned nqueued, nsettled, in_kernel;
	unsigned retries;
	int rw_flags; /* RWF_* */
	unsigned capacity;
};

static unsigned long read_number(const char *path)
{
	IOB_FILE FILE *f = fopen(path, "re");
	unsigned long value = 0;

	return f && fscanf(f, "%lu", &value) == 1 ? value : 0;
}

/* The system's account of requests in flight, of all processes together. */
struct limit {
	unsigned long used, most, room;
};

static struct limit system_limit(void)
{
	struct limit l = {
		.used = read_number("/proc/sys/fs/aio-nr"),
		.most = read_number("/proc/sys/fs/aio-max-nr"),
	};

	l.room = l.most > l.used ? l.most - l.used : 0;
	return l;
}

static int explain(int code, unsigned capacity, struct iob_error *err)
{
	struct limit l = system_limit();

	switch (-code) {
	case EAGAIN:
		return iob_fail(err, code,
			"libaio: a context for %u requests exceeds the system's limit: fs.aio-nr is "
			"%lu of fs.aio-max-nr %lu; raise it (sysctl -w fs.aio-max-nr=1048576) or "
			"lower iodepth or numjobs",
			capacity, l.used, l.most);
	case ENOSYS:
	case EPERM:
		return iob_fail(err, code,
			"libaio: %m: the kernel was built without it or a system call filter "
			"(seccomp) forbids it; use --ioengine=psync");
	default:
		return iob_fail(err, code, "libaio: setting up %u requests: %m", capacity);
	}
}

/* Where the system's limit leaves less than an ordinary run takes. */
static void remark_room(struct iob_error *err)
{
	struct limit l = system_limit();

	if (err && l.used + AMPLE_ROOM > l.most)
		snprintf(err->text, sizeof(err->text),
			"room for %lu requests of all workers together: fs.aio-nr is %lu of "
			"fs.aio-max-nr %lu; raise it (sysctl -w fs.aio-max-nr=1048576)",
			l.room, l.used, l.most);
}

static int libaio_probe(struct iob_error *err)
{
	io_context_t context = NULL;
	int ret = io_setup(1, &context);

	if (ret < 0)
		return explain(ret, 1, err);
	io_destroy(context);
	remark_room(err);
	return 0;
}

static int libaio_room(uint64_t capacity, struct iob_error *err)
{
	struct limit l = system_limit();

	if (l.most == 0 || capacity <= l.room)
		return 0;
	return iob_fail(err, -EAGAIN,
		"libaio: %llu requests are to be in flight together, and the system has room for "
		"%lu: fs.aio-nr is %lu of fs.aio-max-nr %lu; raise it (sysctl -w "
		"fs.aio-max-nr=1048576) or lower iodepth or numjobs",
		(unsigned long long)capacity, l.room, l.used, l.most);
}

static void free_arrays(struct libaio_state *s)
{
	free(s->iocbs);
	free(s->queued);
	free(s->events);
	free(s->settled);
	free(s->vectors);
}

static int allocate(struct libaio_state *s, bool vectored, struct iob_error *err)
{
	s->iocbs = calloc(s->capacity, sizeof(*s->iocbs));
	s->queued = calloc(s->capacity, sizeof(struct iocb *));
	s->events = calloc(s->capacity, sizeof(*s->events));
	s->settled = calloc(s->capacity, sizeof(struct iob_req *));
	s->vectors = vectored ? calloc(s->capacity, sizeof(*s->vectors)) : NULL;
	if (s->iocbs && s->queued && s->events && s->settled && (s->vectors || !vectored))
		return 0;
	free_arrays(s);
	return iob_fail(err, -ENOMEM, "libaio: no memory for %u requests", s->capacity);
}

static int libaio_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct libaio_state *s = state;
	int flags = iob_rwflags_of(env, err);

	if (flags < 0)
		return flags;
	s->rw_flags = flags;
	s->targets = env->targets;
	s->capacity = env->capacity;
	int ret = allocate(s, env->job->libaio_vectored, err);
	if (ret < 0)
		return ret;
	ret = io_setup((int)s->capacity, &s->context);
	if (ret < 0) {
		free_arrays(s);
		return explain(ret, s->capacity, err);
	}
	s->ring = iob_libaio_ring_of(s->context, s->capacity);
	return 0;
}

static void settle(struct libaio_state *s, struct iob_req *req, int64_t result)
{
	req->result = result;
	s->settled[s->nsettled++] = req;
}

static void prepare_transfer(
	const struct libaio_state *s, struct iocb *cb, int fd, struct iob_req *req)
{
	bool write = req->op == IOB_OP_WRITE;

	cb->data = req;
	cb->key = 0;
	cb->aio_rw_flags = (unsigned)s->rw_flags;
	cb->aio_lio_opcode = write ? IO_CMD_PWRITE : IO_CMD_PREAD;
	cb->aio_reqprio = (short)req->ioprio;
	cb->u.c.flags = req->ioprio ? FLAG_IOPRIO : 0;
	cb->aio_fildes = fd;
	cb->u.c.buf = req->buf;
	cb->u.c.nbytes = req->length;
	cb->u.c.offset = (long long)req->offset;
	if (s->vectors) {
		s->vectors[req->index] = (struct iovec){req->buf, req->length};
		cb->aio_lio_opcode = write ? IO_CMD_PWRITEV : IO_CMD_PREADV;
		cb->u.c.buf = &s->vectors[req->index];
		cb->u.c.nbytes = 1;
	}
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
		case IOB_OP_WRITE:
			prepare_transfer(s, cb, fd, req);
			break;
		case IOB_OP_FSYNC:
			io_prep_fsync(cb, fd);
			cb->data = req;
			break;
		case IOB_OP_FDATASYNC:
			io_prep_fdsync(cb, fd);
			cb->data = req;
			break;
		case IOB_OP_SYNC_FILE_RANGE:
		case IOB_OP_TRIM: /* the interface has no word for these */
			settle(s, req, iob_blocking_io(&s->targets[req->file], req));
			continue;
		}
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

/* May the kernel be asked again for what it put off? */
static bool may_retry(struct libaio_state *s)
{
	return s->retries++ < MAX_RETRIES;
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
		} else if ((ret == -EAGAIN || ret == -EINTR || ret == 0) && may_retry(s)) {
			sched_yield();
		} else {
			refuse_first(s, at++, ret ? ret : -EAGAIN);
		}
	}
	for (unsigned i = at; i < s->nqueued; i++)
		s->queued[i - at] = s->queued[i];
	s->nqueued -= at;
}

static void libaio_submit(void *state)
{
	struct libaio_state *s = state;

	if (s->nqueued > 0)
		submit(s);
}

static unsigned take_settled(struct libaio_state *s, struct iob_req **done, unsigned max)
{
	unsigned n = 0;

	while (n < max && s->nsettled > 0)
		done[n++] = s->settled[--s->nsettled];
	return n;
}

/* Events become finished requests; what nowait had refused is queued again. */
static unsigned take_events(
	struct libaio_state *s, const struct io_event *events, unsigned n, struct iob_req **done)
{
	unsigned taken = 0;

	for (unsigned i = 0; i < n; i++) {
		struct iob_req *req = events[i].data;

		req->result = (int64_t)events[i].res;
		struct iocb *cb = &s->iocbs[req->index];
		bool would_wait = cb->aio_rw_flags & (unsigned)RWF_NOWAIT;

		if (req->result == -EAGAIN && (would_wait || may_retry(s))) {
			/* It would have had to wait: then so it shall. */
			cb->aio_rw_flags &= ~(unsigned)RWF_NOWAIT;
			s->queued[s->nqueued++] = cb;
		} else {
			done[taken++] = req;
		}
	}
	s->in_kernel -= n;
	if (taken > 0)
		s->retries = 0;
	return taken;
}

/* What is in the ring already, without a system call. */
static unsigned take_ready(struct libaio_state *s, struct iob_req **done, unsigned max)
{
	if (!s->ring)
		return 0;
	unsigned n = iob_libaio_ring_take(s->ring, s->events, max);
	return n ? take_events(s, s->events, n, done) : 0;
}

/* The count of events, 0 only after the timeout, or a negative errno. */
static int wait_events(struct libaio_state *s, unsigned min, unsigned max, uint64_t timeout)
{
	struct timespec ts = {(time_t)(timeout / IOB_NS_PER_S), (long)(timeout % IOB_NS_PER_S)};
	int n;

	do
		n = io_getevents(s->context, (long)min, (long)max, s->events,
			timeout == UINT64_MAX ? NULL : &ts);
	while (n == -EINTR);
	return n;
}

static int libaio_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct libaio_state *s = state;
	unsigned n = 0;

	for (;;) {
		if (s->nqueued > 0)
			submit(s);
		if (s->nsettled > 0)
			n += take_settled(s, done + n, max - n);
		n += take_ready(s, done + n, max - n);
		if (n >= max || (n >= min && (s->ring || s->in_kernel == 0)) ||
			s->in_kernel + s->nqueued == 0)
			return (int)n;
		if (s->in_kernel == 0)
			continue; /* all was put off */
		unsigned want = min > n ? min - n : 0;
		/* What found no room goes in as soon as one has come back. */
		if (want > 1 && s->nqueued > 0)
			want = 1;
		if (want > s->in_kernel)
			want = s->in_kernel;
		int got = wait_events(s, want, max - n, want ? timeout_ns : 0);
		if (got < 0)
			return n ? (int)n : got;
		n += take_events(s, s->events, (unsigned)got, done + n);
		if ((unsigned)got < want || n >= min)
			return (int)n;
	}
}

static void libaio_flags(const void *state, char *buf, size_t n)
{
	const struct libaio_state *s = state;

	snprintf(buf, n, "%s%s%s%s", s->ring ? "user_space_reaping" : "io_getevents",
		s->vectors ? " vectored" : "", s->rw_flags & IOB_RWF_DONTCACHE ? " uncached" : "",
		s->rw_flags & RWF_NOWAIT ? " nowait" : "");
}

static const char *libaio_explain(void *state, const struct iob_req *req)
{
	const struct libaio_state *s = state;

	const char *why = iob_rwflags_explain(s->rw_flags, req);

	if (!why)
		why = iob_ioprio_explain(req);
	if (!why && req->result == -EAGAIN)
		return "the kernel has no room for it; raise fs.aio-max-nr or lower iodepth or "
		       "numjobs";
	return why;
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

static const char *const params[] = {
	"uncached", "nowait", "libaio_vectored", IOB_IOPRIO_PARAMS, NULL};

const struct iob_engine iob_engine_libaio = {
	.name = "libaio",
	.summary = "the kernel's older asynchronous I/O; asynchronous with direct I/O only",
	.caps = IOB_ENGINE_ASYNC | IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS | IOB_ENGINE_SYNC_RANGE,
	.max_capacity = MAX_CAPACITY,
	.params = params,
	.state_size = sizeof(struct libaio_state),
	.probe = libaio_probe,
	.room = libaio_room,
	.open = libaio_open,
	.queue = libaio_queue,
	.submit = libaio_submit,
	.reap = libaio_reap,
	.flags = libaio_flags,
	.explain = libaio_explain,
	.close = libaio_close,
};
