/* SPDX-License-Identifier: MIT */
/* The parts of a saved run, each read strictly (see json_in.h). */
#ifndef IOB_RESULT_JSON_READ_H
#define IOB_RESULT_JSON_READ_H

#include "result/json_in.h"
#include "result/result.h"

void iob_read_segment(const struct iob_json_in *, struct iob_segment_figures *);
/* The member `histogram`: IOB_NDIR pointers; one is set (owned by the caller) for each direction
 * that the file has. */
void iob_read_histograms(const struct iob_json_in *stage, struct iob_hist **hist);
void iob_read_diskstat(const struct iob_json_in *, struct iob_diskstat *);
/* The member `params` over what is in the job; rows that this version does not know are passed
 * over. */
void iob_read_params(const struct iob_json_in *, struct iob_job *);
/* The member `given`. */
void iob_read_given(const struct iob_json_in *, struct iob_job *);
void iob_read_timeline(const struct iob_json_in *own, struct iob_result *);
void iob_read_warnings(const struct iob_json_in *own, struct iob_warnings *);
/* The member `failures`; older files have none. */
void iob_read_failures(const struct iob_json_in *own, struct iob_failures *);

#endif
