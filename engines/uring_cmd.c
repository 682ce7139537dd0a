/* SPDX-License-Identifier: MIT */
/* io_uring_cmd: NVMe commands through an io_uring, past the block layer. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "engines/engines.h"
#include "engines/nvme.h"
#include "engines/uring_setup.h"
#include "engines/uring_wait.h"

#ifdef HAVE_STRUCT_NVME_URING_CMD

#define PAGE        4096
#define BIG_ENTRIES (IORING_SETUP_SQE128 | IORING_SETUP_CQE32)

struct cmd_state {
	struct io_uring ring;
	const struct iob_target *targets;
	unsigned *nsids;               /* by file */
	struct iob_nvme_range *ranges; /* by index of the request */
	struct iob_req **ready;        /* that were answered without the ring */
	unsigned nready;
	uint64_t refused_since; /* when the kernel began to take nothing in; 0 = it does */
	unsigned char *arena;   /* registered; NULL = not */
	size_t arena_size;
	bool *by_arena;       /* by index of the request: it went with a registered buffer */
	unsigned last_status; /* of a request that failed */
	char words[128];
	struct iob_uring_features features;
};

static bool have_devices(void)
{
	DIR *dir = opendir("/sys/class/nvme-generic");
	struct dirent *entry = NULL;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			break;
	if (dir)
		closedir(dir);
	return dir && entry;
}

static int cmd_probe(struct iob_error *err)
{
	const struct iob_uring_wish wish = {.capacity = 1, .extra = BIG_ENTRIES};
	struct iob_uring_features f = {0};
	struct io_uring ring;
	int ret = iob_uring_setup(&ring, &wish, &f, err);

	if (ret < 0)
		return ret;
	io_uring_queue_exit(&ring);
	if (!have_devices())
		return iob_fail(err, -ENODEV,
			"io_uring_cmd: there is no NVMe device here (/dev/ngXnY); use "
			"--ioengine=io_uring");
	return 0;
}

static void cmd_close(void *state)
{
	struct cmd_state *s = state;

	if (s->features.setup)
		iob_uring_close(&s->ring, &s->features);
	free(s->nsids);
	free(s->ranges);
	free(s->ready);
	free(s->by_arena);
}

static int take_targets(
	struct cmd_state *s, const struct iob_engine_env *env, struct iob_error *err)
{
	for (unsigned i = 0; i < env->ntargets; i++) {
		const struct iob_target *t = &env->targets[i];
		struct stat st;
		/* The block device has a number, too, but takes no commands by a ring. */
		bool generic = fstat(t->fd, &st) == 0 && S_ISCHR(st.st_mode);
		int nsid = generic ? ioctl(t->fd, NVME_IOCTL_ID) : -1;

		if (nsid <= 0 || t->block_size == 0)
			return iob_fail_usage(err,
				"ioengine=io_uring_cmd: %.200s is no NVMe character device "
				"(/dev/ngXnY); name one, or use ioengine=io_uring",
				t->path);
		s->nsids[i] = (unsigned)nsid;
	}
	s->targets = env->targets;
	return 0;
}

static int make_ring(struct cmd_state *s, const struct iob_engine_env *env, struct iob_error *err)
{
	struct iob_uring_wish wish = iob_uring_wish_of(env, BIG_ENTRIES);
	int ret = iob_uring_setup(&s->ring, &wish, &s->features, err);
	if (ret < 0) {
		s->features.setup = 0;
		return ret;
	}
	if (env->job->registerfiles)
		iob_uring_register_targets(&s->ring, &s->features, env->targets, env->ntargets);
	return 0;
}

/* The kernel that can defer task work (6.1) is the first that takes registered buffers here. */
static void take_arena(struct cmd_state *s, void *arena, size_t size)
{
	if (s->features.setup & IORING_SETUP_DEFER_TASKRUN)
		iob_uring_register_arena(&s->ring, &s->features, arena, size);
	s->arena = s->features.buffers ? arena : NULL;
	s->arena_size = s->features.buffers ? size : 0;
}

