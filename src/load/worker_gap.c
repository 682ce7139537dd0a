/* SPDX-License-Identifier: MIT */
/*
 * Time in which the whole process did not run is taken out of the latencies of the requests that
 * were in flight then: when they came back in it nobody saw.  What they took before and after it
 * stays.
 */
#include <config.h>

#include "base/clock.h"
#include "load/worker_private.h"

static uint64_t later(uint64_t ns, uint64_t by, uint64_t now)
{
	return ns + by < now ? ns + by : now - 1;
}

/* The part of it in which this worker did not run either: it did until ran_ns. */
static void take_out(struct iob_worker *w, uint64_t ran_ns, const struct iob_gap *gap, uint64_t now)
{
	uint64_t from = gap->from_ns > ran_ns ? gap->from_ns : ran_ns;
	uint64_t to = gap->to_ns < now ? gap->to_ns : now;
	uint64_t length = to > from ? to - from : 0, middle = from + length / 2;

	for (unsigned i = 0; i < w->capacity; i++) {
		struct iob_req *req = &w->reqs[i];

		/* Nothing starts in the gap itself, whose ends are known to some milliseconds. */
		if (req->start_ns >= middle)
			continue;
		req->start_ns = later(req->start_ns, length, now);
		/* One that is in the call that issues it has that behind the gap. */
		if (req->issue_ns < middle)
			req->issue_ns = later(req->issue_ns, length, now);
		if (req->intended_ns)
			req->intended_ns = later(req->intended_ns, length, now);
	}
	if (w->detail.out && w->detail.out->begin_ns && from >= w->detail.out->begin_ns)
		w->detail.out->gap_ns += length;
	atomic_fetch_add_explicit(&w->slot->astride, w->in_flight, memory_order_relaxed);
}

void iob_worker_mind_gaps(struct iob_worker *w, uint64_t now)
{
	const struct iob_steer *steer = w->steer;
	/* Until then it ran, whatever the timer says: on a busy machine that is late by itself. */
	uint64_t ran_ns = w->boundary_ns - IOB_INTERVAL_NS;
	uint64_t before = w->minded_ns;

	/* Before the list: the controller moves the word on after it has added to the list. */
	uint64_t due = atomic_load_explicit(&steer->due_ns, memory_order_acquire);
	uint32_t n = atomic_load_explicit(&steer->gaps.count, memory_order_acquire);
	if (due && now >= due + IOB_GAP_LEAST_NS && now >= ran_ns + IOB_GAP_LEAST_NS) {
		/* It has not woken up yet. */
		take_out(w, ran_ns, &(struct iob_gap){.from_ns = due, .to_ns = now}, now);
		w->minded_ns = now;
	}
	while (n > 0 && steer->gaps.item[n - 1].to_ns > ran_ns &&
		steer->gaps.item[n - 1].from_ns >= before) {
		const struct iob_gap *gap = &steer->gaps.item[--n];

		if (gap->from_ns == due)
			continue;
		take_out(w, ran_ns, gap, now);
		if (gap->to_ns > w->minded_ns)
			w->minded_ns = gap->to_ns;
	}
	/* A pause makes no schedule late. */
	if (w->minded_ns != before && w->paced)
		iob_worker_pace(w, &w->live, now);
}
