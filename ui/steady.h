/* SPDX-License-Identifier: MIT */
/* How steady the rate of a run is that the dashboard shows. */
#ifndef IOB_UI_STEADY_H
#define IOB_UI_STEADY_H

#include "measure/stability.h"
#include "ui/source.h"

/* Coefficient of variation of a stretch, as iob_stability_cv. */
double iob_stability_of(const struct iob_source *, uint64_t from_ms, uint64_t to_ms);

#endif