static int cmd_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct cmd_state *s = state;

	s->nsids = calloc(env->ntargets ? env->ntargets : 1, sizeof(*s->nsids));
	s->ranges = calloc(env->capacity, sizeof(*s->ranges));
	s->ready = calloc(env->capacity, sizeof(struct iob_req *));
	s->by_arena = calloc(env->capacity, sizeof(*s->by_arena));
	int ret = s->nsids && s->ranges && s->ready && s->by_arena
			  ? take_targets(s, env, err)
			  : iob_fail(err, -ENOMEM, "io_uring_cmd: no memory");
	if (ret == 0)
		ret = make_ring(s, env, err);
	if (ret < 0) {
		cmd_close(s);
		return ret;
	}
	if (env->job->fixedbufs)
		take_arena(s, env->arena, env->arena_size);
	return 0;
}

static int cmd_arena(void *state, void *arena, size_t size, struct iob_error *err)
{
	struct cmd_state *s = state;

	(void)err;
	if (!s->features.buffers && !s->features.memlock)
		return 0;
	if (s->features.buffers)
		io_uring_unregister_buffers(&s->ring);
	take_arena(s, arena, size);
	return 0;
}

/* The registered piece that holds the buffer goes into the entry, if there is one.  Older kernels
 * are not to be trusted with parts of pages of it. */
static bool use_registered(
	const struct cmd_state *s, struct io_uring_sqe *sqe, const struct iob_req *req)
{
	if (req->op > IOB_OP_WRITE || ((uintptr_t)req->buf | req->length) % PAGE != 0)
		return false;
	int piece = iob_uring_piece_of(s->arena, s->arena_size, req);
	if (piece < 0)
		return false;
	sqe->uring_cmd_flags = IORING_URING_CMD_FIXED;
	sqe->buf_index = (uint16_t)piece;
	return true;
}

static int prepare(struct cmd_state *s, struct io_uring_sqe *sqe, struct iob_req *req)
{
	const struct iob_target *t = &s->targets[req->file];

	memset(sqe, 0, 2 * sizeof(*sqe));
	sqe->opcode = IORING_OP_URING_CMD;
	sqe->cmd_op = NVME_URING_CMD_IO;
	sqe->fd = s->features.files ? (int)req->file : t->fd;
	sqe->flags = s->features.files ? IOSQE_FIXED_FILE : 0;
	sqe->user_data = (uintptr_t)req;
	s->by_arena[req->index] = use_registered(s, sqe, req);
	return iob_nvme_build((struct nvme_uring_cmd *)sqe->cmd, req, s->nsids[req->file],
		t->block_size, &s->ranges[req->index]);
}

static int64_t result_of(struct cmd_state *s, const struct iob_req *req, int res)
{
	if (res < 0)
		return res;
	if (res > 0) {
		s->last_status = (unsigned)res;
		return iob_nvme_errno((unsigned)res);
	}
	return req->op >= IOB_OP_FSYNC ? 0 : req->length;
}

/* Flushes move no data and cannot be polled for: a ring that polls would never see them finish, and
 * Linux 6.1 takes what it finds in their place for a pointer, and dies. */
static bool is_flush_of_polling(const struct cmd_state *s, const struct iob_req *req)
{
	return s->features.setup & IORING_SETUP_IOPOLL && req->op >= IOB_OP_FSYNC;
}

static int64_t flush_at_once(struct cmd_state *s, const struct iob_req *req)
{
	const struct iob_target *t = &s->targets[req->file];
	struct nvme_uring_cmd flush;
	int status;

	iob_nvme_build(&flush, req, s->nsids[req->file], t->block_size, NULL);
	struct nvme_passthru_cmd cmd = {.opcode = flush.opcode, .nsid = flush.nsid};

	do
		status = ioctl(t->fd, NVME_IOCTL_IO_CMD, &cmd);
	while (status < 0 && errno == EINTR);
	return result_of(s, req, status < 0 ? -errno : status);
}

static void cmd_queue(void *state, struct iob_req *const *reqs, unsigned n)
{
	struct cmd_state *s = state;

	for (unsigned i = 0; i < n; i++) {
		if (is_flush_of_polling(s, reqs[i])) {
			reqs[i]->result = flush_at_once(s, reqs[i]);
			s->ready[s->nready++] = reqs[i];
			continue;
		}
		int ret = prepare(s, iob_uring_next_entry(&s->ring), reqs[i]);
		if (ret < 0) {
			s->ring.sq.sqe_tail--;
			reqs[i]->result = ret;
			s->ready[s->nready++] = reqs[i];
		}
	}
}

