/* SPDX-License-Identifier: MIT */
/* IOPS over time, in plain ASCII: a stalled second is a gap. */
#ifndef IOB_RESULT_TEXT_GRAPH_H
#define IOB_RESULT_TEXT_GRAPH_H

#include "result/result.h"

/* The stretch [from_ms, to_ms) of the timeline; nothing when it is shorter than two intervals. */
void iob_text_graph(const struct iob_result *, uint64_t from_ms, uint64_t to_ms, FILE *);

#endif
