/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

#define CALIBRATION_NS (10 * IOB_NS_PER_MS)
/* Two clocks that are read within that are read together. */
#define LOOK_WITHIN_NS (100 * IOB_NS_PER_US)
/* The TSC may be off by so much, and by this part of the time. */
#define OFF_NS         IOB_NS_PER_MS
#define OFF_PART       1000

struct iob_clock iob_clock_scale;
/* Without mult yet. */
static struct iob_clock begun;
static _Atomic bool given_up;

static bool kernel_uses_tsc(void)
{
	char name[32] = "";
	IOB_FILE FILE *f =
		fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");

	if (!f || !fgets(name, sizeof(name), f))
		return false;
	return strcmp(name, "tsc\n") == 0;
}

#if defined(__x86_64__)
/* A pair of readings taken as close together as the machine lets us: the narrowest of a few. */
static void read_pair(uint64_t *tsc, uint64_t *ns)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 16; i++) {
		uint64_t before = __builtin_ia32_rdtsc();
		uint64_t now = iob_monotonic_ns();
		uint64_t width = __builtin_ia32_rdtsc() - before;

		if (width < best) {
			best = width;
			*tsc = before + width / 2;
			*ns = now;
		}
	}
}

static void begin(struct iob_clock *c)
{
	c->tsc = true;
	read_pair(&c->base_tsc, &c->base_ns);
}

static void calibrate(struct iob_clock c)
{
	uint64_t tsc = 0, ns = 0;

	iob_sleep_until(c.base_ns + CALIBRATION_NS);
	read_pair(&tsc, &ns);
	if (tsc <= c.base_tsc || ns <= c.base_ns)
		return;
	c.mult = (int64_t)(((unsigned __int128)(ns - c.base_ns) << 32) / (tsc - c.base_tsc));
	iob_clock_scale = c;
}

/* What the looks before have found; nobody else is in it while `looking` is set. */
static struct iob_clock_watch watch;
static atomic_flag looking = ATOMIC_FLAG_INIT;

/* Both clocks at one time; false if we were interrupted again and again between the two. */
static bool compare(struct iob_clock_reading *r)
{
	r->asleep_ns = iob_asleep_ns();
	for (int i = 0; i < 16; i++) {
		uint64_t before = iob_monotonic_ns();
		uint64_t mine = iob_now_ns();

		r->kernel_ns = iob_monotonic_ns();
		r->ahead_ns = (int64_t)(mine - r->kernel_ns);
		if (r->kernel_ns - before < LOOK_WITHIN_NS)
			return true;
	}
	return false;
}

static void look(void)
{
	struct iob_clock_reading r;

	if (!compare(&r) || iob_clock_agrees(&watch, &r))
		return;
	given_up = true;
	iob_clock_scale.ahead_ns = watch.last.ahead_ns;
	/* Readers look at ahead_ns after they have seen this. */
	atomic_store_explicit(&iob_clock_scale.tsc, false, memory_order_release);
}

bool iob_clock_look(void)
{
	if (!iob_clock_scale.tsc)
		return false;
	if (!atomic_flag_test_and_set_explicit(&looking, memory_order_acquire)) {
		look();
		atomic_flag_clear_explicit(&looking, memory_order_release);
	}
	return iob_clock_scale.tsc;
}
#else
static void begin(struct iob_clock *c)
{
	(void)c;
}

static void calibrate(struct iob_clock c)
{
	(void)c;
}

bool iob_clock_look(void)
{
	return false;
}
#endif

void iob_clock_begin(void)
{
	if (!begun.tsc && kernel_uses_tsc())
		begin(&begun);
}

void iob_clock_init(void)
{
	iob_clock_begin();
	if (begun.tsc && !iob_clock_scale.tsc && !given_up)
		calibrate(begun);
}

void iob_clock_adopt(const struct iob_clock *clock)
{
	iob_clock_scale = *clock;
}

/* No crystal, and no NTP, is that far off in the time that has passed. */
static bool is_near(int64_t off_ns, uint64_t passed_ns)
{
	int64_t most = (int64_t)(OFF_NS + passed_ns / OFF_PART);

	return off_ns <= most && off_ns >= -most;
}

/* Against the reading before, and against the first: what is a little off each time adds up. */
static bool goes_with(
	const struct iob_clock_watch *w, const struct iob_clock_reading *r, int64_t slept_ns)
{
	return is_near(r->ahead_ns - w->last.ahead_ns - slept_ns,
		       r->kernel_ns - w->last.kernel_ns) &&
	       is_near(r->ahead_ns - w->known_ns - slept_ns, r->kernel_ns - w->first_ns);
}

bool iob_clock_agrees(struct iob_clock_watch *w, const struct iob_clock_reading *r)
{
	int64_t slept_ns = (int64_t)(r->asleep_ns - w->last.asleep_ns);

	if (w->first_ns == 0) {
		w->first_ns = r->kernel_ns;
		w->known_ns = r->ahead_ns;
	} else if (goes_with(w, r, slept_ns)) {
		w->known_ns += slept_ns;
	} else if (!goes_with(w, r, 0)) {
		return false;
	}
	w->last = *r;
	return true;
}

uint64_t iob_asleep_ns(void)
{
	uint64_t asleep = 0;

	/* Readings that lie apart would differ by that. */
	for (int i = 0; i < 16; i++) {
		uint64_t before = iob_monotonic_ns();
		struct timespec ts;

		clock_gettime(CLOCK_BOOTTIME, &ts);
		uint64_t since_start = (uint64_t)ts.tv_sec * IOB_NS_PER_S + (uint64_t)ts.tv_nsec;
		asleep = since_start > before ? since_start - before : 0;
		if (iob_monotonic_ns() - before < IOB_NS_PER_MS)
			break;
	}
	return asleep;
}

uint64_t iob_wall_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / IOB_NS_PER_MS;
}

void iob_sleep_until(uint64_t ns)
{
	uint64_t now = iob_monotonic_ns();

	/* Our scale and the kernel's differ by parts per million: sleep the difference. */
	uint64_t mine = iob_now_ns();
	if (ns <= mine)
		return;
	uint64_t until = now + (ns - mine);
	struct timespec ts = {(time_t)(until / IOB_NS_PER_S), (long)(until % IOB_NS_PER_S)};
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}
