/* SPDX-License-Identifier: MIT */
#include "measure/detail.h"

void iob_span_add(struct iob_span *to, const struct iob_span *from)
{
	iob_moments_add(&to->moments, &from->moments);
	iob_hist_add(&to->hist, &from->hist);
}

void iob_detail_dir_add(struct iob_detail_dir *to, const struct iob_detail_dir *from)
{
	iob_span_add(&to->slat, &from->slat);
	iob_span_add(&to->clat, &from->clat);
	iob_span_add(&to->lat, &from->lat);
	to->issued += from->issued;
	to->issued_bytes += from->issued_bytes;
	to->ios += from->ios;
	to->bytes += from->bytes;
	to->shorts += from->shorts;
	to->errors += from->errors;
}

void iob_detail_add(struct iob_detail *to, const struct iob_detail *from)
{
	for (int d = 0; d < IOB_NDIR; d++)
		iob_detail_dir_add(&to->dir[d], &from->dir[d]);
	iob_span_add(&to->sync, &from->sync);
	to->syncs_issued += from->syncs_issued;
	for (int i = 0; i < IOB_DETAIL_LEVELS; i++) {
		to->depth[i] += from->depth[i];
		to->submit[i] += from->submit[i];
		to->complete[i] += from->complete[i];
	}
	to->total_errors += from->total_errors;
	if (!to->first_error)
		to->first_error = from->first_error;
	to->user_ns += from->user_ns;
	to->system_ns += from->system_ns;
	to->context_switches += from->context_switches;
	to->major_faults += from->major_faults;
	to->minor_faults += from->minor_faults;
}

void iob_detail_priorities_add(
	struct iob_detail_priorities *to, const struct iob_detail_priorities *from)
{
	for (int d = 0; d < 2; d++) {
		uint32_t seen = from->seen[d];

		to->seen[d] |= seen;
		for (; seen; seen &= seen - 1) {
			int i = __builtin_ctz(seen);

			iob_span_add(&to->span[d][i], &from->span[d][i]);
		}
	}
}
