/* SPDX-License-Identifier: MIT */
/*
 * Pages move between file and pipe by splice; between pipe and buffer by read and vmsplice.  A
 * request goes in pieces of the size of the pipe.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "engines/blocking.h"
#include "engines/engines.h"

/* What a user without privileges may have (fs.pipe-max-size). */
#define WANTED_PIPE (1 << 20)

struct splice_state {
	struct iob_blocking blocking; /* first */
	int from, to;                 /* ends of the pipe */
	size_t piece;
	bool rest; /* something that nobody will read is left in the pipe */
};

static int make_pipe(struct splice_state *s)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	s->rest = false;
	s->from = fds[0];
	s->to = fds[1];
	(void)fcntl(s->to, F_SETPIPE_SZ, WANTED_PIPE);
	int size = fcntl(s->to, F_GETPIPE_SZ);
	s->piece = size > 0 ? (size_t)size : 4096;
	return 0;
}

static void close_pipe(struct splice_state *s)
{
	close(s->from);
	close(s->to);
}

/* Without what is left in it.  Without a pipe all that follows fails. */
static void renew_pipe(struct splice_state *s)
{
	close_pipe(s);
	if (make_pipe(s) < 0)
		s->from = s->to = -1;
}

/* At the end of the file, where nothing moves, unless it has grown meanwhile. */
static bool can_read(struct splice_state *s, int fd, loff_t end)
{
	ssize_t got = splice(fd, &end, s->to, NULL, 4096, SPLICE_F_NONBLOCK);
	int code = errno;

	if (got > 0)
		renew_pipe(s);
	return got >= 0 || code != EINVAL;
}

/* Out of an empty pipe, so that nothing moves. */
static bool can_write(const struct splice_state *s, int fd)
{
	loff_t start = 0;

	return splice(s->from, NULL, fd, &start, 4096, SPLICE_F_NONBLOCK) >= 0 || errno != EINVAL;
}

/* Asks without moving a byte.  The job may cover less than the file: its end is the file's own. */
static int check_target(
	struct splice_state *s, const struct iob_target *target, struct iob_error *err)
{
	int flags = fcntl(target->fd, F_GETFL);
	struct stat st;

	/* What is no file fails by request. */
	if (flags < 0 || fstat(target->fd, &st) < 0 ||
		(!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode)))
		return 0;
	loff_t end = S_ISREG(st.st_mode) ? st.st_size : (loff_t)target->size;
	bool writes = (flags & O_ACCMODE) == O_RDONLY || can_write(s, target->fd);
	bool reads = (flags & O_ACCMODE) == O_WRONLY || can_read(s, target->fd, end);
	if (reads && writes)
		return 0;
	return iob_fail(err, -EOPNOTSUPP,
		"splice: the file system of %s cannot %s by splice; use --ioengine=psync",
		target->path, reads ? "be written" : "be read");
}

static int splice_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct splice_state *s = state;
	int ret = make_pipe(s);

	if (ret < 0)
		return iob_fail(
			err, ret, "splice: making a pipe: %m; raise `ulimit -n`, or lower numjobs");
	s->blocking.targets = env->targets;
	for (unsigned i = 0; ret == 0 && i < env->ntargets; i++)
		ret = check_target(s, &env->targets[i], err);
	if (ret < 0)
		close_pipe(s);
	return ret;
}

/* Takes n bytes out of the pipe, which holds them. */
static ssize_t empty_pipe(struct splice_state *s, char *buf, size_t n)
{
	size_t have = 0;

	while (have < n) {
		ssize_t got = read(s->from, buf + have, n - have);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -1;
		have += (size_t)got;
	}
	return (ssize_t)n;
}

static ssize_t read_piece(struct splice_state *s, int fd, char *buf, size_t n, loff_t at)
{
	ssize_t got = splice(fd, &at, s->to, NULL, n, SPLICE_F_MOVE);

	if (got <= 0)
		return got;
	s->rest = true;
	if (empty_pipe(s, buf, (size_t)got) < 0)
		return -1;
	s->rest = false;
	return got;
}

static ssize_t write_piece(struct splice_state *s, int fd, char *buf, size_t n, loff_t at)
{
	struct iovec vector = {buf, n};
	ssize_t in = vmsplice(s->to, &vector, 1, 0), out = 0;

	while (in > 0 && out < in) {
		ssize_t moved = splice(s->from, NULL, fd, &at, (size_t)(in - out), SPLICE_F_MOVE);

		if (moved < 0 && errno == EINTR)
			continue;
		if (moved <= 0) {
			s->rest = true;
			return out > 0 ? out : moved;
		}
		out += moved;
	}
	return in < 0 ? in : out;
}

static int64_t transfer(struct iob_blocking *b, const struct iob_req *req)
{
	struct splice_state *s = (struct splice_state *)b;
	int fd = b->targets[req->file].fd;
	int64_t moved = 0;

	while (moved < (int64_t)req->length) {
		size_t left = (size_t)((int64_t)req->length - moved);
		size_t n = left < s->piece ? left : s->piece;
		loff_t at = (loff_t)req->offset + moved;
		char *buf = (char *)req->buf + moved;
		ssize_t got = req->op == IOB_OP_READ ? read_piece(s, fd, buf, n, at)
						     : write_piece(s, fd, buf, n, at);
		int code = got < 0 ? errno : 0;
		bool rest = s->rest;

		if (rest)
			renew_pipe(s);
		else if (code == EINTR || code == EAGAIN)
			continue;
		if (code)
			return moved > 0 ? moved : -code;
		moved += got;
		if (got == 0 || rest)
			break;
	}
	return moved;
}

static int splice_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	(void)min;
	(void)timeout_ns;
	return iob_blocking_reap(state, done, max, transfer);
}

static void splice_close(void *state)
{
	close_pipe(state);
}

const struct iob_engine iob_engine_splice = {
	.name = "splice",
	.summary = "splice and vmsplice through a pipe, one request at a time",
	.caps = IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS | IOB_ENGINE_SYNC_RANGE |
		IOB_ENGINE_OWN_TABLE,
	.max_capacity = 1,
	.state_size = sizeof(struct splice_state),
	.probe = iob_blocking_probe,
	.open = splice_open,
	.queue = iob_blocking_queue,
	.reap = splice_reap,
	.flags = iob_blocking_flags,
	.close = splice_close,
};
