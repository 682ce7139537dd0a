/* SPDX-License-Identifier: MIT */
/* Latencies by the priority of the request, where requests have priorities of their own. */
#ifndef IOB_RESULT_FIO_PRIORITY_H
#define IOB_RESULT_FIO_PRIORITY_H

#include "result/fio_report.h"

struct iob_fio_priority {
	unsigned prioclass, level; /* as prioclass and prio count them */
	const struct iob_span *span;
	double share; /* of the requests of the direction, per cent */
};

/* Add what a member counted. */
int iob_fio_priorities_add(
	struct iob_fio_entry *, const struct iob_detail_priorities *, struct iob_error *);
/* All members are added: fill in what belongs to the entry's directions and to `mixed`. */
int iob_fio_priorities_settle(struct iob_fio_entry *, struct iob_error *);

/* That of the thread first; how many there are, 0 if it is fewer than two. */
unsigned iob_fio_priorities(const struct iob_fio_entry *, const struct iob_fio_dir_report *,
	struct iob_fio_priority out[IOB_DETAIL_PRIORITIES]);

#endif