/* Older kernels (6.1 is one) count the pages of all that is registered, and refuse each request if
 * these are more than the device takes at once.  Then it goes without, as all do from now on. */
static bool goes_again(struct cmd_state *s, struct iob_req *req, int res)
{
	if (res != -EINVAL || !s->by_arena[req->index])
		return false;
	s->arena = NULL;
	s->arena_size = 0;
	s->features.buffers = false;
	return prepare(s, iob_uring_next_entry(&s->ring), req) == 0;
}

static unsigned collect(struct cmd_state *s, struct iob_req **done, unsigned max)
{
	struct io_uring_cqe *cqe;
	unsigned head, seen = 0, n = 0;

	io_uring_for_each_cqe(&s->ring, head, cqe)
	{
		if (n == max)
			break;
		seen++;
		if (cqe->user_data == LIBURING_UDATA_TIMEOUT)
			continue;
		struct iob_req *req = io_uring_cqe_get_data(cqe);
		if (goes_again(s, req, cqe->res))
			continue;
		req->result = result_of(s, req, cqe->res);
		done[n++] = req;
	}
	io_uring_cq_advance(&s->ring, seen);
	return n;
}

static void cmd_submit(void *state)
{
	struct cmd_state *s = state;

	/* What is refused now stays in the ring. */
	io_uring_submit(&s->ring);
}

static int cmd_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct cmd_state *s = state;
	unsigned n = 0;

	while (n < max && s->nready > 0)
		done[n++] = s->ready[--s->nready];
	do {
		int ret = iob_uring_enter(&s->ring, min > n ? min - n : 0, timeout_ns);

		n += collect(s, done + n, max - n);
		if (ret == -EAGAIN)
			ret = iob_uring_refused(&s->refused_since, n, timeout_ns);
		else
			s->refused_since = 0;
		if (ret == -ETIME)
			break;
		if (ret < 0)
			return ret;
	} while (n < min);
	return (int)n;
}

static void cmd_flags(const void *state, char *buf, size_t n)
{
	const struct cmd_state *s = state;

	iob_uring_describe(&s->features, buf, n);
}

static const char *cmd_explain(void *state, const struct iob_req *req)
{
	struct cmd_state *s = state;

	if (s->last_status && req->result == iob_nvme_errno(s->last_status)) {
		iob_nvme_words(s->last_status, s->words, sizeof(s->words));
		return s->words;
	}
	if (req->result == -EINVAL)
		return "more than the device takes at once, or no whole blocks; use a smaller bs";
	if (req->result == -EOPNOTSUPP && s->features.setup & IORING_SETUP_IOPOLL)
		return "completions cannot be polled for here (nvme.poll_queues=N); leave hipri out";
	if (req->result == -EACCES || req->result == -EPERM)
		return "commands to this device are for root";
	return NULL;
}

static const char *const params[] = {
	"hipri", "fixedbufs", "registerfiles", "sqthread_poll", "sqthread_poll_cpu", NULL};
#define STATE_SIZE sizeof(struct cmd_state)

#else

static int cmd_probe(struct iob_error *err)
{
	return iob_fail(err, -EOPNOTSUPP,
		"io_uring_cmd: built with kernel headers older than 5.19; build again with newer "
		"ones, or use --ioengine=io_uring");
}

static int cmd_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	(void)state;
	(void)env;
	return cmd_probe(err);
}

#define cmd_arena   NULL
#define cmd_queue   NULL
#define cmd_submit  NULL
#define cmd_reap    NULL
#define cmd_flags   NULL
#define cmd_explain NULL
#define cmd_close   NULL
#define params      NULL
#define STATE_SIZE  0

#endif

const struct iob_engine iob_engine_io_uring_cmd = {
	.name = "io_uring_cmd",
	.summary = "NVMe commands past the block layer, for /dev/ngXnY",
	.caps = IOB_ENGINE_ASYNC | IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS | IOB_ENGINE_COMMANDS,
	.max_capacity = IOB_URING_MAX_CAPACITY,
	.params = params,
	.state_size = STATE_SIZE,
	.probe = cmd_probe,
	.open = cmd_open,
	.arena = cmd_arena,
	.queue = cmd_queue,
	.submit = cmd_submit,
	.reap = cmd_reap,
	.flags = cmd_flags,
	.explain = cmd_explain,
	.close = cmd_close,
};
