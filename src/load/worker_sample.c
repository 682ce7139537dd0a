/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <time.h>

#include "base/clock.h"
#include "load/worker_private.h"

#define LAST_SAMPLE_PATIENCE_NS (5 * IOB_NS_PER_S)
#define LAST_SAMPLE_RETRY_NS    (5 * IOB_NS_PER_MS)

static uint64_t thread_cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * IOB_NS_PER_S + (uint64_t)ts.tv_nsec;
}

uint64_t iob_worker_behind_ns(const struct iob_worker *w)
{
	uint64_t stop_at = atomic_load_explicit(&w->steer->stop_at_ns, memory_order_relaxed);
	uint64_t now = iob_now_ns();

	if (!w->paced || w->paused)
		return 0;
	return iob_pace_behind_ns(&w->pace, now < stop_at ? now : stop_at);
}

/* On success the accumulator is empty again; else it keeps its content, to be pushed later as one
 * sample of more intervals. */
static bool push(struct iob_worker *w, unsigned parity, uint32_t last_interval, uint16_t flags)
{
	struct iob_accumulator *acc = &w->acc[parity];
	uint64_t cpu_ns = thread_cpu_ns();
	struct iob_sample head = {
		.interval = last_interval,
		.intervals =
			last_interval >= w->from[parity] ? last_interval - w->from[parity] + 1 : 1,
		.segment = acc->segment,
		.worker = (uint16_t)w->config.number,
		.flags = flags,
		.syncs = acc->syncs,
		.sync_sum_ns = acc->sync_sum_ns,
		.sync_max_ns = acc->sync_max_ns,
		.cpu_ns = cpu_ns - w->cpu_ns,
		.behind_ns = parity == (w->generation & 1) ? iob_worker_behind_ns(w)
							   : w->behind_before_ns,
	};

	for (unsigned d = 0; d < IOB_NDIR; d++)
		head.dir[d] = acc->dir[d];
	if (!iob_ring_push(w->config.ring, &head, acc))
		return false;
	w->cpu_ns = cpu_ns;
	w->from[parity] = last_interval + 1;
	iob_accumulator_reset(acc, acc->segment);
	return true;
}

/* The older segment first, if it has anything; the one in force always. */
static void push_interval(struct iob_worker *w, uint32_t last_interval)
{
	unsigned now = w->generation & 1, before = now ^ 1;

	if (iob_accumulator_is_empty(&w->acc[before]))
		w->from[before] = last_interval + 1;
	else if (!push(w, before, last_interval, 0))
		return;
	push(w, now, last_interval, 0);
}

static uint32_t interval_at(const struct iob_worker *w, uint64_t ns)
{
	return ns > w->t0_ns ? (uint32_t)((ns - w->t0_ns) / IOB_INTERVAL_NS) : 0;
}

static void enter_interval(struct iob_worker *w, uint32_t interval)
{
	w->interval = interval;
	w->boundary_ns = w->t0_ns + ((uint64_t)interval + 1) * IOB_INTERVAL_NS;
}

void iob_worker_grid_start(struct iob_worker *w)
{
	w->t0_ns = atomic_load_explicit(&w->steer->t0_ns, memory_order_acquire);
	enter_interval(w, interval_at(w, iob_now_ns()));
	w->from[0] = w->from[1] = w->interval;
	w->cpu_ns = thread_cpu_ns();
}

uint64_t iob_worker_cross_boundary(struct iob_worker *w, uint64_t now_ns)
{
	if (now_ns - w->boundary_ns >= IOB_INTERVAL_NS) {
		if (iob_clock_scale.tsc && !iob_clock_look())
			now_ns = iob_now_ns();
		if (now_ns < w->boundary_ns)
			return now_ns;
		iob_worker_mind_gaps(w, now_ns);
	}
	uint32_t next = interval_at(w, now_ns);
	/* What was counted was reaped before the first boundary that has passed; the intervals
	 * behind it, spent in a call that blocked, were empty. */
	push_interval(w, w->interval);
	if (next - w->interval > 1)
		push_interval(w, next - 1);
	enter_interval(w, next);
	return now_ns;
}

bool iob_worker_flush(struct iob_worker *w, unsigned parity)
{
	return push(w, parity, w->interval, 0);
}

void iob_worker_push_last(struct iob_worker *w, uint64_t now_ns)
{
	uint64_t give_up = now_ns + LAST_SAMPLE_PATIENCE_NS;
	unsigned before = (w->generation & 1) ^ 1;

	for (;;) {
		bool older = iob_accumulator_is_empty(&w->acc[before]) ||
			     push(w, before, w->interval, 0);

		if (older && push(w, before ^ 1, w->interval, IOB_SAMPLE_LAST))
			return;
		now_ns = iob_now_ns();
		if (now_ns >= give_up)
			return;
		iob_sleep_until(now_ns + LAST_SAMPLE_RETRY_NS);
	}
}
