/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "result/fio_build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "job/cmdprio.h"
#include "load/engine.h"
#include "measure/latency.h"
#include "result/fio_priority.h"

/* "50:99:99.9", which was checked when it was set. */
static void set_percentiles(struct iob_fio_entry *e, const char *list)
{
	if (list[0] == '\0') {
		memcpy(e->percentile, iob_percentiles, sizeof(iob_percentiles));
		e->npercentiles = IOB_NPERCENTILES;
		e->percentile_precision = 2;
		return;
	}
	for (const char *p = list; *p && e->npercentiles < IOB_FIO_MAX_PERCENTILES;) {
		char *end;

		e->percentile[e->npercentiles++] = strtod(p, &end);
		const char *dot = memchr(p, '.', (size_t)(end - p));
		unsigned decimals = dot ? (unsigned)(end - dot - 1) : 0;
		if (decimals > e->percentile_precision)
			e->percentile_precision = decimals;
		if (end == p)
			break;
		p = end + (*end == ':');
	}
}

static void take_settings(struct iob_fio_entry *e, const struct iob_fleet_clone *c)
{
	const struct iob_job *job = &c->settings;
	const struct iob_job_control *ctl = &job->ctl;

	iob_text_clean(e->jobname, sizeof(e->jobname), c->source->jobname);
	iob_text_clean(e->description, sizeof(e->description), ctl->description);
	e->groupid = c->group;
	e->synchronous = !iob_engine_has_slat(iob_engine_find(job->ioengine), job);
	e->thread_ioprio = iob_cmdprio_of_thread(job);
	e->iodepth = iob_engine_is_one_deep(job) ? 1 : (uint32_t)job->iodepth;
	e->latency_percentile = 100;
	e->disable_slat = ctl->disable_slat || job->gtod_reduce;
	e->disable_clat = ctl->disable_clat || job->gtod_reduce;
	e->disable_lat = ctl->disable_lat || job->gtod_reduce;
	e->disable_bw = ctl->disable_bw;
	e->clat_percentiles = ctl->clat_percentiles && !job->gtod_reduce;
	e->lat_percentiles = ctl->lat_percentiles && !job->gtod_reduce;
	e->slat_percentiles = ctl->slat_percentiles && !job->gtod_reduce && !e->synchronous;
	e->unified = ctl->unified_rw_reporting;
	e->continue_on_error = job->continue_on_error != IOB_CONTINUE_NONE;
	e->kb_base = (int)ctl->kb_base;
	e->unit_base = (int)ctl->unit_base;
	e->significant_figures = (unsigned)ctl->significant_figures;
	set_percentiles(e, ctl->percentile_list);
}

/* What fio's report says of a group is that of its last member: readers know it so. */
static void take_last(struct iob_fio_entry *e, const struct iob_fleet_clone *c)
{
	e->noptions = c->source->noptions;
	e->option = c->source->option;
	if (c->source->place.line == 0)
		iob_text_clean(e->typed_name, sizeof(e->typed_name), c->source->jobname);
	/* One that only makes its files has none. */
	e->latency_depth = c->settings.files.create_only ? 0 : (unsigned)c->source->asked_iodepth;
}

/* How long a worker measured: to its end, or until now, but for gaps. */
static uint64_t measured_ns(const struct iob_detail *d)
{
	uint64_t ns = d->begin_ns && d->end_ns > d->begin_ns ? d->end_ns - d->begin_ns : 0;

	return ns > d->gap_ns ? ns - d->gap_ns : 0;
}

static void add_runtime(struct iob_fio_entry *e, const struct iob_detail *d)
{
	uint64_t ms = (measured_ns(d) + IOB_NS_PER_MS - 1) / IOB_NS_PER_MS;

	e->job_runtime_ms += ms;
	for (int i = 0; i < IOB_NDIR; i++)
		if (d->dir[i].bytes && ms > e->dir[i].runtime_ms)
			e->dir[i].runtime_ms = ms;
}

static void add_error(struct iob_fio_entry *e, const struct iob_fleet_clone *c)
{
	if (e->error || !c->error.code)
		return;
	e->error = -c->error.code;
	snprintf(e->error_where, sizeof(e->error_where), "%.159s", c->error.text);
}

/* usage_ns: how long members had run when they last told what they used of the CPUs. */
static int add_member(struct iob_fio_entry *e, const struct iob_fleet_clone *c,
	struct iob_detail *d, uint64_t *usage_ns, struct iob_error *err)
{
	if (e->members++ == 0) {
		e->pid = c->pid;
		e->started_ms = c->started_ms;
	}
	add_error(e, c);
	uint64_t finished_s = (c->finished_ms ? c->finished_ms : iob_wall_ms()) / 1000;
	if (finished_s > e->finished_s)
		e->finished_s = finished_s;
	if (!c->run || !iob_run_detail(c->run, 0, d))
		return 0;
	iob_detail_add(e->detail, d);
	*usage_ns += measured_ns(d);
	/* It tells that each second, and what it does at once. */
	if (!c->finished_ms && d->begin_ns)
		d->end_ns = iob_now_ns();
	add_runtime(e, d);
	const struct iob_detail_priorities *priorities = iob_run_priorities(c->run, 0);
	return priorities ? iob_fio_priorities_add(e, priorities, err) : 0;
}

