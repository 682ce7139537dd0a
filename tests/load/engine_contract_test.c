/* SPDX-License-Identifier: MIT */
/* One suite for all engines: what engine.h promises.  Every call is checked on the way: no request
 * comes back twice or unasked, nothing in it but the result is changed. */
#include <config.h>

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/param.h"
#include "load/engine.h"

#define BLOCK      4096u
#define BLOCKS     64u
#define SLOTS      16u
#define TAIL       1000u
#define TIMEOUT_NS (10 * IOB_NS_PER_S)

struct drive {
	const struct iob_engine *engine;
	void *state;
	struct iob_target target[2];
	unsigned char *arena;
	struct iob_req req[SLOTS], as_queued[SLOTS];
	bool out[SLOTS];
	unsigned in_flight, capacity;
};

static struct drive d;

/* Indices of all engines that lack these capabilities. */
static struct criterion_test_params engines_without(unsigned caps)
{
	unsigned n = 0, all = 0;

	while (iob_engines[all])
		all++;
	unsigned *index = cr_malloc(all * sizeof(*index));
	for (unsigned i = 0; i < all; i++)
		if (!(iob_engines[i]->caps & caps))
			index[n++] = i;
	return cr_make_param_array(unsigned, index, n, NULL);
}

#define ENGINE_TEST_WITHOUT(unwanted, name)                                                        \
	ParameterizedTestParameters(engine, name)                                                  \
	{                                                                                          \
		return engines_without(unwanted);                                                  \
	}                                                                                          \
	ParameterizedTest(const unsigned *index, engine, name, .timeout = 30)

/* Of every engine that a file will do for, and of those that do I/O. */
#define ENGINE_TEST(name) ENGINE_TEST_WITHOUT(IOB_ENGINE_COMMANDS, name)
#define IO_TEST(name)     ENGINE_TEST_WITHOUT(IOB_ENGINE_COMMANDS | IOB_ENGINE_NO_TARGET, name)

