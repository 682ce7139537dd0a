/* SPDX-License-Identifier: MIT */
/* The cap of the rate as the screen speaks of it: one number, of all workers and directions. */
#ifndef IOB_UI_CAP_H
#define IOB_UI_CAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "job/job.h"
#include "job/param.h"
#include "run/snapshot.h"

/* The row of the table that it is; and that of the workers that it is divided among. */
const struct iob_param *iob_cap_param(void);
const struct iob_param *iob_jobs_param(void);

/* Over what the rates of a worker are summed. */
struct iob_cap_scope {
	unsigned workers; /* where the parameters do not say how many there are */
};

struct iob_cap_scope iob_cap_scope(const struct iob_job *, const struct iob_snapshot *);

/* I/Os per second; 0 = no cap. */
uint64_t iob_cap_total(const struct iob_live *, struct iob_cap_scope);
/* "off", "20.0k". */
char *iob_cap_format(char *buf, size_t n, const struct iob_live *, struct iob_cap_scope);

/* Each direction at the rate that it had in the last second; false if nothing came back then. */
bool iob_cap_at_present(struct iob_live *, struct iob_cap_scope, const struct iob_snapshot *);
void iob_cap_lift(struct iob_live *);
/* Other workers or another mix than before: the cap of all together stays what it was. */
void iob_cap_keep(struct iob_live *, const struct iob_live *before, struct iob_cap_scope);
/* "20000", "20k", "1m", "off"; in the proportions of the rates before, else in those of the mix. */
int iob_cap_set(struct iob_live *, struct iob_cap_scope, const char *text, struct iob_error *);

#endif
