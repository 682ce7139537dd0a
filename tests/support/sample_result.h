/* SPDX-License-Identifier: MIT */
/* A result as a run of five seconds would leave it: one stage, 70 % random reads, the depth doubled
 * after two seconds, half a second of stall from 3.0 s on. */
#ifndef IOB_TESTS_SAMPLE_RESULT_H
#define IOB_TESTS_SAMPLE_RESULT_H

#include "result/result.h"

#define SAMPLE_INTERVALS   50
#define SAMPLE_TUNED_AT    20
#define SAMPLE_STALL_FROM  30
#define SAMPLE_STALL_UNTIL 35

/* To be freed with iob_result_free. */
void iob_sample_result(struct iob_result *);

/* I/Os of a direction in interval k. */
uint64_t iob_sample_ios(enum iob_dir, unsigned k);

#endif
