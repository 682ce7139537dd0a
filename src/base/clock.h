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

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define IOB_NS_PER_US UINT64_C(1000)
#define IOB_NS_PER_MS UINT64_C(1000000)
#define IOB_NS_PER_S  UINT64_C(1000000000)

/* A plain value.  ns = base_ns + ((tsc - base_tsc) * mult >> 32), else CLOCK_MONOTONIC + ahead_ns.
 */
struct iob_clock {
	_Atomic bool tsc; /* only iob_clock_look ends it, for good */
	uint64_t base_tsc;
	uint64_t base_ns;
	int64_t mult;
	int64_t ahead_ns; /* read once tsc is false */
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

	if (__builtin_expect(atomic_load_explicit(&c->tsc, memory_order_acquire), 1)) {
		/* Signed: of a counter that was set back no jump is to come when it passes
		 * base_tsc. */
		int64_t delta = (int64_t)(__builtin_ia32_rdtsc() - c->base_tsc);

		return c->base_ns + (uint64_t)(((__int128)delta * c->mult) >> 32);
	}
	return iob_monotonic_ns() + (uint64_t)c->ahead_ns;
#else
	return iob_monotonic_ns();
#endif
}

/*
 * Does the TSC still go with the kernel's clock?  It may have been set back while the machine
 * slept, or prove unstable.  Then CLOCK_MONOTONIC is read from now on, joined to what was told
 * before.  (One that counts on through the sleep is kept: the time that it tells goes on, too.)
 * To be called often, by a thread with a timer; cheap.  False once the TSC was given up.
 */
bool iob_clock_look(void);

/* For how long the machine has slept (suspended) since it started, of which iob_monotonic_ns knows
 * nothing. */
uint64_t iob_asleep_ns(void);

/* The rule behind iob_clock_look, to which the times are told. */
struct iob_clock_reading {
	uint64_t kernel_ns; /* CLOCK_MONOTONIC */
	int64_t ahead_ns;   /* our clock was, at that time */
	uint64_t asleep_ns; /* iob_asleep_ns */
};

/* Zeroed = new. */
struct iob_clock_watch {
	uint64_t first_ns; /* kernel_ns of the first reading; 0 = there was none */
	int64_t known_ns;  /* ahead_ns of the first one, and by the sleep that was counted since */
	struct iob_clock_reading last;
};

/* False, and no change, if our clock left the kernel's. */
bool iob_clock_agrees(struct iob_clock_watch *, const struct iob_clock_reading *);

/* Milliseconds since 1970 on the wall clock: for dates, never for spans. */
uint64_t iob_wall_ms(void);

/* Sleep until the given time; returns early when a signal arrives. */
void iob_sleep_until(uint64_t ns);

#endif