static void set_cpu(struct iob_fio_entry *e, uint64_t usage_ns)
{
	if (usage_ns == 0)
		return;
	e->usr_cpu = 100 * (double)e->detail->user_ns / (double)usage_ns;
	e->sys_cpu = 100 * (double)e->detail->system_ns / (double)usage_ns;
}

static int build_entry(
	struct iob_fio_entry *e, const struct iob_fio_members *m, struct iob_error *err)
{
	IOB_FREE struct iob_detail *one = malloc(sizeof(*one));
	uint64_t usage_ns = 0;

	e->detail = calloc(1, sizeof(*e->detail));
	if (!e->detail || !one)
		return iob_fail(err, -ENOMEM, "making the report: %m");
	for (int d = 0; d < IOB_NDIR; d++)
		e->dir[d].d = &e->detail->dir[d];
	take_settings(e, &m->fleet->clone[m->first]);
	take_last(e, &m->fleet->clone[m->first + m->count - 1]);
	int rc = 0;
	for (unsigned i = 0; i < m->count && rc == 0; i++)
		rc = add_member(e, &m->fleet->clone[m->first + i], one, &usage_ns, err);
	if (rc < 0)
		return rc;
	if (!e->error && e->continue_on_error)
		e->error = e->detail->first_error;
	set_cpu(e, usage_ns);
	e->elapsed_s = (iob_now_ns() - m->fleet->begun_ns + IOB_NS_PER_S - 1) / IOB_NS_PER_S;
	rc = e->unified ? iob_fio_entry_mix(e, err) : 0;
	if (rc == 0)
		rc = iob_fio_priorities_settle(e, err);
	return rc < 0 ? rc : iob_fio_build_samples(e, m, err);
}

/* How many clones from `first` on make one entry. */
static unsigned members_from(const struct iob_fleet *f, unsigned first)
{
	unsigned n = 1;

	while (first + n < f->count && f->clone[first + n].settings.group_reporting &&
		f->clone[first + n].group == f->clone[first].group)
		n++;
	return n;
}

static int build_entries(struct iob_fio_report *r, struct iob_fleet *f, struct iob_error *err)
{
	int rc = 0;

	r->entry = calloc(f->count, sizeof(*r->entry));
	if (!r->entry)
		return iob_fail(err, -ENOMEM, "making the report: %m");
	for (unsigned i = 0, n; i < f->count && rc == 0; i += n) {
		n = members_from(f, i);
		if (!f->clone[i].settings.ctl.stats)
			continue;
		const struct iob_fio_members members = {f, i, n};
		rc = build_entry(&r->entry[r->nentries++], &members, err);
	}
	return rc;
}

static void group_add(struct iob_fio_group_dir *g, const struct iob_fio_dir_report *d)
{
	if (d->runtime_ms == 0)
		return;
	double bw = 1000 * (double)d->d->bytes / (double)d->runtime_ms;
	bool first = g->max_ms == 0;

	g->bytes += d->d->bytes;
	if (first || bw < g->min_bw)
		g->min_bw = bw;
	if (first || bw > g->max_bw)
		g->max_bw = bw;
	if (first || d->runtime_ms < g->min_ms)
		g->min_ms = d->runtime_ms;
	if (d->runtime_ms > g->max_ms)
		g->max_ms = d->runtime_ms;
	g->agg_bw = 1000 * (double)g->bytes / (double)g->max_ms;
}

static int build_groups(struct iob_fio_report *r, struct iob_error *err)
{
	r->group = calloc(r->nentries + 1, sizeof(*r->group));
	if (!r->group)
		return iob_fail(err, -ENOMEM, "making the report: %m");
	for (size_t i = 0; i < r->nentries; i++) {
		const struct iob_fio_entry *e = &r->entry[i];
		struct iob_fio_group *g = &r->group[r->ngroups ? r->ngroups - 1 : 0];

		if (r->ngroups == 0 || g->groupid != e->groupid) {
			g = &r->group[r->ngroups++];
			g->groupid = e->groupid;
			g->kb_base = e->kb_base;
			g->unit_base = e->unit_base;
			g->unified = e->unified;
			g->significant_figures = e->significant_figures;
		}
		for (int d = 0; d < IOB_NDIR; d++)
			group_add(&g->dir[d], &e->dir[d]);
		if (e->unified)
			group_add(&g->mixed, &e->mixed);
	}
	return 0;
}

int iob_fio_build(
	struct iob_fio_report *r, struct iob_fleet *f, bool interim, struct iob_error *err)
{
	*r = (struct iob_fio_report){
		.timestamp_ms = iob_wall_ms(),
		.nglobals = f->jobs->nglobals,
		.global = f->jobs->global,
		.interim = interim,
		.seed = f->base_seed,
	};
	int rc = build_entries(r, f, err);
	if (rc == 0)
		rc = build_groups(r, err);
	if (rc == 0)
		rc = iob_fio_build_disks(r, f, err);
	if (rc < 0)
		iob_fio_report_free(r);
	return rc;
}
