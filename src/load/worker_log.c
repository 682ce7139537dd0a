/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "load/worker_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "job/cmdprio.h"

#define FEW_CHUNKS 4

static struct iob_log_chunk *new_chunk(enum iob_log_kind kind)
{
	struct iob_log_chunk *chunk = malloc(sizeof(*chunk));

	if (!chunk)
		return NULL;
	/* Touched before the start. */
	memset(chunk, 0, sizeof(*chunk));
	chunk->magic = IOB_LOG_MAGIC;
	chunk->kind = kind;
	return chunk;
}

int iob_worker_log_init(struct iob_worker_log *l, const struct iob_plan_log *wish,
	const struct iob_log_place *place, struct iob_detail *detail)
{
	bool has[IOB_LOG_NKINDS] = {
		[IOB_LOG_RECORD] = wish->transfers && wish->window_ns == 0,
		[IOB_LOG_WINDOW] = wish->transfers && wish->window_ns > 0,
		[IOB_LOG_HIST] = wish->hist_ns > 0,
	};

	*l = (struct iob_worker_log){
		.transfers = has[IOB_LOG_RECORD],
		.window_ns = has[IOB_LOG_WINDOW] ? wish->window_ns : 0,
		.hist_ns = wish->hist_ns,
		.next_ns = UINT64_MAX,
		.place = *place,
		.detail = detail,
	};
	for (unsigned kind = 0; kind < IOB_LOG_NKINDS; kind++) {
		if (has[kind])
			l->chunk[kind] = new_chunk((enum iob_log_kind)kind);
		if (has[kind] && !l->chunk[kind])
			return -ENOMEM;
	}
	if (l->hist_ns)
		l->before = calloc(IOB_NDIR, sizeof(*l->before));
	return l->hist_ns && !l->before ? -ENOMEM : 0;
}

/* Room for one more. */
static void *next_record(struct iob_worker_log *l, enum iob_log_kind kind)
{
	struct iob_log_chunk *chunk = l->chunk[kind];

	if (chunk->count == iob_log_chunk_holds(kind))
		iob_log_append(chunk, &l->place);
	return chunk->bytes + chunk->count++ * iob_log_record_size(kind);
}

static void set_next(struct iob_worker_log *l)
{
	uint64_t window =
		l->window_ns ? l->from_ns + (l->window.index + 1) * l->window_ns : UINT64_MAX;
	uint64_t hist = l->hist_ns ? l->hist_end_ns : UINT64_MAX;

	l->next_ns = window < hist ? window : hist;
}

void iob_worker_log_begin(struct iob_worker_log *l, uint64_t now)
{
	l->from_ns = now;
	atomic_store_explicit(&l->place.counts->from_ns, now, memory_order_relaxed);
	l->hist_end_ns = now + l->hist_ns;
	memset(&l->window, 0, sizeof(l->window));
	for (unsigned kind = 0; kind < IOB_LOG_NKINDS; kind++)
		if (l->chunk[kind])
			l->chunk[kind]->count = 0;
	if (l->before)
		memset(l->before, 0, IOB_NDIR * sizeof(*l->before));
	set_next(l);
}

static void add_sum(struct iob_log_sum *s, uint64_t ns)
{
	s->n++;
	s->sum_ns += ns;
	s->max_ns = ns > s->max_ns ? ns : s->max_ns;
}

