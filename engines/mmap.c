/* SPDX-License-Identifier: MIT */
/*
 * Copying from and to a shared mapping.  Without direct I/O this measures page faults and memory;
 * with it every transfer is followed by msync and by dropping its pages, so that the next one has
 * to ask the disk.  A large file is seen through a window that moves.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engines/blocking.h"
#include "engines/engines.h"
#include "engines/guarded_copy.h"

/* Address space of one worker: 512 of them fit into the 47 bits of a process. */
#if __SIZEOF_POINTER__ == 8
#define ADDRESS_SPACE (UINT64_C(128) << 30)
#else
#define ADDRESS_SPACE (UINT64_C(128) << 20)
#endif
#define LEAST_WINDOW (UINT64_C(1) << 20)

struct window {
	unsigned char *map; /* NULL = none */
	uint64_t offset, length;
	int protection;
	bool moved; /* pages outside of it may be dirty */
};

struct mmap_state {
	struct iob_blocking blocking; /* first */
	struct window *windows;
	unsigned nwindows;
	uint64_t window_size; /* a power of two */
	uint64_t page;
	int advice;
	bool direct, huge;
};

static int check_blocks(
	const struct mmap_state *s, const struct iob_job *job, struct iob_error *err)
{
	for (int dir = IOB_READ; dir <= IOB_WRITE; dir++) {
		const struct iob_range *bs = &job->bs[dir];

		if (bs->min % s->page == 0 && bs->max % s->page == 0)
			continue;
		return iob_fail_usage(err,
			"bs=%" PRIu64
			": with direct=1 the engine mmap moves whole pages of %" PRIu64
			" bytes; use a multiple of that, or --direct=0",
			bs->min % s->page ? bs->min : bs->max, s->page);
	}
	return 0;
}

static void choose_windows(struct mmap_state *s, const struct iob_engine_env *env)
{
	uint64_t size = ADDRESS_SPACE;

	while (size > LEAST_WINDOW && size > ADDRESS_SPACE / (env->ntargets ? env->ntargets : 1))
		size /= 2;
	s->window_size = size;
	for (unsigned i = 0; i < env->ntargets; i++) {
		int flags = fcntl(env->targets[i].fd, F_GETFL);
		bool writable = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;

		s->windows[i].protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
	}
}

static int mmap_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct mmap_state *s = state;
	int ret = iob_guarded_copy_enable(err);

	s->blocking.targets = env->targets;
	s->page = (uint64_t)sysconf(_SC_PAGESIZE);
	s->direct = env->direct;
	s->huge = env->job->thp;
	/* What the kernel reads ahead it keeps in units that cannot be dropped in part. */
	s->advice = s->direct || iob_rw_is_random(env->job->rw) ? MADV_RANDOM : MADV_SEQUENTIAL;
	if (ret == 0 && s->direct)
		ret = check_blocks(s, env->job, err);
	if (ret < 0)
		return ret;
	s->nwindows = env->ntargets;
	s->windows = calloc(env->ntargets ? env->ntargets : 1, sizeof(*s->windows));
	if (!s->windows)
		return iob_fail(err, -ENOMEM, "mmap: no memory for %u files", env->ntargets);
	choose_windows(s, env);
	return 0;
}

static void unmap(struct window *w)
{
	if (w->map)
		munmap(w->map, (size_t)w->length);
	w->map = NULL;
}

/* The half of a window that holds the offset begins it, so that neighbours rarely move it. */
static int map_around(struct mmap_state *s, unsigned file, uint64_t offset, uint64_t length)
{
	const struct iob_target *target = &s->blocking.targets[file];
	struct window *w = &s->windows[file];
	uint64_t half, begin, need, end;

	w->moved |= w->map != NULL;
	unmap(w);
	for (;; s->window_size /= 2) {
		half = s->window_size / 2;
		begin = offset & ~(half - 1);
		need = offset + length;
		end = begin + s->window_size < need ? need : begin + s->window_size;
		end = end < target->size ? end : (target->size + s->page - 1) & ~(s->page - 1);
		void *map = mmap(NULL, (size_t)(end - begin), w->protection, MAP_SHARED, target->fd,
			(off_t)begin);
		if (map != MAP_FAILED) {
			*w = (struct window){map, begin, end - begin, w->protection, w->moved};
			madvise(map, (size_t)w->length, s->advice);
			if (s->huge)
				madvise(map, (size_t)w->length, MADV_HUGEPAGE);
			return 0;
		}
		if (errno != ENOMEM || s->window_size <= LEAST_WINDOW)
			return -errno;
	}
}

/* The pages of the request, within the window. */
static void whole_pages(const struct mmap_state *s, const struct iob_req *req,
	const struct window *w, uint64_t *begin, uint64_t *length)
{
	uint64_t end = (req->offset - w->offset + req->length + s->page - 1) & ~(s->page - 1);

	*begin = (req->offset - w->offset) & ~(s->page - 1);
	*length = (end < w->length ? end : w->length) - *begin;
}

