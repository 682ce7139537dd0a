/* SPDX-License-Identifier: MIT */
/*
 * A whole run through the front's calls, for suites that drive one: the real load process, and the
 * null engine unless the plan is told otherwise.  Waiting is for a condition, with a limit that
 * only a run that hangs reaches, however busy the machine is.
 */
#ifndef IOB_TESTS_SUPPORT_RUN_RIG_H
#define IOB_TESTS_SUPPORT_RUN_RIG_H

#include <criterion/criterion.h>

#include "base/clock.h"
#include "run/run.h"

#define RUN_PATIENCE_MS 20000

extern struct iob_plan *plan; /* a draft until the run has started */
extern struct iob_run *run;
extern struct iob_snapshot snap; /* of the newest look */

/* The plan: null engine, random reads at depth 4, for 600 ms.  To be used as .init and .fini. */
void run_fresh(void);
void run_free(void);
/* Both, for a second attempt. */
void run_again(void);

void set(const char *name, const char *value);

/* Times in the config may be 0; program is IOB_PROGRAM. */
void start_with(struct iob_run_config config);
void start(void);
void start_with_grace(uint64_t ms);

/* Until it is over; leaves the last snapshot. */
void wait_done_within(int ms);
void wait_done(void);
void stop_and_wait(void);
void expect_outcome(enum iob_outcome);
void expect_words(const struct iob_error *, const char *words);

/* Until the run answers: the change is in force, or was refused (snap.tune_error). */
void tune(const struct iob_live *);

uint64_t timeline_ios(void); /* the sum over all intervals */
uint64_t segments_ios(void);
struct iob_segment_figures segment(uint32_t id); /* it must be there */
struct iob_segment_params params_of(uint32_t id);
bool has_segment(uint32_t id);

/* Until the condition on the snapshot holds. */
#define WAIT_FOR(condition)                                                                        \
	do {                                                                                       \
		uint64_t until_ = iob_now_ns() + RUN_PATIENCE_MS * IOB_NS_PER_MS;                  \
		while (iob_run_snapshot(run, &snap), !(condition)) {                               \
			cr_assert(iob_now_ns() < until_, "never came true: %s", #condition);       \
			iob_sleep_until(iob_now_ns() + 2 * IOB_NS_PER_MS);                         \
		}                                                                                  \
	} while (0)

/* Until it measures and something has come back. */
void wait_running(void);

#endif
