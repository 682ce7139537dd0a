/* SPDX-License-Identifier: MIT */
/* What io_uring and libaio make of their parameters, and of kernels that know less. */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "engines/iopoll.h"
#include "engines/libaio_ring.h"
#include "engines/uring_setup.h"
#include "job/param.h"
#include "load/engine.h"

#define ARENA 65536

/* A kernel that knows some flags: what it was asked for, step by step. */
static unsigned known_flags, asked[16], nasked, asked_entries;

static int fake_init(unsigned entries, struct io_uring *ring, struct io_uring_params *p)
{
	(void)ring;
	asked_entries = entries;
	asked[nasked++] = p->flags;
	return p->flags & ~known_flags ? -EINVAL : 0;
}

static int make(unsigned known, struct iob_uring_wish wish, unsigned *setup)
{
	struct io_uring ring;

	known_flags = known;
	nasked = 0;
	return iob_uring_make(&ring, &wish, setup, fake_init);
}

Test(uring_flags, fall_back_newest_first)
{
	const unsigned sub = IORING_SETUP_SUBMIT_ALL, single = IORING_SETUP_SINGLE_ISSUER,
		       coop = IORING_SETUP_COOP_TASKRUN, defer = IORING_SETUP_DEFER_TASKRUN;
	const struct {
		unsigned known, in_force, steps;
	} kernels[] = {
		{sub | coop | single | defer, sub | single | defer, 1}, /* 6.1 */
		{sub | coop | single, sub | single | coop, 2},          /* 6.0 */
		{sub | coop, sub | coop, 3},                            /* 5.19 */
		{sub, sub, 4},                                          /* 5.18 */
		{0, 0, 5},                                              /* 5.1 */
	};
	unsigned setup;

	for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++) {
		cr_assert_eq(
			make(kernels[i].known, (struct iob_uring_wish){.capacity = 8}, &setup), 0);
		cr_assert_eq(setup, kernels[i].in_force, "kernel %zu: %#x", i, setup);
		cr_assert_eq(nasked, kernels[i].steps);
	}
}

Test(uring_flags, what_was_asked_for_is_not_left_out)
{
	const unsigned sub = IORING_SETUP_SUBMIT_ALL, sq = IORING_SETUP_SQPOLL;
	struct iob_uring_wish wish = {.capacity = 8, .extra = sq};
	unsigned setup;

	cr_assert_eq(make(sub | sq, wish, &setup), 0);
	cr_assert_eq(setup, sub | sq);
	/* A thread of the kernel has no task work of ours to defer. */
	for (unsigned i = 0; i < nasked; i++)
		cr_assert_eq(
			asked[i] & (IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN), 0);
	cr_assert_eq(make(sub, wish, &setup), -EINVAL);
	cr_assert_eq(nasked, 3);
}

Test(uring_flags, the_submission_ring_ends_at_its_maximum)
{
	unsigned setup;

	cr_assert_eq(make(~0u, (struct iob_uring_wish){.capacity = 65536}, &setup), 0);
	cr_assert_eq(asked_entries, 32768);
}

static struct iob_job job;
static struct iob_target target = {.fd = -1};
static struct iob_engine_env env;
static const struct iob_engine *engine;
static void *state;

static int make_file(void)
{
	const char *tmp = getenv("TMPDIR");
	static const char zeros[ARENA];
	char path[512];

	snprintf(path, sizeof(path), "%s/iob-params-XXXXXX", tmp ? tmp : "/tmp");
	int fd = mkostemp(path, O_CLOEXEC);
	cr_assert(fd >= 0, "%s: %m", path);
	unlink(path);
	cr_assert_eq(write(fd, zeros, sizeof(zeros)), (ssize_t)sizeof(zeros));
	snprintf(target.path, sizeof(target.path), "%s", path);
	return fd;
}

static void set(const char *name, const char *value)
{
	struct iob_error err = {0};

	cr_assert_eq(iob_param_set_named(&job, name, value, &err), 0, "%s", err.text);
}

static void prepare(const char *name, unsigned capacity)
{
	struct iob_error err = {0};

	engine = iob_engine_find(name);
	if (engine->probe(&err) < 0)
		cr_skip_test("%s", err.text);
	iob_job_defaults(&job);
	target.fd = make_file();
	target.size = ARENA;
	state = aligned_alloc(64, (engine->state_size / 64 + 1) * 64);
	memset(state, 0, engine->state_size);
	env = (struct iob_engine_env){.targets = &target,
		.ntargets = 1,
		.job = &job,
		.capacity = capacity,
		.arena = aligned_alloc(4096, ARENA),
		.arena_size = ARENA};
}

static void release(void)
{
	free(state);
	free(env.arena);
	close(target.fd);
}

static void expect_open_fails(int code, const char *words)
{
	struct iob_error err = {0};

	cr_assert_eq(engine->open(state, &env, &err), code, "%s", err.text);
	cr_assert_not_null(strstr(err.text, words), "%s", err.text);
	release();
}

static void open_and_see(const char *word)
{
	struct iob_error err = {0};
	char flags[128];

	cr_assert_eq(engine->open(state, &env, &err), 0, "%s", err.text);
	engine->flags(state, flags, sizeof(flags));
	cr_assert_not_null(strstr(flags, word), "%s is not in \"%s\"", word, flags);
}

static void close_all(void)
{
	engine->close(state);
	release();
}

Test(io_uring, polls_direct_io_alone)
{
	prepare("io_uring", 4);
	set("hipri", "1");
	expect_open_fails(-EINVAL, "direct=1");
}

Test(io_uring, uncached_is_for_the_page_cache)
{
	prepare("io_uring", 4);
	set("uncached", "1");
	env.direct = true;
	expect_open_fails(-EINVAL, "direct=0");
}

