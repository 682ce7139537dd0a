/* SPDX-License-Identifier: MIT */
/* What the engine `fault` does to requests, over null: by count, by direction, by offset. */
#include <config.h>

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "job/param.h"
#include "load/engine.h"

#define SLOTS 16u
#define BLOCK 4096u

static struct iob_job job;
static const struct iob_engine *engine;
static void *state;
static struct iob_req req[SLOTS];
static unsigned char arena[SLOTS * BLOCK];

static void fresh(void)
{
	iob_job_defaults(&job);
	engine = iob_engine_find("fault");
	for (unsigned i = 0; i < SLOTS; i++)
		req[i] = (struct iob_req){
			.index = (uint16_t)i, .buf = arena + (size_t)i * BLOCK, .length = BLOCK};
}

static void done(void)
{
	if (state)
		engine->close(state);
	free(state);
}

static void set(const char *name, const char *value)
{
	struct iob_error err;

	cr_assert_eq(iob_param_set_named(&job, name, value, &err), 0, "%s", err.text);
}

static int try_open(struct iob_error *err)
{
	size_t bytes = (engine->state_size / 64 + 1) * 64;
	static const struct iob_target none = {.fd = -1};
	struct iob_engine_env env = {
		.job = &job, .capacity = SLOTS, .targets = &none, .ntargets = 1};

	state = aligned_alloc(64, bytes);
	memset(state, 0, bytes);
	int ret = engine->open(state, &env, err);
	if (ret < 0) {
		free(state);
		state = NULL;
	}
	return ret;
}

static void open_engine(void)
{
	struct iob_error err = {0};

	cr_assert_eq(try_open(&err), 0, "%s", err.text);
}

static void queue(unsigned n)
{
	struct iob_req *list[SLOTS];

	for (unsigned i = 0; i < n; i++)
		list[i] = &req[i];
	engine->queue(state, list, n);
}

/* All of `queued` that come back within a moment; at most `expected` are waited for. */
static unsigned reap(unsigned expected)
{
	struct iob_req *back[SLOTS];
	int n = engine->reap(state, back, expected, SLOTS, 10 * IOB_NS_PER_S);

	cr_assert_geq(n, 0);
	return (unsigned)n;
}

TestSuite(fault, .init = fresh, .fini = done, .timeout = 30);

Test(fault, without_faults_all_is_as_the_engine_inside_does_it)
{
	open_engine();
	queue(SLOTS);
	cr_assert_eq(reap(SLOTS), SLOTS);
	for (unsigned i = 0; i < SLOTS; i++)
		cr_assert_eq(req[i].result, BLOCK);
}

Test(fault, each_third_fails_with_the_chosen_error)
{
	set("fault_error_every", "3");
	set("fault_errno", "enospc");
	open_engine();
	queue(SLOTS);
	cr_assert_eq(reap(SLOTS), SLOTS);
	for (unsigned i = 0; i < SLOTS; i++)
		cr_assert_eq(req[i].result, i % 3 == 2 ? -ENOSPC : (int64_t)BLOCK, "%u", i);
	/* The count goes on. */
	queue(2);
	cr_assert_eq(reap(2), 2);
	cr_assert_eq(req[0].result, BLOCK);
	cr_assert_eq(req[1].result, -ENOSPC);
}

Test(fault, an_error_that_is_made_says_so_and_the_other_engine_keeps_its_words)
{
	set("fault_error_every", "2");
	set("fault_engine", "mmap");
	open_engine();
	queue(1);
	cr_assert_eq(reap(1), 1);
	req[0].result = -EIO;
	const char *why = engine->explain(state, &req[0]);
	cr_assert(why && strstr(why, "bus error"), "%s", why);
	queue(1);
	cr_assert_eq(reap(1), 1);
	cr_assert_eq(req[0].result, -EIO);
	why = engine->explain(state, &req[0]);
	cr_assert(why && strstr(why, "fault_error_every"), "%s", why);
	/* The slot is used again for one that goes through. */
	queue(1);
	cr_assert_eq(reap(1), 1);
	req[0].result = -EIO;
	why = engine->explain(state, &req[0]);
	cr_assert(why && strstr(why, "bus error"), "%s", why);
}

Test(fault, each_second_is_short_by_whole_sectors)
{
	set("fault_short_every", "2");
	open_engine();
	req[3].length = 1536;
	req[5].length = 512;
	queue(6);
	cr_assert_eq(reap(6), 6);
	cr_assert_eq(req[0].result, BLOCK);
	cr_assert_eq(req[1].result, BLOCK / 2);
	cr_assert_eq(req[3].result, 512);
	cr_assert_eq(req[5].result, 256);
}

Test(fault, one_hangs_and_the_others_come_back)
{
	struct iob_req *back[SLOTS];

	set("fault_hang_at", "4");
	open_engine();
	queue(6);
	cr_assert_eq(reap(5), 5);
	uint64_t before = iob_now_ns();
	cr_assert_eq(engine->reap(state, back, 1, SLOTS, 20 * IOB_NS_PER_MS), 0);
	cr_assert_geq(iob_now_ns() - before, 19 * IOB_NS_PER_MS, "it waits, it does not spin");
	req[0].result = 0;
	queue(1);
	cr_assert_eq(reap(1), 1, "only one hangs");
}