static uint64_t span(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

void iob_worker_log_add(struct iob_worker_log *l, const struct iob_req *req, uint64_t bytes,
	bool slat, uint64_t now)
{
	uint64_t slat_ns = span(req->start_ns, req->issue_ns);
	uint64_t clat_ns = span(req->issue_ns, now);
	uint16_t ioprio = req->ioprio ? req->ioprio : l->thread_ioprio;

	l->block[req->op] = req->length + req->moved;
	if (l->transfers) {
		struct iob_io_record *r = next_record(l, IOB_LOG_RECORD);

		*r = (struct iob_io_record){
			.done_ns = span(l->from_ns, now),
			.slat_ns = slat ? slat_ns : IOB_IO_NO_SLAT,
			.clat_ns = clat_ns,
			.offset = req->offset - req->moved,
			.bytes = (uint32_t)bytes,
			.priority = ioprio,
			.dir = req->op,
			.high = iob_cmdprio_class(ioprio) == IOB_CMDPRIO_REAL_TIME,
		};
	}
	if (l->window_ns) {
		l->window.dir[req->op].ios++;
		l->window.dir[req->op].bytes += bytes;
		if (slat)
			add_sum(&l->window.dir[req->op].slat, slat_ns);
		add_sum(&l->window.dir[req->op].clat, clat_ns);
		add_sum(&l->window.dir[req->op].lat, span(req->start_ns, now));
	}
}

static void push_window(struct iob_worker_log *l, uint64_t end_ns)
{
	struct iob_log_window *out = next_record(l, IOB_LOG_WINDOW);
	uint64_t index = l->window.index;

	l->window.end_ns = end_ns;
	*out = l->window;
	memset(&l->window, 0, sizeof(l->window));
	l->window.index = index + 1;
}

static void push_hist(struct iob_worker_log *l, enum iob_dir dir, uint64_t end_ns)
{
	const struct iob_hist *now = &l->detail->dir[dir].clat.hist;
	struct iob_hist *before = &l->before[dir];
	struct iob_log_hist *out = next_record(l, IOB_LOG_HIST);

	out->end_ns = end_ns;
	out->block_size = l->block[dir];
	out->dir = dir;
	for (unsigned i = 0; i <= IOB_HIST_BUCKETS; i++)
		out->count[i] = now->count[i] - before->count[i];
	*before = *now;
}

/* Of the directions in which something came. */
static void push_hists(struct iob_worker_log *l, uint64_t end_ns)
{
	for (int dir = 0; dir < IOB_NDIR; dir++)
		if (l->detail->dir[dir].clat.hist.total != l->before[dir].total)
			push_hist(l, (enum iob_dir)dir, end_ns);
}

void iob_worker_log_roll(struct iob_worker_log *l, uint64_t now)
{
	uint64_t since = span(l->from_ns, now);

	while (l->window_ns && since >= (l->window.index + 1) * l->window_ns)
		push_window(l, (l->window.index + 1) * l->window_ns);
	/* What came back before the first end that has passed belongs to it, and later ones are
	 * empty. */
	if (l->hist_ns && now >= l->hist_end_ns) {
		push_hists(l, l->hist_end_ns - l->from_ns);
		while (l->hist_end_ns <= now)
			l->hist_end_ns += l->hist_ns;
	}
	set_next(l);
}

static void append_all(struct iob_worker_log *l)
{
	for (unsigned kind = 0; kind < IOB_LOG_NKINDS; kind++)
		if (l->chunk[kind])
			iob_log_append(l->chunk[kind], &l->place);
}

void iob_worker_log_hand_over(struct iob_worker_log *l, uint64_t now)
{
	if (now >= l->next_ns)
		iob_worker_log_roll(l, now);
	/* Nobody reads: what comes slowly shall not use up the places. */
	if (iob_log_waiting(&l->place) < FEW_CHUNKS)
		append_all(l);
}

static bool has_any(const struct iob_log_window *w)
{
	return w->dir[IOB_READ].ios + w->dir[IOB_WRITE].ios + w->dir[IOB_TRIM].ios > 0;
}

void iob_worker_log_end(struct iob_worker_log *l, uint64_t now)
{
	if (now >= l->next_ns)
		iob_worker_log_roll(l, now);
	/* Of the last one there may be a rest of microseconds, which is no line. */
	if (l->window_ns && span(l->from_ns, now) > l->window.index * l->window_ns &&
		has_any(&l->window))
		push_window(l, span(l->from_ns, now));
	if (l->hist_ns)
		push_hists(l, span(l->from_ns, now));
	append_all(l);
}

void iob_worker_log_free(struct iob_worker_log *l)
{
	for (unsigned kind = 0; kind < IOB_LOG_NKINDS; kind++)
		free(l->chunk[kind]);
	free(l->before);
}
