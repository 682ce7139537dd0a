/* SPDX-License-Identifier: MIT */
/* What both loops do for each request: choose the next one, and tell the watchers.  Here so that
 * the compiler sees it in either. */
#ifndef IOB_LOAD_WORKER_STEP_H
#define IOB_LOAD_WORKER_STEP_H

#include "base/clock.h"
#include "load/worker_private.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
/* What is used twice, with a rate and without, must still not become a call. */
#define INLINE      static inline __attribute__((always_inline))

/* Is a sync due?  Counted in writes issued. */
INLINE bool sync_due(struct iob_worker *w, struct iob_req *req)
{
	if (w->syncs.until != 0)
		return false;
	iob_sync_clock_take(&w->syncs, w->config.job, req);
	return true;
}

INLINE void count_write(struct iob_worker *w, struct iob_req *req)
{
	struct iob_sync_clock *s = &w->syncs;

	s->until--;
	s->file = req->file;
	if (unlikely(s->ranges)) {
		uint64_t end = req->offset + req->length;

		s->from = req->offset < s->from ? req->offset : s->from;
		s->to = end > s->to ? end : s->to;
	}
	if (w->stamp)
		iob_buffer_stamp(req->buf, req->length, req->offset, ++w->stamps);
	else if (unlikely(w->content.refill))
		iob_content_next(&w->content, req->buf, req->length);
}

/* With a rate the schedule says when, and in which direction.  The caller has seen that one is due.
 */
static inline bool next_paced(
	struct iob_worker *w, struct iob_req *req, struct iob_step *step, uint64_t now)
{
	enum iob_dir dir = iob_pace_due(&w->pace, now);

	if (!iob_pattern_next_of(&w->pattern, dir, step))
		return false;
	req->intended_ns = iob_pace_take(&w->pace, (enum iob_dir)step->dir, step->length);
	w->paced_out += req->intended_ns != 0;
	return true;
}

/* Make a request of the next step; false when there is none.  due_ns: 0 without a rate. */
INLINE bool next_request(
	struct iob_worker *w, struct iob_req *req, struct iob_accumulator *acc, uint64_t due_ns)
{
	struct iob_step step;

	if (unlikely(sync_due(w, req)))
		return true;
	if (unlikely(w->left_ios == 0) && iob_pattern_owed(&w->pattern) == 0)
		return false;
	if (due_ns ? !next_paced(w, req, &step, due_ns)
		   : unlikely(!iob_pattern_next(&w->pattern, &step)))
		return false;
	w->left_ios--;
	req->offset = step.offset;
	req->length = step.length;
	req->file = step.file;
	req->op = step.dir;
	acc->dir[step.dir].issued++;
	if (step.dir == IOB_WRITE) {
		/* number_ios counts a block that is trimmed and written once. */
		w->left_ios += w->pattern.trimwrite;
		count_write(w, req);
	}
	return true;
}

/* There was no next request. */
static inline void run_dry(struct iob_worker *w)
{
	if (iob_pattern_awaits(&w->pattern))
		w->dry = true;
	else
		w->ending = true;
}

/* For the watchers: what is out and what came back.  Before the calls that may hang, so that what
 * hangs is counted. */
INLINE void publish(struct iob_worker *w)
{
	atomic_store_explicit(&w->slot->issued, w->issued, memory_order_relaxed);
	atomic_store_explicit(&w->slot->completed, w->completed, memory_order_relaxed);
}

/* Nothing to do before the next intended time? */
static inline bool is_held(const struct iob_worker *w, uint64_t due_ns)
{
	return w->syncs.until && w->left_ios && iob_pattern_owed(&w->pattern) == 0 &&
	       iob_pace_due(&w->pace, due_ns) == IOB_NDIR;
}

#endif
