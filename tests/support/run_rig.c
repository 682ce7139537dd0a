/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/support/run_rig.h"

#include <stdlib.h>
#include <string.h>

struct iob_plan *plan;
struct iob_run *run;
struct iob_snapshot snap;

void set(const char *name, const char *value)
{
	struct iob_error err;

	cr_assert_eq(iob_plan_set(plan, name, value, &err), 0, "%s", err.text);
}

void run_fresh(void)
{
	plan = calloc(1, sizeof(*plan));
	cr_assert_not_null(plan);
	iob_plan_init(plan);
	set("ioengine", "null");
	set("rw", "randread");
	set("iodepth", "4");
	set("runtime", "600ms");
}

void run_free(void)
{
	iob_run_free(run);
	run = NULL;
	free(plan);
}

void run_again(void)
{
	run_free();
	run_fresh();
}

void start_with(struct iob_run_config config)
{
	struct iob_error err;

	config.program = getenv("IOB_PROGRAM");
	cr_assert_not_null(config.program, "IOB_PROGRAM names the program under test");
	cr_assert_eq(iob_plan_finish(plan, &err), 0, "%s", err.text);
	cr_assert_eq(iob_run_start(&run, plan, &config, &err), 0, "%s", err.text);
}

void start(void)
{
	start_with((struct iob_run_config){0});
}

void start_with_grace(uint64_t ms)
{
	start_with((struct iob_run_config){.grace_ns = ms * IOB_NS_PER_MS});
}

void wait_done_within(int ms)
{
	cr_assert(iob_run_wait(run, ms), "not over after %d ms", ms);
	iob_run_snapshot(run, &snap);
	cr_assert_eq(snap.phase, IOB_PHASE_DONE);
}

void wait_done(void)
{
	wait_done_within(RUN_PATIENCE_MS);
}

void stop_and_wait(void)
{
	iob_run_stop(run);
	wait_done();
	expect_outcome(IOB_OUTCOME_STOPPED);
}

void expect_outcome(enum iob_outcome outcome)
{
	cr_assert_eq(snap.outcome, outcome, "%s, not %s: %s", iob_outcome_name(snap.outcome),
		iob_outcome_name(outcome), snap.error.text);
}

void expect_words(const struct iob_error *err, const char *words)
{
	cr_assert_not_null(strstr(err->text, words), "no \"%s\" in: %s", words, err->text);
}

void wait_running(void)
{
	WAIT_FOR(snap.phase == IOB_PHASE_RUNNING && snap.view.total.all.ios > 0);
}

void tune(const struct iob_live *live)
{
	struct iob_error err = {0};

	cr_assert_eq(iob_run_tune(run, live, &err), 0, "%s", err.text);
	WAIT_FOR(!snap.tune_pending);
}

uint64_t timeline_ios(void)
{
	static struct iob_interval entry[4096];
	size_t n = iob_run_timeline(run, 0, entry, 4096);
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		for (int d = 0; d < IOB_NDIR; d++)
			sum += entry[i].dir[d].ios;
	return sum;
}

bool has_segment(uint32_t id)
{
	struct iob_segment_figures f;
	struct iob_segment_params p;

	return iob_run_segment(run, id, &f, &p);
}

struct iob_segment_figures segment(uint32_t id)
{
	struct iob_segment_figures f;
	struct iob_segment_params p;

	cr_assert(iob_run_segment(run, id, &f, &p), "there is no segment %u", id);
	return f;
}

struct iob_segment_params params_of(uint32_t id)
{
	struct iob_segment_figures f;
	struct iob_segment_params p;

	cr_assert(iob_run_segment(run, id, &f, &p), "there is no segment %u", id);
	return p;
}

uint64_t segments_ios(void)
{
	uint64_t sum = 0;

	for (uint32_t id = 0; has_segment(id); id++)
		sum += segment(id).all.ios;
	return sum;
}
