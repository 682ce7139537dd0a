/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "job/param.h"
#include "measure/sample.h"
#include "result/json_document.h"
#include "result/json_schema.h"
#include "result/sweep_points.h"

/* All rows, or those that can change while it runs. */
/* Rows for job files say nothing of a run that is none. */
static bool is_echoed(const struct iob_job *job, const struct iob_param *p, bool live_only)
{
	if (live_only)
		return p->flags & IOB_PF_LIVE;
	return !(p->flags & IOB_PF_JOBFILE) || iob_param_is_given(job, p);
}

static void put_params(struct iob_json parent, const struct iob_job *job, bool live_only)
{
	struct iob_json out = iob_json_object(parent, "params");
	IOB_FREE char *value = malloc(IOB_LIST_MAX);

	if (!value) {
		*out.failed = true;
		return;
	}
	for (size_t i = 0; i < iob_param_count(); i++)
		if (is_echoed(job, iob_param_at(i), live_only))
			iob_json_text(out, iob_param_at(i)->name,
				iob_param_get(job, iob_param_at(i), value, IOB_LIST_MAX));
}

static void put_given(struct iob_json parent, const struct iob_job *job)
{
	struct iob_json out = iob_json_array(parent, "given");

	for (size_t i = 0; i < iob_param_count(); i++)
		if (iob_param_is_given(job, iob_param_at(i)))
			iob_json_text(out, NULL, iob_param_at(i)->name);
}

static void put_latency(struct iob_json parent, const char *key, const struct iob_latency *lat)
{
	struct iob_json out = iob_json_object(parent, key);
	char name[32];

	iob_json_put(out, iob_json_latency, lat);
	struct iob_json list = iob_json_object(out, "percentile");
	for (int i = 0; i < IOB_NPERCENTILES; i++)
		iob_json_u64(list, iob_json_percentile_key(name, sizeof(name), iob_percentiles[i]),
			lat->percentile_ns[i]);
	/* Those with fewer than ten samples beyond them. */
	list = iob_json_array(out, "thin");
	for (int i = 0; i < IOB_NPERCENTILES; i++)
		if (lat->thin & (1u << i))
			iob_json_text(list, NULL,
				iob_json_percentile_key(name, sizeof(name), iob_percentiles[i]));
}

static void put_figures(struct iob_json parent, const char *key, const struct iob_figures *f)
{
	struct iob_json out = iob_json_object(parent, key);

	iob_json_put(out, iob_json_figures, f);
	put_latency(out, "lat_ns", &f->lat);
	if (f->intended.n)
		put_latency(out, "intended_ns", &f->intended);
}

static void put_segment(struct iob_json out, const struct iob_segment_figures *s)
{
	iob_json_put(out, iob_json_segment, s);
	for (int d = 0; d < IOB_NDIR; d++)
		put_figures(out, iob_dir_name((enum iob_dir)d), &s->dir[d]);
	put_figures(out, "all", &s->all);
	if (s->all.intended.n || s->behind_ns)
		iob_json_u64(out, "behind_ns", s->behind_ns);
	if (s->has_disk)
		iob_json_put(iob_json_object(out, "disk"), iob_json_iostat, &s->disk);
}

/* Pairs of bucket and count, flat. */
static void put_hist(struct iob_json parent, const char *key, const struct iob_hist *hist)
{
	struct iob_json out = iob_json_array(parent, key);

	for (unsigned i = 0; i <= IOB_HIST_BUCKETS; i++) {
		if (hist->count[i] == 0)
			continue;
		iob_json_u64(out, NULL, i);
		iob_json_u64(out, NULL, hist->count[i]);
	}
}

static void put_histograms(struct iob_json parent, const struct iob_result_stage *stage)
{
	struct iob_json out = iob_json_object(parent, "histogram");

	for (int d = 0; d < IOB_NDIR; d++)
		if (stage->hist[d])
			put_hist(out, iob_dir_name((enum iob_dir)d), stage->hist[d]);
}

static void put_stages(struct iob_json own, const struct iob_result *r)
{
	struct iob_json list = iob_json_array(own, "stages");

	for (unsigned i = 0; i < r->nstages; i++) {
		struct iob_json out = iob_json_object(list, NULL);

		iob_json_text(out, "name", r->plan->stage[i].name);
		put_segment(out, &r->stage[i].figures);
		put_histograms(out, &r->stage[i]);
		iob_json_put(
			iob_json_object(out, "diskstats"), iob_json_diskstat, &r->stage[i].disk);
		put_params(out, &r->plan->stage[i], false);
		put_given(out, &r->plan->stage[i]);
	}
}

static void put_segments(struct iob_json own, const struct iob_result *r)
{
	struct iob_json list = iob_json_array(own, "segments");
	IOB_FREE struct iob_job *job = malloc(sizeof(*job));

	if (!job) {
		*list.failed = true;
		return;
	}
	for (size_t i = 0; i < r->nsegments; i++) {
		const struct iob_result_segment *s = &r->segment[i];
		struct iob_json out = iob_json_object(list, NULL);

		put_segment(out, &s->figures);
		if (s->figures.stage < r->nstages) {
			*job = r->plan->stage[s->figures.stage];
			iob_live_to_job(&s->params.live, job);
			put_params(out, job, true);
		}
	}
}