Test(fault, a_delay_holds_back_and_does_not_block_the_others)
{
	struct iob_req *back[SLOTS];

	/* Longer than this test may be kept from running in between. */
	set("fault_delay", "2s");
	set("fault_delay_every", "2");
	open_engine();
	uint64_t before = iob_now_ns();
	queue(4);
	cr_assert_eq(engine->reap(state, back, 1, SLOTS, 10 * IOB_NS_PER_S), 2);
	cr_assert_lt(iob_now_ns() - before, 1900 * IOB_NS_PER_MS);
	cr_assert_eq(engine->reap(state, back, 0, SLOTS, 0), 0);
	cr_assert_eq(reap(2), 2);
	cr_assert_geq(iob_now_ns() - before, 2000 * IOB_NS_PER_MS);
}

/* Drawn from the seed and the count: the order in which they come back repeats. */
static void order_of_return(unsigned order[SLOTS])
{
	struct iob_req *back[SLOTS];

	open_engine();
	queue(SLOTS);
	for (unsigned n = 0; n < SLOTS;) {
		int got = engine->reap(state, back + n, 1, SLOTS - n, 10 * IOB_NS_PER_S);

		cr_assert_gt(got, 0);
		for (int i = 0; i < got; i++, n++)
			order[n] = back[n]->index;
	}
	engine->close(state);
	free(state);
	state = NULL;
}

Test(fault, random_delays_repeat_with_the_seed)
{
	unsigned first[SLOTS], again[SLOTS], other[SLOTS];

	set("fault_delay_random", "20ms");
	set("randseed", "5");
	order_of_return(first);
	order_of_return(again);
	set("randseed", "6");
	order_of_return(other);
	cr_assert_eq(memcmp(first, again, sizeof(first)), 0);
	cr_assert_neq(memcmp(first, other, sizeof(first)), 0);
	unsigned in_place = 0;
	for (unsigned i = 0; i < SLOTS; i++)
		in_place += first[i] == i;
	cr_assert_lt(in_place, SLOTS, "nothing overtakes");
}

Test(fault, only_the_bad_range_fails)
{
	set("fault_error_every", "1");
	set("fault_offset", "8k");
	set("fault_size", "4k");
	open_engine();
	for (unsigned i = 0; i < 4; i++)
		req[i].offset = (uint64_t)i * BLOCK;
	req[4].offset = 8192 - 512; /* reaches into it */
	queue(5);
	cr_assert_eq(reap(5), 5);
	cr_assert_eq(req[0].result, BLOCK);
	cr_assert_eq(req[1].result, BLOCK);
	cr_assert_eq(req[2].result, -EIO);
	cr_assert_eq(req[3].result, BLOCK);
	cr_assert_eq(req[4].result, -EIO);
}

struct meant {
	char on[8];
	bool op[5]; /* by enum iob_op */
};

ParameterizedTestParameters(fault, is_meant_for_the_chosen_requests)
{
	static struct meant cases[] = {
		{"all", {true, true, true, true, true}},
		{"read", {[IOB_OP_READ] = true}},
		{"write", {[IOB_OP_WRITE] = true}},
		{"trim", {[IOB_OP_TRIM] = true}},
		{"sync", {[IOB_OP_FSYNC] = true, [IOB_OP_FDATASYNC] = true}},
	};

	return cr_make_param_array(struct meant, cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

ParameterizedTest(const struct meant *c, fault, is_meant_for_the_chosen_requests)
{
	set("fault_error_every", "1");
	set("fault_on", c->on);
	open_engine();
	for (unsigned op = 0; op < 5; op++)
		req[op].op = (uint8_t)op;
	queue(5);
	cr_assert_eq(reap(5), 5);
	for (unsigned op = 0; op < 5; op++)
		cr_assert_eq(req[op].result == -EIO, c->op[op], "%s: operation %u", c->on, op);
}

Test(fault, an_error_that_is_none_is_a_usage_error)
{
	struct iob_error err = {0};

	set("fault_errno", "EFOO");
	cr_assert_lt(try_open(&err), 0);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	cr_assert_not_null(strstr(err.text, "fault_errno=EFOO"), "%s", err.text);
	set("fault_errno", "28");
	set("fault_error_every", "1");
	open_engine();
	queue(1);
	cr_assert_eq(reap(1), 1);
	cr_assert_eq(req[0].result, -ENOSPC);
}

Test(fault, the_engine_inside_decides_what_can_be_done)
{
	struct iob_error err = {0};
	const struct iob_engine *got;

	set("ioengine", "fault");
	cr_assert_eq(iob_engine_get_for(&got, &job, &err), 0, "%s", err.text);
	cr_assert_eq(got, engine);
	cr_assert(iob_engine_caps(got, &job) & IOB_ENGINE_NO_TARGET);
	set("fault_engine", "psync");
	cr_assert_not(iob_engine_caps(got, &job) & (IOB_ENGINE_NO_TARGET | IOB_ENGINE_ASYNC));
	cr_assert_eq(iob_engine_max_capacity(got, &job), 1);
	set("fault_engine", "fault");
	cr_assert_lt(iob_engine_get_for(&got, &job, &err), 0);
	cr_assert_not_null(strstr(err.text, "fault_engine=fault"), "%s", err.text);
	set("fault_engine", "warp");
	cr_assert_lt(iob_engine_get_for(&got, &job, &err), 0);
	cr_assert_not_null(strstr(err.text, "fault_engine=warp"), "%s", err.text);
}
