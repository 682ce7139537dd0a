/* SPDX-License-Identifier: MIT */
/* The tables of the text report. */
#ifndef IOB_RESULT_TEXT_FIGURES_H
#define IOB_RESULT_TEXT_FIGURES_H

#include "result/result.h"

/* IOPS, bandwidth and amount of each direction in which something came. */
/* job (NULL = unknown): a direction of its rw that nothing came of is shown, too. */
void iob_text_headline(const struct iob_segment_figures *, const struct iob_job *job, FILE *);
void iob_text_latencies(const struct iob_segment_figures *, FILE *);
void iob_text_depth(const struct iob_result *, unsigned stage, FILE *);
void iob_text_disk(const struct iob_result *, unsigned stage, FILE *);
/* Nothing when there is only one. */
void iob_text_segments(const struct iob_result *, FILE *);

/* Requests that failed: by kind, and the first ones. */
void iob_text_failures(const struct iob_failures *, FILE *);

#endif