Test(io_uring, a_cpu_that_is_not_there_is_named)
{
	prepare("io_uring", 4);
	set("sqthread_poll", "1");
	set("sqthread_poll_cpu", "60000");
	expect_open_fails(-EINVAL, "sqthread_poll_cpu=60000");
}

Test(io_uring, what_is_in_force_is_in_its_flags)
{
	const char *rows[][3] = {{"fixedbufs", "0", "nofixedbufs"},
		{"registerfiles", "0", "noregisterfiles"}, {"nonvectored", "0", "vectored"},
		{"force_async", "2", "force_async"}, {"sqthread_poll", "1", "sqpoll"},
		{"nowait", "1", "nowait"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		prepare("io_uring", 4);
		set(rows[i][0], rows[i][1]);
		open_and_see(rows[i][2]);
		close_all();
	}
}

static void read_all(unsigned n)
{
	struct iob_req *reqs = calloc(n, sizeof(*reqs));
	struct iob_req **list = calloc(n, sizeof(struct iob_req *));
	unsigned back = 0;

	cr_assert(reqs && list);
	for (unsigned i = 0; i < n; i++) {
		reqs[i] = (struct iob_req){.index = (uint16_t)i,
			.buf = (unsigned char *)env.arena + i % 16 * 4096,
			.length = 512,
			.offset = (uint64_t)i % 128 * 512};
		list[i] = &reqs[i];
	}
	engine->queue(state, list, n);
	while (back < n) {
		int got = engine->reap(state, list, 1, n - back, UINT64_MAX);
		cr_assert_gt(got, 0);
		for (int i = 0; i < got; i++)
			cr_assert_eq(list[i]->result, 512);
		back += (unsigned)got;
	}
	free(reqs);
	free(list);
}

Test(io_uring, the_deepest_queue_is_deeper_than_its_submission_ring, .timeout = 60)
{
	prepare("io_uring", IOB_URING_MAX_CAPACITY);
	cr_assert_eq(engine->max_capacity, IOB_URING_MAX_CAPACITY);
	open_and_see("fixedbufs");
	read_all(IOB_URING_MAX_CAPACITY);
	close_all();
}

Test(libaio, takes_events_from_the_ring_where_it_knows_it)
{
	prepare("libaio", 16);
	open_and_see("user_space_reaping");
	read_all(16);
	close_all();
}

Test(libaio, leaves_an_unknown_ring_alone)
{
	struct iob_libaio_ring ring = {
		.nr = 64, .magic = IOB_LIBAIO_RING_MAGIC, .header_length = 32};

	cr_assert_eq(iob_libaio_ring_of((io_context_t)&ring, 16), &ring);
	cr_assert_null(iob_libaio_ring_of((io_context_t)&ring, 64));
	ring.incompat_features = 1;
	cr_assert_null(iob_libaio_ring_of((io_context_t)&ring, 16));
	ring.incompat_features = 0;
	ring.magic++;
	cr_assert_null(iob_libaio_ring_of((io_context_t)&ring, 16));
	ring.magic--;
	ring.header_length = 64;
	cr_assert_null(iob_libaio_ring_of((io_context_t)&ring, 16));
}

Test(libaio, the_ring_wraps_at_its_end)
{
	struct iob_libaio_ring *ring = calloc(1, sizeof(*ring) + 4 * sizeof(struct io_event));
	struct io_event events[4];

	ring->nr = 4;
	ring->head = 3;
	ring->tail = 2;
	for (unsigned i = 0; i < 4; i++)
		ring->events[i].res = i;
	cr_assert_eq(iob_libaio_ring_take(ring, events, 2), 2);
	cr_assert_eq(events[0].res, 3);
	cr_assert_eq(events[1].res, 0);
	cr_assert_eq(iob_libaio_ring_take(ring, events, 4), 1);
	cr_assert_eq(events[0].res, 1);
	cr_assert_eq(iob_libaio_ring_take(ring, events, 4), 0);
	free(ring);
}

static void write_file(const char *root, const char *path, const char *text)
{
	char full[1024];

	snprintf(full, sizeof(full), "mkdir -p $(dirname %s%s) && echo %s > %s%s", root, path, text,
		root, path);
	cr_assert_eq(system(full), 0);
}

/* A disk without poll queues: where the kernel says so is in the text. */
Test(iopoll, a_queue_that_cannot_poll_is_named)
{
	char root[] = "/tmp/iob-iopoll-XXXXXX", path[128];
	struct iob_error err = {0};
	struct stat st;

	cr_assert_not_null(mkdtemp(root));
	prepare("psync", 1);
	env.direct = true;
	cr_assert_eq(fstat(target.fd, &st), 0);
	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/queue/io_poll", major(st.st_dev),
		minor(st.st_dev));
	cr_assert_eq(iob_iopoll_check(root, &env, &err), 0, "%s", err.text);
	write_file(root, path, "1");
	cr_assert_eq(iob_iopoll_check(root, &env, &err), 0, "%s", err.text);
	write_file(root, path, "0");
	cr_assert_eq(iob_iopoll_check(root, &env, &err), -EOPNOTSUPP);
	cr_assert_not_null(strstr(err.text, path), "%s", err.text);
	write_file(root, "/sys/module/nvme/parameters/poll_queues", "0");
	cr_assert_eq(iob_iopoll_check(root, &env, &err), -EOPNOTSUPP);
	cr_assert_not_null(strstr(err.text, "poll_queues is 0"), "%s", err.text);
	snprintf(path, sizeof(path), "rm -r %s", root);
	cr_assert_eq(system(path), 0);
	release();
}
