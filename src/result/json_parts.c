/* SPDX-License-Identifier: MIT */
#include "result/json_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "job/param.h"
#include "measure/sample.h"
#include "result/json_schema.h"

static void read_latency(const struct iob_json_in *dir, const char *key, struct iob_latency *lat)
{
	struct iob_json_in in = iob_in_object(dir, key);
	struct iob_json_in list = iob_in_object(&in, "percentile");
	struct iob_json_in thin;
	char name[32];
	size_t n;

	iob_json_get(&in, iob_json_latency, lat);
	for (int i = 0; i < IOB_NPERCENTILES; i++)
		lat->percentile_ns[i] = iob_in_u64(&list,
			iob_json_percentile_key(name, sizeof(name), iob_percentiles[i]), INT64_MAX);
	thin = iob_in_array(&in, "thin", &n);
	for (size_t k = 0; k < n; k++) {
		const char *text = json_string_value(json_array_get(thin.node, k));

		for (int i = 0; i < IOB_NPERCENTILES && text; i++)
			if (strcmp(text, iob_json_percentile_key(
						 name, sizeof(name), iob_percentiles[i])) == 0)
				lat->thin |= 1u << i;
	}
}

static void read_figures(const struct iob_json_in *in, struct iob_figures *f)
{
	iob_json_get(in, iob_json_figures, f);
	read_latency(in, "lat_ns", &f->lat);
	if (iob_in_has(in, "intended_ns"))
		read_latency(in, "intended_ns", &f->intended);
}

static struct iob_hist *read_hist(const struct iob_json_in *in, const char *key)
{
	size_t n;
	struct iob_json_in list = iob_in_array(in, key, &n);
	struct iob_hist *hist = calloc(1, sizeof(*hist));

	if (!hist) {
		iob_in_fail(in, key, "does not fit into memory");
		return NULL;
	}
	if (n % 2)
		iob_in_fail(in, key, "must hold pairs of bucket and count");
	for (size_t i = 0; i + 1 < n && !list.source->failed; i += 2) {
		const json_t *bucket = json_array_get(list.node, i);
		const json_t *count = json_array_get(list.node, i + 1);
		json_int_t b = json_integer_value(bucket);
		json_int_t c = json_integer_value(count);

		if (!json_is_integer(bucket) || !json_is_integer(count) || b < 0 ||
			b > IOB_HIST_BUCKETS || c < 0) {
			iob_in_fail(in, key, "must hold pairs of bucket and count");
			break;
		}
		hist->count[b] += (uint64_t)c;
		hist->total += (uint64_t)c;
	}
	return hist;
}

void iob_read_histograms(const struct iob_json_in *stage, struct iob_hist **hist)
{
	struct iob_json_in in = iob_in_object(stage, "histogram");

	for (int d = 0; d < IOB_NDIR; d++)
		if (iob_in_has(&in, iob_dir_name((enum iob_dir)d)))
			hist[d] = read_hist(&in, iob_dir_name((enum iob_dir)d));
}

void iob_read_segment(const struct iob_json_in *in, struct iob_segment_figures *s)
{
	struct iob_json_in part;

	iob_json_get(in, iob_json_segment, s);
	for (int d = 0; d < IOB_NDIR; d++) {
		part = iob_in_object(in, iob_dir_name((enum iob_dir)d));
		read_figures(&part, &s->dir[d]);
	}
	part = iob_in_object(in, "all");
	read_figures(&part, &s->all);
	if (iob_in_has(in, "behind_ns"))
		s->behind_ns = iob_in_u64(in, "behind_ns", INT64_MAX);
	s->has_disk = iob_in_has(in, "disk");
	if (s->has_disk) {
		part = iob_in_object(in, "disk");
		iob_json_get(&part, iob_json_iostat, &s->disk);
	}
}

void iob_read_diskstat(const struct iob_json_in *in, struct iob_diskstat *disk)
{
	iob_json_get(in, iob_json_diskstat, disk);
}

void iob_read_params(const struct iob_json_in *parent, struct iob_job *job)
{
	struct iob_json_in in = iob_in_object(parent, "params");
	IOB_FREE char *now = malloc(IOB_LIST_MAX);

	if (!now)
		iob_in_fail(parent, "params", "does not fit into memory");
	for (size_t i = 0; i < iob_param_count() && now; i++) {
		const struct iob_param *p = iob_param_at(i);
		struct iob_error why = {0};
		const char *value;

		if (!iob_in_has(&in, p->name))
			continue;
		value = iob_in_string(&in, p->name);
		/* Defaults may be texts that nobody can give, such as "". */
		if (strcmp(iob_param_get(job, p, now, IOB_LIST_MAX), value) == 0)
			continue;
		if (iob_param_set(job, p, value, &why))
			iob_in_fail(&in, p->name, "cannot be set (%.80s)", why.text);
	}
}

