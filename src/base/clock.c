/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

#define CALIBRATION_NS (10 * IOB_NS_PER_MS)

struct iob_clock iob_clock_scale;
/* Without mult yet. */
static struct iob_clock begun;

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
	c.mult = (uint64_t)(((unsigned __int128)(ns - c.base_ns) << 32) / (tsc - c.base_tsc));
	iob_clock_scale = c;
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
#endif

void iob_clock_begin(void)
{
	if (!begun.tsc && kernel_uses_tsc())
		begin(&begun);
}

void iob_clock_init(void)
{
	iob_clock_begin();
	if (begun.tsc && !iob_clock_scale.tsc)
		calibrate(begun);
}

void iob_clock_adopt(const struct iob_clock *clock)
{
	iob_clock_scale = *clock;
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
