/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "result/fio_priority.h"

#include <errno.h>
#include <stdlib.h>

#include "job/cmdprio.h"

int iob_fio_priorities_add(
	struct iob_fio_entry *e, const struct iob_detail_priorities *member, struct iob_error *err)
{
	if (!e->priorities)
		e->priorities = calloc(1, sizeof(*e->priorities));
	if (!e->priorities)
		return iob_fail(err, -ENOMEM, "report of %s: %m", e->jobname);
	iob_detail_priorities_add(e->priorities, member);
	return 0;
}

/* Of both directions together. */
static int mix(struct iob_fio_entry *e, struct iob_error *err)
{
	const struct iob_detail_priorities *p = e->priorities;

	if (!e->all_priorities)
		e->all_priorities = calloc(IOB_DETAIL_PRIORITIES, sizeof(struct iob_span));
	if (!e->all_priorities)
		return iob_fail(err, -ENOMEM, "report of %s: %m", e->jobname);
	for (int d = 0; d < 2; d++) {
		for (uint32_t seen = p->seen[d]; seen; seen &= seen - 1) {
			int i = __builtin_ctz(seen);

			iob_span_add(&e->all_priorities[i], &p->span[d][i]);
		}
	}
	e->mixed.by_priority = e->all_priorities;
	e->mixed.priorities = p->seen[0] | p->seen[1];
	return 0;
}

int iob_fio_priorities_settle(struct iob_fio_entry *e, struct iob_error *err)
{
	if (!e->priorities)
		return 0;
	for (int d = 0; d < 2; d++) {
		e->dir[d].by_priority = e->priorities->span[d];
		e->dir[d].priorities = e->priorities->seen[d];
	}
	return e->unified ? mix(e, err) : 0;
}

static void take(struct iob_fio_priority *out, const struct iob_fio_dir_report *r, unsigned index)
{
	*out = (struct iob_fio_priority){
		.prioclass = index / IOB_CMDPRIO_LEVELS,
		.level = index % IOB_CMDPRIO_LEVELS,
		.span = &r->by_priority[index],
	};
}

unsigned iob_fio_priorities(const struct iob_fio_entry *e, const struct iob_fio_dir_report *r,
	struct iob_fio_priority out[IOB_DETAIL_PRIORITIES])
{
	unsigned own = iob_cmdprio_index(e->thread_ioprio), n = 0;
	uint64_t total = 0;

	if (r->priorities >> own & 1)
		take(&out[n++], r, own);
	for (unsigned i = 0; i < IOB_DETAIL_PRIORITIES; i++)
		if ((r->priorities >> i & 1) && i != own)
			take(&out[n++], r, i);
	for (unsigned i = 0; i < n; i++)
		total += out[i].span->moments.n;
	for (unsigned i = 0; i < n; i++)
		out[i].share = total ? 100 * (double)out[i].span->moments.n / (double)total : 0;
	return n < 2 ? 0 : n;
}