/* The word at an offset of a file. */
static uint64_t word_at(uint64_t offset, uint64_t salt)
{
	return (offset + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ salt;
}

static void fill(void *buf, size_t length, uint64_t offset, uint64_t salt)
{
	for (size_t i = 0; i + 8 <= length; i += 8) {
		uint64_t word = word_at(offset + i, salt);

		memcpy((unsigned char *)buf + i, &word, sizeof(word));
	}
}

static void expect_content(const void *buf, size_t length, uint64_t offset, uint64_t salt)
{
	for (size_t i = 0; i + 8 <= length; i += 8) {
		uint64_t word;

		memcpy(&word, (const unsigned char *)buf + i, sizeof(word));
		cr_assert_eq(word, word_at(offset + i, salt), "wrong content at offset %zu",
			(size_t)offset + i);
	}
}

/* A file of BLOCKS blocks and a tail, already without a name. */
static int make_file(uint64_t salt)
{
	const char *tmp = getenv("TMPDIR");
	char path[512];
	static unsigned char content[BLOCKS * BLOCK + TAIL];

	snprintf(path, sizeof(path), "%s/iob-engine-XXXXXX", tmp ? tmp : "/tmp");
	int fd = mkostemp(path, O_CLOEXEC);
	cr_assert(fd >= 0, "%s: %m", path);
	unlink(path);
	fill(content, sizeof(content), 0, salt);
	cr_assert_eq(pwrite(fd, content, sizeof(content), 0), (ssize_t)sizeof(content));
	return fd;
}

/* tests/load/engine_options.sh runs the suite again with parameters of an engine:
 * IOB_ENGINE_OPTIONS="io_uring nonvectored=0". */
static void apply_options(struct iob_job *job)
{
	const char *options = getenv("IOB_ENGINE_OPTIONS");
	char copy[256], *rest = copy, *word;
	struct iob_error err = {0};

	if (!options)
		return;
	snprintf(copy, sizeof(copy), "%s", options);
	word = strsep(&rest, " ");
	if (strcmp(word, d.engine->name) != 0)
		cr_skip_test("these parameters are for %s", word);
	while ((word = strsep(&rest, " "))) {
		char *value = strchr(word, '=');

		cr_assert_not_null(value, "%s", word);
		*value++ = '\0';
		cr_assert_eq(iob_param_set_named(job, word, value, &err), 0, "%s", err.text);
	}
	cr_assert_eq(iob_engine_check_params(d.engine, job, &err), 0, "%s", err.text);
}

/* What the parameters ask for may be missing here; the script asked for it, so it knows. */
static void open_engine(const struct iob_engine_env *env)
{
	struct iob_error err = {0};
	int ret = d.engine->open(d.state, env, &err);

	if (ret == -EOPNOTSUPP && getenv("IOB_ENGINE_OPTIONS"))
		cr_skip_test("%s", err.text);
	cr_assert_eq(ret, 0, "%s", err.text);
}

static void start_with(unsigned index, unsigned capacity, int fd0, int fd1)
{
	struct iob_error err = {0};

	d.engine = iob_engines[index];
	if (d.engine->probe(&err) < 0)
		cr_skip_test("%s cannot run here: %s", d.engine->name, err.text);
	d.capacity = d.engine->caps & IOB_ENGINE_ASYNC ? capacity : 1;
	cr_assert_leq(d.capacity, d.engine->max_capacity);
	d.target[0].fd = fd0;
	d.target[1].fd = fd1;
	d.state = aligned_alloc(64, (d.engine->state_size / 64 + 1) * 64);
	d.arena = aligned_alloc(BLOCK, (size_t)BLOCK * SLOTS);
	memset(d.state, 0, d.engine->state_size);
	memset(d.arena, 0, (size_t)BLOCK * SLOTS);
	for (unsigned i = 0; i < SLOTS; i++)
		d.req[i] = (struct iob_req){
			.index = i, .buf = d.arena + (size_t)i * BLOCK, .length = BLOCK};
	static struct iob_job job;
	iob_job_defaults(&job);
	apply_options(&job);
	struct iob_engine_env env = {
		.job = &job,
		.targets = d.target,
		.ntargets = 2,
		.capacity = d.capacity,
		.arena = d.arena,
		.arena_size = (size_t)BLOCK * SLOTS,
	};
	open_engine(&env);
}

/* Opens the engine on two files. */
static void start(unsigned index)
{
	start_with(index, SLOTS, make_file(0), make_file(77));
}

static void finish(void)
{
	cr_assert_eq(d.in_flight, 0);
	d.engine->close(d.state);
	free(d.state);
	free(d.arena);
	close(d.target[0].fd);
	close(d.target[1].fd);
}

static void queue(struct iob_req *const *reqs, unsigned n)
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

static unsigned reap(struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	int n = d.engine->reap(d.state, done, min, max, timeout_ns);

	cr_assert_geq(n, 0, "reap failed with %d", n);
	cr_assert_leq((unsigned)n, max);
	for (int i = 0; i < n; i++) {
		struct iob_req seen = *done[i];

		cr_assert(d.out[seen.index], "request %u came back unasked", seen.index);
		d.out[seen.index] = false;
		cr_assert_neq(seen.result, INT64_MIN, "no result was set");
		bool refused = seen.result == -EOPNOTSUPP || seen.result == -EAGAIN;
		if (refused && getenv("IOB_ENGINE_OPTIONS"))
			cr_skip_test("the kernel does not know it for this operation on this file");
		seen.result = INT64_MIN;
		cr_assert_eq(memcmp(&seen, &d.as_queued[seen.index], sizeof(seen)), 0,
			"the engine changed the request");
	}
	d.in_flight -= (unsigned)n;
	return (unsigned)n;
}

/* One request from start to end. */
static int64_t perform(enum iob_op op, uint64_t offset, uint32_t length, uint16_t file)
{
	struct iob_req *req = &d.req[0], *done[SLOTS];

	req->op = (uint8_t)op;
	req->offset = offset;
	req->length = length;
	req->file = file;
	queue(&req, 1);
	cr_assert_eq(reap(done, 1, 1, TIMEOUT_NS), 1);
	return req->result;
}

/* Fill all slots with blocks from `next` on (in an order that jumps), return how many. */
static unsigned queue_blocks(enum iob_op op, unsigned next)
{
	struct iob_req *batch[SLOTS];
	unsigned n = 0;

	for (unsigned i = 0; i < d.capacity && next + n < BLOCKS; i++) {
		struct iob_req *req = &d.req[i];

		if (d.out[i])
			continue;
		req->op = (uint8_t)op;
		req->offset = (uint64_t)((next + n) * 37 % BLOCKS) * BLOCK;
		if (op == IOB_OP_WRITE)
			fill(req->buf, BLOCK, req->offset, 5);
		batch[n++] = req;
	}
	queue(batch, n);
	return n;
}

/* All blocks of the file, as many at once as the engine takes. */
static void all_blocks(enum iob_op op)
{
	struct iob_req *done[SLOTS];
	unsigned next = 0, back = 0;

	while (back < BLOCKS) {
		if (d.in_flight < d.capacity && next < BLOCKS)
			next += queue_blocks(op, next);
		unsigned n = reap(done, 1, d.in_flight, TIMEOUT_NS);
		cr_assert_geq(n, 1);
		for (unsigned i = 0; i < n; i++) {
			cr_assert_eq(done[i]->result, BLOCK, "%s: result %lld", d.engine->name,
				(long long)done[i]->result);
			if (op == IOB_OP_READ)
				expect_content(done[i]->buf, BLOCK, done[i]->offset, 0);
		}
		back += n;
	}
	cr_assert_eq(back, BLOCKS);
}

IO_TEST(reads_return_the_content_at_their_offset)
{
	start(*index);
	all_blocks(IOB_OP_READ);
	finish();
}

IO_TEST(writes_land_at_their_offset)
{
	static unsigned char content[BLOCKS * BLOCK];

	start(*index);
	all_blocks(IOB_OP_WRITE);
	cr_assert_eq(pread(d.target[0].fd, content, sizeof(content), 0), (ssize_t)sizeof(content));
	expect_content(content, sizeof(content), 0, 5);
	finish();
}

IO_TEST(the_second_file_is_another_one)
{
	start(*index);
	cr_assert_eq(perform(IOB_OP_READ, 3 * BLOCK, BLOCK, 1), BLOCK);
	expect_content(d.req[0].buf, BLOCK, 3 * BLOCK, 77);
	finish();
}

IO_TEST(the_end_of_the_file_is_short_then_zero)
{
	start(*index);
	cr_assert_eq(perform(IOB_OP_READ, (uint64_t)BLOCKS * BLOCK, BLOCK, 0), TAIL);
	expect_content(d.req[0].buf, TAIL, (uint64_t)BLOCKS * BLOCK, 0);
	cr_assert_eq(perform(IOB_OP_READ, (uint64_t)(BLOCKS + 8) * BLOCK, BLOCK, 0), 0);
	finish();
}

IO_TEST(errors_come_back_as_their_number)
{
	start_with(*index, SLOTS, open("/", O_RDONLY | O_CLOEXEC), -1);
	int64_t bad = perform(IOB_OP_READ, 0, BLOCK, 1);
	cr_assert_eq(bad, -EBADF, "closed descriptor: %lld", (long long)bad);
	bad = perform(IOB_OP_READ, 0, BLOCK, 0);
	cr_assert(bad == -EISDIR || bad == -EINVAL, "directory: %lld", (long long)bad);
	finish();
}

IO_TEST(an_error_in_a_batch_leaves_the_others_alone)
{
	struct iob_req *batch[SLOTS], *done[SLOTS];
	unsigned good = 0, bad = 0;

	start_with(*index, SLOTS, make_file(0), -1);
	for (unsigned i = 0; i < d.capacity; i++) {
		d.req[i].file = i % 3 == 1;
		batch[i] = &d.req[i];
	}
	queue(batch, d.capacity);
	while (d.in_flight) {
		unsigned n = reap(done, 1, d.in_flight, TIMEOUT_NS);

		for (unsigned i = 0; i < n; i++) {
			good += done[i]->result == BLOCK;
			bad += done[i]->result == -EBADF && done[i]->file == 1;
		}
	}
	cr_assert_eq(bad, (d.capacity + 1) / 3);
	cr_assert_eq(good + bad, d.capacity);
	finish();
}

ENGINE_TEST(all_slots_may_be_in_flight_and_each_comes_back_once)
{
	struct iob_req *batch[SLOTS], *done[SLOTS];
	bool io = !(iob_engines[*index]->caps & IOB_ENGINE_NO_TARGET);

	start_with(*index, SLOTS, io ? make_file(0) : -1, -1);
	for (unsigned round = 0; round < 50; round++) {
		for (unsigned i = 0; i < d.capacity; i++)
			batch[i] = &d.req[(i * 7 + round) % d.capacity];
		queue(batch, d.capacity);
		/* Once one by one, once all together. */
		if (round % 2)
			cr_assert_eq(reap(done, d.capacity, d.capacity, TIMEOUT_NS), d.capacity);
		while (d.in_flight)
			cr_assert_eq(reap(done, 1, 1, TIMEOUT_NS), 1);
	}
	finish();
}

IO_TEST(without_a_minimum_reap_submits_and_does_not_wait)
{
	struct iob_req *req = &d.req[0], *done[SLOTS];

	start(*index);
	queue(&req, 1);
	uint64_t give_up = iob_now_ns() + TIMEOUT_NS;
	while (d.in_flight && iob_now_ns() < give_up)
		reap(done, 0, 1, 0);
	cr_assert_eq(d.in_flight, 0, "what was queued was never submitted");
	cr_assert_eq(reap(done, 0, 1, 0), 0);
	finish();
}

ENGINE_TEST(a_wait_for_nothing_ends_at_its_timeout)
{
	struct iob_req *done[SLOTS];

	start_with(*index, SLOTS, -1, -1);
	uint64_t before = iob_now_ns();
	cr_assert_eq(reap(done, 1, 1, 20 * IOB_NS_PER_MS), 0);
	cr_assert_lt(iob_now_ns() - before, 5 * IOB_NS_PER_S);
	finish();
}

ENGINE_TEST(syncs_succeed_or_say_why)
{
	int pipe_fd[2];

	cr_assert_eq(pipe(pipe_fd), 0);
	if (!(iob_engines[*index]->caps & IOB_ENGINE_SYNC_OPS))
		cr_skip_test("%s cannot sync", iob_engines[*index]->name);
	start_with(*index, SLOTS, make_file(0), pipe_fd[1]);
	cr_assert_eq(perform(IOB_OP_WRITE, 0, BLOCK, 0), BLOCK);
	cr_assert_eq(perform(IOB_OP_FSYNC, 0, 0, 0), 0);
	cr_assert_eq(perform(IOB_OP_FDATASYNC, 0, 0, 0), 0);
	if (!(d.engine->caps & IOB_ENGINE_NO_TARGET))
		cr_assert_eq(perform(IOB_OP_FSYNC, 0, 0, 1), -EINVAL);
	finish();
	close(pipe_fd[0]);
}

IO_TEST(trims_leave_zeros)
{
	static const unsigned char zeros[BLOCK];

	start(*index);
	int64_t result = perform(IOB_OP_TRIM, 4 * BLOCK, BLOCK, 0);
	if (result == -EOPNOTSUPP) {
		finish();
		cr_skip_test("the file system of the temporary folder cannot punch holes");
	}
	cr_assert_eq(result, BLOCK, "trim: %lld", (long long)result);
	cr_assert_eq(perform(IOB_OP_READ, 4 * BLOCK, BLOCK, 0), BLOCK);
	cr_assert_eq(memcmp(d.req[0].buf, zeros, BLOCK), 0);
	cr_assert_eq(perform(IOB_OP_READ, 5 * BLOCK, BLOCK, 0), BLOCK);
	expect_content(d.req[0].buf, BLOCK, 5 * BLOCK, 0);
	finish();
}

IO_TEST(the_arena_may_move)
{
	struct iob_error err = {0};

	start(*index);
	cr_assert_eq(perform(IOB_OP_READ, 0, BLOCK, 0), BLOCK);
	unsigned char *moved = aligned_alloc(BLOCK, (size_t)BLOCK * SLOTS * 2);
	if (d.engine->arena)
		cr_assert_eq(d.engine->arena(d.state, moved, (size_t)BLOCK * SLOTS * 2, &err), 0);
	free(d.arena);
	d.arena = moved;
	for (unsigned i = 0; i < SLOTS; i++)
		d.req[i].buf = moved + (size_t)i * BLOCK * 2;
	all_blocks(IOB_OP_READ);
	finish();
}

IO_TEST(close_does_not_wait_for_what_is_in_flight)
{
	struct iob_req *done[SLOTS];

	start(*index);
	queue_blocks(IOB_OP_READ, 0);
	reap(done, 0, 1, 0);
	d.in_flight = 0;
	uint64_t before = iob_now_ns();
	d.engine->close(d.state);
	cr_assert_lt(iob_now_ns() - before, 5 * IOB_NS_PER_S);
	free(d.state);
	close(d.target[0].fd);
	close(d.target[1].fd);
}

ENGINE_TEST(flags_are_words)
{
	char text[128] = "";

	start_with(*index, SLOTS, -1, -1);
	d.engine->flags(d.state, text, sizeof(text));
	cr_assert_gt(strlen(text), 0);
	cr_assert_eq(strspn(text, "abcdefghijklmnopqrstuvwxyz_- "), strlen(text), "%s", text);
	finish();
}

/* Reads from an empty pipe wait for ever, so a real wait can be seen to end. */
Test(io_uring, a_wait_ends_at_its_timeout_and_loses_nothing, .timeout = 30)
{
	struct iob_req *req = &d.req[0], *done[SLOTS];
	unsigned index = 0;
	int pipe_fd[2];

	while (strcmp(iob_engines[index]->name, "io_uring") != 0)
		index++;
	cr_assert_eq(pipe(pipe_fd), 0);
	start_with(index, SLOTS, pipe_fd[0], -1);
	queue(&req, 1);
	uint64_t before = iob_now_ns();
	cr_assert_eq(reap(done, 1, 1, 20 * IOB_NS_PER_MS), 0);
	cr_assert_geq(iob_now_ns() - before, 15 * IOB_NS_PER_MS);
	cr_assert_eq(write(pipe_fd[1], "words", 5), 5);
	cr_assert_eq(reap(done, 1, 1, TIMEOUT_NS), 1);
	cr_assert_eq(req->result, 5);
	/* One that never returns must not keep close from returning. */
	queue(&req, 1);
	reap(done, 0, 1, 0);
	d.in_flight = 0;
	before = iob_now_ns();
	d.engine->close(d.state);
	cr_assert_lt(iob_now_ns() - before, 5 * IOB_NS_PER_S);
}
