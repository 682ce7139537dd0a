/* SPDX-License-Identifier: MIT */
#include "result/sweep_points.h"

#include <string.h>

/* Where the value stands, or is to stand. */
static size_t place_of(const struct iob_sweep_points *p, uint64_t value)
{
	size_t i = 0;

	while (i < p->count && p->point[i].value < value)
		i++;
	return i;
}

static void add(struct iob_sweep_points *p, uint64_t value, const struct iob_result_segment *s)
{
	size_t i = place_of(p, value);
	bool known = i < p->count && p->point[i].value == value;

	if (known && p->segment[i]->figures.seconds >= s->figures.seconds)
		return;
	if (!known) {
		if (p->count == IOB_MAX_SWEEP_POINTS)
			return;
		memmove(&p->point[i + 1], &p->point[i], (p->count - i) * sizeof(p->point[0]));
		memmove(&p->segment[i + 1], &p->segment[i], (p->count - i) * sizeof(p->segment[0]));
		p->count++;
	}
	p->segment[i] = s;
	p->point[i] = (struct iob_knee_point){
		.value = value,
		.iops = s->figures.all.iops,
		.p99_ns = s->figures.all.lat.percentile_ns[IOB_P99],
	};
}

void iob_sweep_points(struct iob_sweep_points *p, const struct iob_result *r)
{
	const struct iob_sweep *sweep = &r->sweep;

	memset(p, 0, sizeof(*p));
	for (size_t i = 0; iob_sweep_is_on(sweep) && i < r->nsegments; i++) {
		const struct iob_result_segment *s = &r->segment[i];

		/* What was tried before the sweep may differ in more than its parameter. */
		if (s->figures.id < sweep->first_segment)
			continue;
		if (s->figures.kind == IOB_SEGMENT_LOAD && s->figures.all.ios > 0)
			add(p, iob_sweep_get(sweep, &s->params.live), s);
	}
	iob_knee_find(&p->knee, p->point, p->count, sweep->max_p99_ns);
}

void iob_json_sweep(struct iob_json own, const struct iob_result *r)
{
	const struct iob_sweep *sweep = &r->sweep;
	struct iob_sweep_points p;

	if (!iob_sweep_is_on(sweep))
		return;
	iob_sweep_points(&p, r);
	struct iob_json out = iob_json_object(own, "sweep");
	iob_json_text(out, "param", sweep->param);
	iob_json_u64(out, "from", sweep->from);
	iob_json_u64(out, "to", sweep->to);
	iob_json_u64(out, "step_ns", sweep->step_ns);
	iob_json_u64(out, "max_p99_ns", sweep->max_p99_ns);
	iob_json_u64(out, "first_segment", sweep->first_segment);
	struct iob_json list = iob_json_array(out, "points");
	for (size_t i = 0; i < p.count; i++) {
		struct iob_json point = iob_json_object(list, NULL);

		iob_json_u64(point, "value", p.point[i].value);
		iob_json_u64(point, "segment", p.segment[i]->figures.id);
		iob_json_real(point, "iops", p.point[i].iops);
		iob_json_real(point, "bw_bytes", p.segment[i]->figures.all.bw);
		iob_json_u64(point, "p99_ns", p.point[i].p99_ns);
	}
	if (p.knee.knee >= 0)
		iob_json_u64(out, "knee", p.point[p.knee.knee].value);
	if (p.knee.limit >= 0)
		iob_json_u64(out, "limit", p.point[p.knee.limit].value);
}