static void put_flags(struct iob_json parent, uint32_t flags)
{
	struct iob_json out = {0};

	for (const struct iob_json_flag *f = iob_json_interval_flags; f->name; f++) {
		if (!(flags & f->flag))
			continue;
		if (!out.node)
			out = iob_json_array(parent, "flags");
		iob_json_text(out, NULL, f->name);
	}
}

/* A direction is in all intervals or in none, so that a column exists or does not. */
static void put_timeline(struct iob_json own, const struct iob_result *r)
{
	struct iob_json list = iob_json_array(own, "timeline");
	bool has[IOB_NDIR] = {false};

	for (size_t k = 0; k < r->nintervals; k++)
		for (int d = 0; d < IOB_NDIR; d++)
			has[d] = has[d] || r->interval[k].dir[d].ios > 0;
	for (size_t k = 0; k < r->nintervals; k++) {
		const struct iob_interval *v = &r->interval[k];
		struct iob_json out = iob_json_object(list, NULL);

		iob_json_u64(out, "t_ms", k * IOB_INTERVAL_MS);
		iob_json_u64(out, "segment", v->segment);
		put_flags(out, v->flags);
		iob_json_u64(out, "errors", v->errors);
		iob_json_u64(out, "syncs", v->syncs);
		for (int d = 0; d < IOB_NDIR; d++)
			if (has[d])
				iob_json_put(iob_json_object(out, iob_dir_name((enum iob_dir)d)),
					iob_json_interval, &v->dir[d]);
		if (v->flags & IOB_INTERVAL_DISK)
			iob_json_put(iob_json_object(out, "disk"), iob_json_diskstat, &v->disk);
	}
}

void iob_json_warnings(struct iob_json own, const struct iob_warnings *w)
{
	struct iob_json list = iob_json_array(own, "warnings");

	for (unsigned i = 0; i < w->count; i++) {
		struct iob_json out = iob_json_object(list, NULL);

		iob_json_text(out, "code", w->item[i].code);
		iob_json_text(out, "text", w->item[i].text);
		out = iob_json_object(out, "evidence");
		for (unsigned k = 0; k < w->item[i].nevidence; k++)
			iob_json_real(
				out, w->item[i].evidence[k].name, w->item[i].evidence[k].value);
	}
}

static void put_limit(struct iob_json own, const struct iob_limit *limit)
{
	struct iob_json out;

	if (!limit->what[0])
		return;
	out = iob_json_object(own, "limit");
	iob_json_text(out, "what", limit->what);
	iob_json_text(out, "text", limit->text);
}

static void put_engine(struct iob_json own, const struct iob_result *r)
{
	struct iob_json out = iob_json_object(own, "engine");
	char flags[sizeof(r->engine_flags)];
	char *rest = NULL;

	iob_json_text(out, "name", r->engine);
	out = iob_json_array(out, "flags");
	memcpy(flags, r->engine_flags, sizeof(flags));
	for (char *word = strtok_r(flags, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		iob_json_text(out, NULL, word);
}

static void put_error(struct iob_json own, const struct iob_error *err)
{
	struct iob_json out;

	if (!err->code)
		return;
	out = iob_json_object(own, "error");
	iob_json_u64(out, "code", (uint64_t)(-(int64_t)err->code));
	iob_json_put(out, iob_json_error, err);
}

/* A seed has 64 bits, more than a number in JSON can be trusted with: it is text. */
static void put_plan(struct iob_json own, const struct iob_plan *plan)
{
	char seed[32];

	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)plan->seed);
	iob_json_text(own, "profile", plan->profile);
	iob_json_text(own, "seed", seed);
	iob_json_bool(own, "scratch", plan->scratch);
	iob_json_bool(own, "tunable", plan->tunable);
}

static void put_marks(struct iob_json own, const struct iob_marks *marks)
{
	if (!marks->count)
		return;
	struct iob_json list = iob_json_array(own, "marks");
	for (size_t i = 0; i < marks->count; i++) {
		struct iob_json mark = iob_json_object(list, NULL);

		iob_json_u64(mark, "t_ms", marks->item[i].ms);
		iob_json_text(mark, "text", marks->item[i].text);
	}
}

void iob_json_own(struct iob_json root, const struct iob_result *r)
{
	struct iob_json own = iob_json_object(root, IOB_JSON_KEY);

	iob_json_u64(own, "format", IOB_JSON_FORMAT);
	iob_json_put(own, iob_json_result, r);
	iob_json_text(own, "outcome", iob_outcome_name(r->outcome));
	put_error(own, &r->error);
	put_plan(own, r->plan);
	iob_json_sweep(own, r);
	iob_json_u64(own, "interval_ms", IOB_INTERVAL_MS);
	iob_json_put(iob_json_object(own, "host"), iob_json_host, &r->host);
	iob_json_put(iob_json_object(own, "target"), iob_json_target, &r->target);
	put_engine(own, r);
	iob_json_put(iob_json_object(own, "usage"), iob_json_usage, &r->usage);
	iob_json_warnings(own, &r->warnings);
	put_limit(own, &r->limit);
	iob_json_put_failures(own, &r->failures);
	put_segment(iob_json_object(own, "total"), &r->total);
	put_stages(own, r);
	put_segments(own, r);
	put_marks(own, &r->marks);
	put_timeline(own, r);
}