void iob_read_given(const struct iob_json_in *parent, struct iob_job *job)
{
	size_t n;
	struct iob_json_in list = iob_in_array(parent, "given", &n);

	memset(job->given, 0, sizeof(job->given));
	for (size_t k = 0; k < n; k++) {
		const char *text = json_string_value(json_array_get(list.node, k));

		for (size_t i = 0; i < iob_param_count() && text; i++)
			if (strcmp(text, iob_param_at(i)->name) == 0)
				job->given[i / 64] |= UINT64_C(1) << (i % 64);
	}
}

static uint32_t read_flags(const struct iob_json_in *in)
{
	uint32_t flags = 0;
	size_t n;

	if (!iob_in_has(in, "flags"))
		return 0;
	struct iob_json_in list = iob_in_array(in, "flags", &n);
	for (size_t k = 0; k < n; k++) {
		const char *text = json_string_value(json_array_get(list.node, k));

		for (const struct iob_json_flag *f = iob_json_interval_flags; f->name && text; f++)
			if (strcmp(text, f->name) == 0)
				flags |= f->flag;
	}
	return flags;
}

static void read_interval(const struct iob_json_in *in, struct iob_interval *v)
{
	struct iob_json_in part;

	v->segment = (uint32_t)iob_in_u64(in, "segment", UINT32_MAX);
	v->flags = read_flags(in);
	v->errors = (uint32_t)iob_in_u64(in, "errors", UINT32_MAX);
	v->syncs = (uint32_t)iob_in_u64(in, "syncs", UINT32_MAX);
	for (int d = 0; d < IOB_NDIR; d++) {
		if (!iob_in_has(in, iob_dir_name((enum iob_dir)d)))
			continue;
		part = iob_in_object(in, iob_dir_name((enum iob_dir)d));
		iob_json_get(&part, iob_json_interval, &v->dir[d]);
	}
	if (!iob_in_has(in, "disk"))
		return;
	part = iob_in_object(in, "disk");
	v->flags |= IOB_INTERVAL_DISK;
	iob_read_diskstat(&part, &v->disk);
}

void iob_read_timeline(const struct iob_json_in *own, struct iob_result *r)
{
	size_t n;
	struct iob_json_in list = iob_in_array(own, "timeline", &n);

	r->interval = calloc(n + 1, sizeof(*r->interval));
	if (!r->interval) {
		iob_in_fail(own, "timeline", "does not fit into memory");
		return;
	}
	r->nintervals = n;
	for (size_t k = 0; k < n && !own->source->failed; k++) {
		struct iob_json_in in = iob_in_item(&list, k);

		if (iob_in_u64(&in, "t_ms", INT64_MAX) != k * IOB_INTERVAL_MS)
			iob_in_fail(&in, "t_ms", "does not continue the one before");
		read_interval(&in, &r->interval[k]);
	}
}

static void read_evidence(const struct iob_json_in *item, struct iob_warning *w)
{
	struct iob_json_in in = iob_in_object(item, "evidence");
	const char *key;
	json_t *value;

	if (!in.node)
		return;
	json_object_foreach(json_object_get(item->node, "evidence"), key, value)
	{
		struct iob_evidence *e = &w->evidence[w->nevidence];

		if (w->nevidence == sizeof(w->evidence) / sizeof(w->evidence[0]))
			break;
		if (!json_is_number(value))
			iob_in_fail(&in, key, "must be a number");
		iob_text_clean(e->name, sizeof(e->name), key);
		e->value = json_number_value(value);
		w->nevidence++;
	}
}

void iob_read_warnings(const struct iob_json_in *own, struct iob_warnings *w)
{
	size_t n;
	struct iob_json_in list = iob_in_array(own, "warnings", &n);

	for (size_t k = 0; k < n && k < IOB_MAX_WARNINGS && !own->source->failed; k++) {
		struct iob_json_in in = iob_in_item(&list, k);

		iob_in_text(&in, "code", w->item[k].code, sizeof(w->item[k].code));
		iob_in_text(&in, "text", w->item[k].text, sizeof(w->item[k].text));
		read_evidence(&in, &w->item[k]);
		w->count++;
	}
}
