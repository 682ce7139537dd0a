/* SPDX-License-Identifier: MIT */
/*
 * The clock of all measuring: uint64_t nanoseconds on the scale of CLOCK_MONOTONIC.  Where the
 * kernel's own clocksource is the invariant TSC it is read directly (about 10 ns instead of 25);
 * else clock_gettime is called.
 *
 * The scale is measured once, in the front, and handed to the load process as a value, so that
 * both read the same time.
 */
#ifndef IOB_BASE_CLOCK_H
#define IOB_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define IOB_NS_PER_US UINT64_C(1000)
#define IOB_NS_PER_MS UINT64_C(1000000)
#define IOB_NS_PER_S  UINT64_C(1000000000)

/* A plain value.  ns = base_ns + ((tsc - base_tsc) * mult >> 32). */
struct iob_clock {
	bool tsc;
	uint64_t base_tsc;
	uint64_t base_ns;
	uint64_t mult;
};

extern struct iob_clock iob_clock_scale;

/* Begin to measure the scale: what is done between this and iob_clock_init costs no time. */
void iob_clock_begin(void);
/* Measure the scale; takes 10 ms from its beginning, once, before any thread reads the clock.
 * Cannot fail. */
void iob_clock_init(void);
/* Take over the scale that another process measured. */
void iob_clock_adopt(const struct iob_clock *);

static inline uint64_t iob_monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * IOB_NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* Now.  Before iob_clock_init it is CLOCK_MONOTONIC itself. */
static inline uint64_t iob_now_ns(void)
{
#if defined(__x86_64__)
	const struct iob_clock *c = &iob_clock_scale;

	if (__builtin_expect(c->tsc, 1)) {
		uint64_t delta = __builtin_ia32_rdtsc() - c->base_tsc;

		return c->base_ns + (uint64_t)(((unsigned __int128)delta * c->mult) >> 32);
	}
#endif
	return iob_monotonic_ns();
}

/* For how long the machine has slept (suspended) since it started, of which iob_monotonic_ns knows
 * nothing. */
uint64_t iob_asleep_ns(void);

/* Milliseconds since 1970 on the wall clock: for dates, never for spans. */
uint64_t iob_wall_ms(void);

/* Sleep until the given time; returns early when a signal arrives. */
void iob_sleep_until(uint64_t ns);

#endif
