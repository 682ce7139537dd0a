/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/space.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/rng.h"
#include "base/units.h"
#include "job/job.h"
#include "target/kin.h"
#include "target/space_total.h"

#define BLOCK       512 /* of st_blocks */
#define NOT_MADE    (UINT64_C(1) << 63)
/* At a room that may grow yet. */
#define LOOKS_LEAST 3
#define LOOKS_MOST  40
#define LOOK_NEXT   (50 * IOB_NS_PER_MS)

uint64_t iob_space_taken(const struct stat *st)
{
	return (uint64_t)st->st_blocks * BLOCK;
}

/* The path, or the directory nearest to it that is there.  *rest: a number for the names below
 * that, 0 if there are none. */
static int open_nearest(const char *path, uint64_t *rest)
{
	char place[IOB_PATH_MAX];
	int n = snprintf(place, sizeof(place), "%s", path);
	size_t length = n > 0 ? strlen(place) : 0;
	int fd = open(place, O_PATH | O_CLOEXEC);

	*rest = 0;
	while (fd < 0 && (errno == ENOENT || errno == ENOTDIR) && length > 0) {
		while (length > 0 && place[length - 1] != '/')
			*rest = iob_mix64(*rest ^ (unsigned char)place[--length]) | NOT_MADE;
		while (length > 1 && place[length - 1] == '/')
			length--;
		if (length == 0)
			return open(".", O_PATH | O_CLOEXEC);
		place[length] = '\0';
		fd = open(place, O_PATH | O_CLOEXEC);
		if (length == 1)
			break;
	}
	return fd;
}

uint64_t iob_space_unit(const char *path)
{
	struct statvfs vfs;
	struct stat st;
	uint64_t rest, unit = 1;
	IOB_FD int fd = open_nearest(path, &rest);

	if (fd >= 0 && fstatvfs(fd, &vfs) == 0 && vfs.f_frsize > unit)
		unit = vfs.f_frsize;
	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_blksize > 0 && (uint64_t)st.st_blksize > unit)
		unit = (uint64_t)st.st_blksize;
	return unit;
}

static void identify(struct iob_kin_promise *p, int fd, const struct stat *st, uint64_t rest)
{
	p->fs = iob_filesystem_id(fd, st);
	p->dev = st->st_dev;
	p->ino = rest ? iob_mix64(st->st_ino ^ rest) | NOT_MADE : st->st_ino;
	p->has = rest ? 0 : iob_space_taken(st);
}

/* A promise of what is wished; false if its place cannot be reached: who opens it says why. */
static bool as_promise(struct iob_kin_promise *p, const struct iob_space_wish *wish,
	const struct iob_space_asker *asker)
{
	uint64_t rest;
	struct stat st;
	IOB_FD int fd = wish->laid || wish->may ? open_nearest(wish->path, &rest) : -1;

	if (fd < 0 || fstat(fd, &st) < 0)
		return false;
	*p = (struct iob_kin_promise){
		.owner = asker->owner, .cap = wish->laid ? UINT64_MAX : asker->cap};
	identify(p, fd, &st, rest);
	if (__builtin_add_overflow(p->has, wish->laid, &p->most) ||
		__builtin_add_overflow(p->most, wish->may, &p->most))
		p->most = UINT64_MAX;
	return true;
}

/* What the file has by now, as far as it can be seen: in the process that has it open.  It may have
 * lost its name. */
static void look_again(struct iob_kin_promise *p)
{
	char path[64];
	struct stat st;

	if (p->pid == 0)
		return;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)p->pid, (int)p->fd);
	if (stat(path, &st) == 0 && st.st_dev == p->dev && st.st_ino == p->ino)
		p->has = iob_space_taken(&st);
}

/* What is asked about one file system. */
struct question {
	const struct iob_space_asker *asker;
	const struct iob_space_wish *first;
	unsigned files;
	uint64_t fs, laid, may;
	bool holes;
	struct iob_kin_promise *promise; /* of others, then the asker's own */
	size_t nothers, count;
	uint64_t others, total; /* what they come to */
};

