/* SPDX-License-Identifier: MIT */
#include "measure/steady.h"

#include <math.h>

#include "measure/sample.h"

#define LEAST_WINDOWS 10
/* Fewer in a window differ by chance alone: the standard deviation of 100 is a tenth of it. */
#define LEAST_IOS     100
/* A step is one when the first part was at least this much faster than the rest ... */
#define STEP_RATIO    1.3
/* ... and the parts themselves vary by less than this share of it. */
#define STEP_NOISE    0.4

static void fold(struct iob_steady *s)
{
	for (uint32_t i = 0; i < s->count / 2; i++) {
		s->window[i].ios = s->window[2 * i].ios + s->window[2 * i + 1].ios;
		s->window[i].bytes = s->window[2 * i].bytes + s->window[2 * i + 1].bytes;
	}
	s->count /= 2;
	s->span *= 2;
	s->window[s->count] = (struct iob_steady_window){0};
}

void iob_steady_add(struct iob_steady *s, double ios, double bytes)
{
	if (s->span == 0)
		s->span = 1;
	if (s->count == IOB_STEADY_WINDOWS)
		fold(s);
	struct iob_steady_window *w = &s->window[s->count];
	w->ios += ios;
	w->bytes += bytes;
	if (++s->part < s->span)
		return;
	s->part = 0;
	s->window[++s->count] = (struct iob_steady_window){0};
}

static double mean_of(const struct iob_steady *s, uint32_t from, uint32_t to)
{
	double sum = 0;

	for (uint32_t i = from; i < to; i++)
		sum += s->window[i].ios;
	return sum / (to - from);
}

static double squares_of(const struct iob_steady *s, uint32_t from, uint32_t to)
{
	double mean = mean_of(s, from, to), sum = 0;

	for (uint32_t i = from; i < to; i++)
		sum += (s->window[i].ios - mean) * (s->window[i].ios - mean);
	return sum;
}

/* Least squares over the numbers of the windows. */
static double fitted_change(const struct iob_steady *s, double mean)
{
	double middle = (s->count - 1) / 2.0, xy = 0, xx = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		xy += (i - middle) * (s->window[i].ios - mean);
		xx += (i - middle) * (i - middle);
	}
	return xy / xx * (s->count - 1);
}

static double bytes_of(const struct iob_steady *s, uint32_t from, uint32_t to)
{
	double sum = 0;

	for (uint32_t i = from; i < to; i++)
		sum += s->window[i].bytes;
	return sum / (to - from);
}

/* Where two constant levels fit best; both parts have two windows at least. */
static void find_step(struct iob_steady_verdict *v, const struct iob_steady *s)
{
	double best = HUGE_VAL;
	uint32_t at = 0;

	for (uint32_t k = 2; k + 2 <= s->count; k++) {
		double rest = squares_of(s, 0, k) + squares_of(s, k, s->count);

		if (rest < best) {
			best = rest;
			at = k;
		}
	}
	double first = mean_of(s, 0, at), second = mean_of(s, at, s->count);
	double noise = sqrt(best / s->count);
	if (first < STEP_RATIO * second || noise > STEP_NOISE * (first - second))
		return;
	v->fell = true;
	v->step_s = at * v->window_s;
	v->before = first / v->window_s;
	v->after = second / v->window_s;
	v->before_bw = bytes_of(s, 0, at) / v->window_s;
	v->after_bw = bytes_of(s, at, s->count) / v->window_s;
}

void iob_steady_judge(struct iob_steady_verdict *v, const struct iob_steady *s)
{
	*v = (struct iob_steady_verdict){0};
	if (s->count < LEAST_WINDOWS)
		return;
	v->window_s = s->span * (double)IOB_INTERVAL_NS / 1e9;
	v->seconds = s->count * v->window_s;
	double mean = mean_of(s, 0, s->count);
	v->mean_iops = mean / v->window_s;
	if (mean < LEAST_IOS)
		return;
	v->known = true;
	v->cv = sqrt(squares_of(s, 0, s->count) / s->count) / mean;
	v->drift = fitted_change(s, mean) / mean;
	find_step(v, s);
}