/* One request to the device instead of one for each page. */
static void fetch(const struct mmap_state *s, const struct iob_req *req, const struct window *w)
{
	uint64_t begin, length;

	whole_pages(s, req, w, &begin, &length);
	if (length > s->page)
		(void)madvise(w->map + begin, (size_t)length, MADV_WILLNEED);
}

/* What direct I/O would have done: first to the medium, then out of the page cache. */
static int drop(const struct mmap_state *s, const struct iob_req *req, const struct window *w)
{
	int fd = s->blocking.targets[req->file].fd;
	uint64_t begin, length;

	whole_pages(s, req, w, &begin, &length);
	if (req->op == IOB_OP_WRITE && msync(w->map + begin, (size_t)length, MS_SYNC) < 0)
		return -errno;
	/* Pages that are mapped stay in the cache. */
	if (madvise(w->map + begin, (size_t)length, MADV_DONTNEED) < 0)
		return -errno;
	return -posix_fadvise(fd, (off_t)(w->offset + begin), (off_t)length, POSIX_FADV_DONTNEED);
}

static int64_t transfer(struct iob_blocking *b, const struct iob_req *req)
{
	struct mmap_state *s = (struct mmap_state *)b;
	const struct iob_target *target = &b->targets[req->file];
	struct window *w = &s->windows[req->file];
	uint64_t length = req->length;
	int ret = 0;

	if (target->fd < 0 || (req->op == IOB_OP_WRITE && !(w->protection & PROT_WRITE)))
		return -EBADF;
	/* A mapping cannot make a file longer. */
	if (req->offset >= target->size)
		return req->op == IOB_OP_READ ? 0 : -ENOSPC;
	if (length > target->size - req->offset)
		length = target->size - req->offset;
	if (!w->map || req->offset < w->offset || req->offset + length > w->offset + w->length)
		ret = map_around(s, req->file, req->offset, length);
	if (ret < 0)
		return ret;
	if (s->direct)
		fetch(s, req, w);
	unsigned char *at = w->map + (req->offset - w->offset);
	bool ok = req->op == IOB_OP_READ
			  ? iob_guarded_copy(req->buf, at, (size_t)length, w->map, w->length)
			  : iob_guarded_copy(at, req->buf, (size_t)length, w->map, w->length);
	if (!ok)
		return -EIO;
	if (s->direct)
		ret = drop(s, req, w);
	return ret < 0 ? ret : (int64_t)length;
}

/* msync of a range is fdatasync of that range; what the window has left behind is not in it. */
static int64_t synchronise(struct mmap_state *s, const struct iob_req *req)
{
	const struct window *w = &s->windows[req->file];

	if (!w->map || w->moved || !(w->protection & PROT_WRITE))
		return iob_blocking_io(&s->blocking.targets[req->file], req);
	return msync(w->map, (size_t)w->length, MS_SYNC) < 0 ? -errno : 0;
}

static int mmap_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct mmap_state *s = state;
	struct iob_req *req = s->blocking.queued;

	(void)min;
	(void)timeout_ns;
	if (!req || req->op < IOB_OP_FSYNC)
		return iob_blocking_reap(&s->blocking, done, max, transfer);
	if (max == 0)
		return 0;
	req->result = synchronise(s, req);
	s->blocking.queued = NULL;
	done[0] = req;
	return 1;
}

static void mmap_flags(const void *state, char *buf, size_t n)
{
	const struct mmap_state *s = state;

	snprintf(buf, n, "blocking shared_mapping%s", s->direct ? " msync_and_drop" : "");
}

static const char *mmap_explain(void *state, const struct iob_req *req)
{
	(void)state;
	return req->result == -EIO ? "a bus error in the mapping: the file became shorter, or its "
				     "device failed"
				   : NULL;
}

static void mmap_close(void *state)
{
	struct mmap_state *s = state;

	for (unsigned i = 0; i < s->nwindows; i++)
		unmap(&s->windows[i]);
	free(s->windows);
}

static const char *const params[] = {"thp", NULL};

const struct iob_engine iob_engine_mmap = {
	.name = "mmap",
	.summary = "copies from and to a shared mapping; direct=1 adds msync and drops the pages",
	.caps = IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS | IOB_ENGINE_OWN_TABLE,
	.max_capacity = 1,
	.params = params,
	.state_size = sizeof(struct mmap_state),
	.probe = iob_blocking_probe,
	.open = mmap_open,
	.queue = iob_blocking_queue,
	.reap = mmap_reap,
	.flags = mmap_flags,
	.explain = mmap_explain,
	.close = mmap_close,
};
