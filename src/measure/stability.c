/* SPDX-License-Identifier: MIT */
#include "measure/stability.h"

#include <math.h>

#include "base/clock.h"
#include "measure/sample.h"

#define PER_SECOND (1000 / IOB_INTERVAL_MS)

void iob_stability_add(struct iob_stability *s, const struct iob_interval *v, size_t n, size_t at)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t ms = (at + i) * IOB_INTERVAL_MS;

		if (ms < s->from_ms || ms + IOB_INTERVAL_MS > s->to_ms)
			continue;
		for (int d = 0; d < IOB_NDIR; d++)
			s->ios += v[i].dir[d].ios;
		if (++s->intervals < PER_SECOND)
			continue;
		s->n++;
		s->sum += (double)s->ios;
		s->sum_squares += (double)s->ios * (double)s->ios;
		s->ios = 0;
		s->intervals = 0;
	}
}

double iob_stability_cv(const struct iob_stability *s)
{
	if (s->n < 3 || s->sum <= 0)
		return -1;
	double mean = s->sum / s->n;
	double variance = fmax(0, (s->sum_squares - s->sum * mean) / (s->n - 1));
	return sqrt(variance) / mean * 100;
}
