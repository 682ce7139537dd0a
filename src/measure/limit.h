/* SPDX-License-Identifier: MIT */
/* What limits a result, in one line, with the figures that say so.  Pure. */
#ifndef IOB_MEASURE_LIMIT_H
#define IOB_MEASURE_LIMIT_H

#include "measure/verdict.h"

/* what: rate, throttle, cache, cpu, neighbour, link, "queue depth", device, unknown; "" = nothing
 * was measured.  text: one sentence. */
struct iob_limit {
	char what[16];
	char text[240];
};

/* From the same facts as the warnings, and the warnings themselves (those of now, not held ones).
 */
void iob_limit_find(
	struct iob_limit *, const struct iob_verdict_facts *, const struct iob_warnings *);

/* Do other programs keep all CPUs of the machine busy? */
bool iob_limit_others_busy(const struct iob_verdict_facts *);

/* The cgroup's limit for the disk that the run came closest to, if it was reached. */
struct iob_cap {
	double limit, used; /* per second; share of it, 0..1 and a bit */
	char text[32];      /* "1MiB/s (1049kB/s)" or "1k IOPS" */
	char what[8];       /* "reads", "writes" */
};

bool iob_cap_reached(struct iob_cap *, const struct iob_verdict_facts *);

#endif