static int refuse(const struct question *q, const struct iob_room *room, struct iob_error *err)
{
	uint64_t may = q->may < q->asker->cap ? q->may : q->asker->cap;
	char doing[IOB_PATH_MAX + 64], more[48] = "";

	if (q->files > 1)
		snprintf(more, sizeof(more), " and %u more", q->files - 1);
	snprintf(doing, sizeof(doing), "%s %s%s",
		q->laid    ? "laying out"
		: q->holes ? "filling the holes in"
			   : "writing",
		q->first->path, more);
	return iob_space_refuse(-ENOSPC, doing, q->laid + may, room, q->others, err);
}

static bool is_btrfs(int place)
{
	struct statfs fs;

	return fstatfs(place, &fs) == 0 && fs.f_type == BTRFS_SUPER_MAGIC;
}

/* May there be more room than is said, since blocks of files that were removed or trimmed are told
 * of late?  Not where a server or a FUSE process keeps them: it may never answer. */
static bool may_grow(int place)
{
	struct stat st;

	return fstat(place, &st) == 0 && (major(st.st_dev) != 0 || is_btrfs(place));
}

static void sync_filesystem(int place)
{
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", place);
	IOB_FD int fd = open(self, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		(void)syncfs(fd);
}

static bool fits(const struct question *q, const struct iob_room *room)
{
	return room->usable == UINT64_MAX || q->total <= room->usable;
}

/* What is given back in the background comes bit by bit: wait while it does. */
static int wait_for_room(
	const struct question *q, int place, struct iob_room *room, struct iob_error *err)
{
	uint64_t before = 0;

	for (unsigned look = 0; look < LOOKS_MOST; look++) {
		if (look == 0)
			sync_filesystem(place);
		else
			iob_sleep_until(iob_now_ns() + LOOK_NEXT);
		int rc = iob_filesystem_room(place, q->first->path, room, err);
		if (rc < 0 || fits(q, room))
			return rc;
		if (look >= LOOKS_LEAST && room->available <= before)
			break;
		before = room->available;
	}
	return refuse(q, room, err);
}

static int answer(const struct question *q, struct iob_error *err)
{
	uint64_t rest;
	struct iob_room room;
	IOB_FD int place = open_nearest(q->first->path, &rest);

	/* All of it was promised before, or is there. */
	if (q->total <= q->others)
		return 0;
	int rc = iob_filesystem_room(place, q->first->path, &room, err);
	if (rc < 0)
		return rc;
	/* Data that is not written yet is not counted there. */
	if (q->total > room.usable / 2 && is_btrfs(place)) {
		sync_filesystem(place);
		rc = iob_filesystem_room(place, q->first->path, &room, err);
	}
	if (rc < 0 || fits(q, &room))
		return rc;
	return may_grow(place) ? wait_for_room(q, place, &room, err) : refuse(q, &room, err);
}

static void take_others(struct question *q)
{
	const struct iob_kin *before = iob_kin_before();

	q->count = 0;
	for (uint32_t i = 0; before && i < before->npromises && i < IOB_KIN_MAX_PROMISES; i++) {
		if (before->promise[i].fs != q->fs)
			continue;
		q->promise[q->count] = before->promise[i];
		look_again(&q->promise[q->count++]);
	}
	q->nothers = q->count;
}

static int add_up(struct question *q, struct iob_error *err)
{
	IOB_FREE struct iob_kin_promise *copy = calloc(q->count + 1, sizeof(*copy));

	if (!copy)
		return iob_fail(err, -ENOMEM, "files: %m");
	memcpy(copy, q->promise, q->count * sizeof(*copy));
	q->total = iob_space_total(copy, q->count);
	memcpy(copy, q->promise, q->nothers * sizeof(*copy));
	q->others = iob_space_total(copy, q->nothers);
	return 0;
}

static void take_wish(
	struct question *q, const struct iob_space_wish *w, const struct iob_kin_promise *p)
{
	q->promise[q->count++] = *p;
	q->laid += w->laid;
	q->may += w->may;
	q->holes &= w->holes;
	q->files++;
}

/* The first of the wishes, and all others that are for the same file system; done[] notes them. */
static int ask(struct question *q, const struct iob_space_wish *wish, unsigned n, bool *done,
	struct iob_error *err)
{
	struct iob_kin_promise p;

	if (!as_promise(&p, wish, q->asker))
		return 0;
	*q = (struct question){
		.asker = q->asker, .promise = q->promise, .first = wish, .fs = p.fs, .holes = true};
	/* Before the room is looked at: what they write meanwhile counts twice, not never. */
	take_others(q);
	for (unsigned i = 0; i < n; i++) {
		if (done[i] || !as_promise(&p, &wish[i], q->asker) || p.fs != q->fs)
			continue;
		done[i] = true;
		take_wish(q, &wish[i], &p);
	}
	int rc = add_up(q, err);
	return rc < 0 ? rc : answer(q, err);
}

int iob_space_check(const struct iob_space_wish *wish, unsigned n,
	const struct iob_space_asker *asker, struct iob_error *err)
{
	IOB_FREE struct iob_kin_promise *room =
		calloc((size_t)n + IOB_KIN_MAX_PROMISES, sizeof(*room));
	IOB_FREE bool *done = calloc(n + 1, sizeof(*done));
	struct question q = {.asker = asker, .promise = room};
	int rc = 0;

	if (!room || !done)
		return iob_fail(err, -ENOMEM, "files: %m");
	for (unsigned i = 0; rc == 0 && i < n; i++)
		if (!done[i])
			rc = ask(&q, &wish[i], n - i, &done[i], err);
	return rc;
}

void iob_space_promise_ahead(
	const struct iob_space_wish *wish, unsigned n, const struct iob_space_asker *asker)
{
	struct iob_kin_promise p;

	for (unsigned i = 0; i < n; i++)
		if (as_promise(&p, &wish[i], asker))
			iob_kin_promise(&p);
}

void iob_space_promise(int fd, uint64_t most, const struct iob_space_asker *asker)
{
	struct iob_kin_promise p = {
		.most = most, .cap = asker->cap, .owner = asker->owner, .pid = getpid(), .fd = fd};
	struct stat st;

	if (fstat(fd, &st) < 0)
		return;
	identify(&p, fd, &st, 0);
	iob_kin_promise(&p);
}

void iob_space_settle(int fd)
{
	struct iob_kin *own = &iob_kin_own;
	struct stat st;

	if (own->npromises == 0 || fstat(fd, &st) < 0)
		return;
	for (uint32_t i = 0; i < own->npromises; i++)
		if (own->promise[i].dev == st.st_dev && own->promise[i].ino == st.st_ino)
			own->promise[i].has = iob_space_taken(&st);
}

int iob_space_refuse(int code, const char *doing, uint64_t wanted, const struct iob_room *room,
	uint64_t others, struct iob_error *err)
{
	char needed[32], there[32], promised[64] = "", bytes[32];

	if (room->available == UINT64_MAX)
		snprintf(there, sizeof(there), "an unknown amount");
	else
		iob_format_bytes(there, sizeof(there), room->available);
	if (others)
		snprintf(promised, sizeof(promised), "%s are for other files of this command and ",
			iob_format_bytes(bytes, sizeof(bytes), others));
	return iob_fail(err, code,
		"%s: %m (%s wanted, %s free, of which %s%d %% of the file system are left "
		"alone); give a smaller size or another place",
		doing, iob_format_bytes(needed, sizeof(needed), wanted), there, promised,
		IOB_KEEP_FREE_PERCENT);
}
