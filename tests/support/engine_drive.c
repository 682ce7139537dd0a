/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/support/engine_drive.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job/param.h"

struct drive d;

/* The word at an offset of a file. */
static uint64_t word_at(uint64_t offset, uint64_t salt)
{
	return (offset + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ salt;
}

void drive_fill(void *buf, size_t length, uint64_t offset, uint64_t salt)
{
	for (size_t i = 0; i + 8 <= length; i += 8) {
		uint64_t word = word_at(offset + i, salt);

		memcpy((unsigned char *)buf + i, &word, sizeof(word));
	}
}

void drive_expect(const void *buf, size_t length, uint64_t offset, uint64_t salt)
{
	for (size_t i = 0; i + 8 <= length; i += 8) {
		uint64_t word;

		memcpy(&word, (const unsigned char *)buf + i, sizeof(word));
		cr_assert_eq(word, word_at(offset + i, salt), "wrong content at offset %zu",
			(size_t)offset + i);
	}
}

int drive_file_with(uint64_t salt, int flags)
{
	const char *tmp = getenv("TMPDIR");
	char path[512];
	static unsigned char content[BLOCKS * BLOCK + TAIL];

	snprintf(path, sizeof(path), "%s/iob-engine-XXXXXX", tmp ? tmp : "/tmp");
	int fd = mkostemp(path, O_CLOEXEC);
	cr_assert(fd >= 0, "%s: %m", path);
	drive_fill(content, sizeof(content), 0, salt);
	cr_assert_eq(pwrite(fd, content, sizeof(content), 0), (ssize_t)sizeof(content));
	int again = open(path, flags | O_CLOEXEC);
	unlink(path);
	close(fd);
	return again;
}

int drive_file(uint64_t salt)
{
	int fd = drive_file_with(salt, O_RDWR);

	cr_assert(fd >= 0, "%m");
	return fd;
}

void drive_target(unsigned i, int fd)
{
	struct iob_target *t = &d.target[i];
	struct stat st;

	t->fd = fd;
	t->size = 0;
	snprintf(t->path, sizeof(t->path), "target %u", i);
	if (fd < 0 || fstat(fd, &st) < 0)
		return;
	t->size = (uint64_t)st.st_size;
	if (S_ISBLK(st.st_mode))
		cr_assert_eq(ioctl(fd, BLKGETSIZE64, &t->size), 0);
}

int drive_try(const struct iob_engine *engine, unsigned capacity, struct iob_error *err)
{
	d.engine = engine;
	d.capacity = engine->caps & IOB_ENGINE_ASYNC ? capacity : 1;
	cr_assert_leq(d.capacity, engine->max_capacity);
	d.state = aligned_alloc(64, (engine->state_size / 64 + 1) * 64);
	d.arena = aligned_alloc(BLOCK, (size_t)BLOCK * SLOTS);
	memset(d.state, 0, engine->state_size);
	memset(d.arena, 0, (size_t)BLOCK * SLOTS);
	for (unsigned i = 0; i < SLOTS; i++)
		d.req[i] = (struct iob_req){
			.index = (uint16_t)i, .buf = d.arena + (size_t)i * BLOCK, .length = BLOCK};
	struct iob_engine_env env = {
		.job = &d.job,
		.targets = d.target,
		.ntargets = d.ntargets,
		.capacity = d.capacity,
		.direct = d.direct,
		.arena = d.arena,
		.arena_size = (size_t)BLOCK * SLOTS,
	};
	int ret = engine->open(d.state, &env, err);
	if (ret < 0) {
		free(d.state);
		free(d.arena);
	}
	return ret;
}

/* tests/load/engine_options.sh runs the suite again with parameters of an engine:
 * IOB_ENGINE_OPTIONS="io_uring nonvectored=0". */
static void apply_options(const struct iob_engine *engine)
{
	const char *options = getenv("IOB_ENGINE_OPTIONS");
	char copy[256], *rest = copy, *word;
	struct iob_error err = {0};

	if (!options)
		return;
	snprintf(copy, sizeof(copy), "%s", options);
	word = strsep(&rest, " ");
	if (strcmp(word, engine->name) != 0)
		cr_skip_test("these parameters are for %s", word);
	while ((word = strsep(&rest, " "))) {
		char *value = strchr(word, '=');

		cr_assert_not_null(value, "%s", word);
		*value++ = '\0';
		cr_assert_eq(iob_param_set_named(&d.job, word, value, &err), 0, "%s", err.text);
	}
	cr_assert_eq(iob_engine_check_params(engine, &d.job, &err), 0, "%s", err.text);
}

/* What the parameters ask for may be missing here: then that is what is said. */
static void skip_missing(int code, const char *why)
{
	if ((code == -EOPNOTSUPP || code == -EAGAIN) && getenv("IOB_ENGINE_OPTIONS"))
		cr_skip_test("%s", why);
}

void drive_open(unsigned index, unsigned capacity)
{
	struct iob_error err = {0};

	if (iob_engines[index]->probe(&err) < 0)
		cr_skip_test("%s cannot run here: %s", iob_engines[index]->name, err.text);
	apply_options(iob_engines[index]);
	int ret = drive_try(iob_engines[index], capacity, &err);
	/* A parameter may also contradict what the test is about. */
	skip_missing(err.kind == IOB_ERR_USAGE ? -EOPNOTSUPP : ret, err.text);
	cr_assert_eq(ret, 0, "%s", err.text);
}

void drive_start_with(unsigned index, unsigned capacity, int fd0, int fd1)
{
	iob_job_defaults(&d.job);
	d.ntargets = 2;
	drive_target(0, fd0);
	drive_target(1, fd1);
	drive_open(index, capacity);
}

void drive_start(unsigned index)
{
	drive_start_with(index, SLOTS, drive_file(0), drive_file(77));
}

void drive_finish(void)
{
	cr_assert_eq(d.in_flight, 0);
	d.engine->close(d.state);
	free(d.state);
	free(d.arena);
	for (unsigned i = 0; i < d.ntargets; i++)
		close(d.target[i].fd);
}

void drive_queue(struct iob_req *const *reqs, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned slot = reqs[i]->index;

		cr_assert(!d.out[slot]);
		d.out[slot] = true;
		reqs[i]->result = INT64_MIN;
		d.as_queued[slot] = *reqs[i];
	}
	d.in_flight += n;
	cr_assert_leq(d.in_flight, d.capacity);
	d.engine->queue(d.state, reqs, n);
}

