/* SPDX-License-Identifier: MIT */
/*
 * A sweep: one live parameter doubled from step to step, each step a segment of its own.
 * Written "iodepth=1..256" or "bs=4k..1m".  The last step is the end of the range itself.
 */
#ifndef IOB_JOB_SWEEP_H
#define IOB_JOB_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "job/job.h"

#define IOB_SWEEP_STEP_NS UINT64_C(5000000000) /* unless runtime= says otherwise */

/* A plain value; zeroed = no sweep. */
struct iob_sweep {
	char param[16];
	uint64_t from, to;   /* in the parameter's unit; 1 <= from <= to */
	uint64_t step_ns;    /* time per step */
	uint64_t max_p99_ns; /* latency that is too much; 0 = none given */
	/* The first one that it made, when it began in the middle of a run. */
	uint32_t first_segment;
};

static inline bool iob_sweep_is_on(const struct iob_sweep *s)
{
	return s->param[0] != '\0';
}

/* Usage error that names what is wrong.  step_ns and max_p99_ns are left alone. */
int iob_sweep_parse(struct iob_sweep *, const char *text, struct iob_error *);

/* Number of steps, and the value of step i (0 .. steps - 1). */
unsigned iob_sweep_steps(const struct iob_sweep *);
uint64_t iob_sweep_value(const struct iob_sweep *, unsigned step);

/* The swept parameter in a set of live ones. */
uint64_t iob_sweep_get(const struct iob_sweep *, const struct iob_live *);
void iob_sweep_set(const struct iob_sweep *, struct iob_live *, uint64_t value);

/* A value as people write it: "32", "64k". */
char *iob_sweep_format(const struct iob_sweep *, uint64_t value, char *buf, size_t n);

#endif
