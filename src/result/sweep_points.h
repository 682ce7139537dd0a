/* SPDX-License-Identifier: MIT */
/* The steps of a sweep, found again in the segments of a result. */
#ifndef IOB_RESULT_SWEEP_POINTS_H
#define IOB_RESULT_SWEEP_POINTS_H

#include "measure/knee.h"
#include "result/json_out.h"
#include "result/result.h"

#define IOB_MAX_SWEEP_POINTS 64

struct iob_sweep_points {
	size_t count;
	struct iob_knee_point point[IOB_MAX_SWEEP_POINTS];
	const struct iob_result_segment *segment[IOB_MAX_SWEEP_POINTS]; /* of the result */
	struct iob_knee knee;
};

/* The longest load segment of each value, ascending; count 0 if the run was no sweep. */
void iob_sweep_points(struct iob_sweep_points *, const struct iob_result *);

/* The section of the text report; nothing if the run was no sweep. */
void iob_text_sweep(const struct iob_result *, FILE *);
/* The member "sweep" of the iotop_bench key; left out if the run was no sweep. */
void iob_json_sweep(struct iob_json own, const struct iob_result *);

#endif
