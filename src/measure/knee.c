/* SPDX-License-Identifier: MIT */
#include "measure/knee.h"

static int index_of_best(const struct iob_knee_point *p, size_t n)
{
	int best = -1;

	for (size_t i = 0; i < n; i++)
		if (p[i].iops > 0 && (best < 0 || p[i].iops > p[best].iops))
			best = (int)i;
	return best;
}

void iob_knee_find(
	struct iob_knee *k, const struct iob_knee_point *p, size_t n, uint64_t max_p99_ns)
{
	k->best = k->knee = index_of_best(p, n);
	k->limit = -1;
	for (int i = 0; i < k->best; i++) {
		if (p[i].iops >= IOB_KNEE_SHARE * p[k->best].iops) {
			k->knee = i;
			break;
		}
	}
	for (size_t i = 0; max_p99_ns && k->limit < 0 && i < n; i++)
		if (p[i].p99_ns > max_p99_ns)
			k->limit = (int)i;
}