unsigned drive_reap(struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	int n = d.engine->reap(d.state, done, min, max, timeout_ns);

	cr_assert_geq(n, 0, "reap failed with %d", n);
	cr_assert_leq((unsigned)n, max);
	for (int i = 0; i < n; i++) {
		struct iob_req seen = *done[i];

		cr_assert(d.out[seen.index], "request %u came back unasked", seen.index);
		d.out[seen.index] = false;
		cr_assert_neq(seen.result, INT64_MIN, "no result was set");
		skip_missing((int)seen.result,
			"the kernel does not know it for this operation on this file");
		seen.result = INT64_MIN;
		cr_assert_eq(memcmp(&seen, &d.as_queued[seen.index], sizeof(seen)), 0,
			"the engine changed the request");
	}
	d.in_flight -= (unsigned)n;
	return (unsigned)n;
}

int64_t drive_perform(enum iob_op op, uint64_t offset, uint32_t length, uint16_t file)
{
	struct iob_req *req = &d.req[0], *done[SLOTS];

	req->op = (uint8_t)op;
	req->offset = offset;
	req->length = length;
	req->file = file;
	drive_queue(&req, 1);
	cr_assert_eq(drive_reap(done, 1, 1, TIMEOUT_NS), 1);
	return req->result;
}

unsigned drive_queue_blocks(enum iob_op op, uint64_t base, unsigned next)
{
	struct iob_req *batch[SLOTS];
	unsigned n = 0;

	for (unsigned i = 0; i < d.capacity && next + n < BLOCKS; i++) {
		struct iob_req *req = &d.req[i];

		if (d.out[i])
			continue;
		req->op = (uint8_t)op;
		req->offset = base + (uint64_t)((next + n) * 37 % BLOCKS) * BLOCK;
		if (op == IOB_OP_WRITE)
			drive_fill(req->buf, BLOCK, req->offset, 5);
		batch[n++] = req;
	}
	drive_queue(batch, n);
	return n;
}

static void check_block(const struct iob_req *req, uint64_t read_salt)
{
	cr_assert_eq(req->result, BLOCK, "%s: result %lld at %llu", d.engine->name,
		(long long)req->result, (unsigned long long)req->offset);
	if (req->op == IOB_OP_READ)
		drive_expect(req->buf, BLOCK, req->offset, read_salt);
}

void drive_all_blocks(enum iob_op op, uint64_t base, uint64_t read_salt)
{
	struct iob_req *done[SLOTS];
	unsigned next = 0, back = 0;

	while (back < BLOCKS) {
		if (d.in_flight < d.capacity && next < BLOCKS)
			next += drive_queue_blocks(op, base, next);
		unsigned n = drive_reap(done, 1, d.in_flight, TIMEOUT_NS);
		cr_assert_geq(n, 1, "nothing came back");
		for (unsigned i = 0; i < n; i++)
			check_block(done[i], read_salt);
		back += n;
	}
	cr_assert_eq(back, BLOCKS);
}
