/* SPDX-License-Identifier: MIT */
/* What a start would do, in words and as a command line; and what was measured here before. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "result/runs.h"
#include "ui/fmt.h"
#include "ui/setup.h"

static const char *profile_name(const struct iob_setup *s, const struct iob_app *app)
{
	return s->profile_at < s->nprofiles ? s->profile[s->profile_at].name : app->plan->profile;
}

static char *value(const struct iob_job *job, const char *name, char *buf, size_t n)
{
	return iob_param_get(job, iob_param_find(name), buf, n);
}

static void sentence(struct iob_app *app, struct iob_rect in)
{
	const struct iob_setup *s = app->setup;
	const struct iob_job *job = &app->plan->stage[s->stage];
	char bs[64], rw[32], time[32], mix[32] = "", stages[48] = "", size[32], load[80];
	bool mixed = job->rw == IOB_RW_RW || job->rw == IOB_RW_RANDRW;

	if (job->numjobs == 1)
		snprintf(load, sizeof(load), "1 job, qd %llu", (unsigned long long)job->iodepth);
	else
		snprintf(load, sizeof(load), "%llu jobs x qd %llu = %llu in flight",
			(unsigned long long)job->numjobs, (unsigned long long)job->iodepth,
			(unsigned long long)(job->numjobs * job->iodepth));
	value(job, "runtime", time, sizeof(time));
	value(job, "size", size, sizeof(size));
	if (mixed)
		snprintf(mix, sizeof(mix), " (%llu %% reads)", (unsigned long long)job->rwmixread);
	if (app->plan->nstages > 1)
		snprintf(stages, sizeof(stages), "stage %u of %u: ", s->stage + 1,
			app->plan->nstages);
	iob_canvas_printf(&app->canvas, in, 0, 1, IOB_ROLE_NORMAL, "%s%s; %s %s%s, %s, %s%s%s",
		stages, load, value(job, "bs", bs, sizeof(bs)), value(job, "rw", rw, sizeof(rw)),
		mix, job->direct ? "O_DIRECT" : "buffered",
		job->runtime_ns ? time : "no limit of time", size[0] ? ", size " : "", size);
}

static bool modifies(const struct iob_plan *plan)
{
	for (unsigned i = 0; i < plan->nstages; i++)
		if (iob_job_modifies(&plan->stage[i]))
			return true;
	return false;
}

static void consequences(struct iob_app *app, struct iob_rect in)
{
	const struct iob_blockdev *d = iob_setup_device(app->setup);
	bool writes = modifies(app->plan);
	enum iob_role role = IOB_ROLE_NORMAL;
	char text[400];

	if (writes && d && (d->use != IOB_USE_FREE || d->readonly)) {
		role = IOB_ROLE_ERROR;
		snprintf(text, sizeof(text), "WRITES, and will be refused: %s",
			d->use_text[0] ? d->use_text : "read-only");
	} else if (writes && d) {
		role = IOB_ROLE_WARN;
		snprintf(text, sizeof(text),
			"WRITES to %s (%s): its name has to be typed before the first one.",
			d->name, d->contents[0] ? d->contents : "contents unknown");
	} else if (d) {
		snprintf(text, sizeof(text), "Read-only: nothing on %s will be written.", d->name);
	} else if (app->setup->own_targets && app->setup->target) {
		snprintf(text, sizeof(text), "%s what the job file names%s",
			writes ? "WRITES to" : "Read-only: reads",
			writes ? "; what exists has to be typed first." : ".");
	} else if (app->setup->target && !app->setup->path[0]) {
		snprintf(text, sizeof(text), "No path yet: f asks for it, and so does the start.");
	} else if (app->setup->target) {
		snprintf(text, sizeof(text), "%s",
			writes ? "WRITES to this file: if it exists its name has to be typed first."
			       : "Read-only; a file that does not exist is made first.");
	} else {
		snprintf(text, sizeof(text),
			"A file of random data is made first, and removed afterwards.");
	}
	iob_canvas_text(&app->canvas, in, 1, 1, role, text);
}

static void same_as(struct iob_app *app, struct iob_rect in)
{
	struct iob_setup *s = app->setup;
	bool job = iob_setup_is_job(s);
	const char *target = iob_setup_target(s),
		   *profile = job ? s->jobfile : profile_name(s, app);
	char text[1000], a[IOB_PATH_MAX], b[IOB_PATH_MAX];
	size_t used = (size_t)snprintf(text, sizeof(text),
		"Same as: " PACKAGE_NAME " %.300s%s%s%.300s", target, target[0] ? " " : "",
		!profile[0] ? ""
		: job       ? "--jobfile="
			    : "--profile=",
		profile);

	for (size_t i = 0; i < s->nparams && used < sizeof(text); i++) {
		iob_param_get(&app->plan->stage[s->stage], s->param[i], a, sizeof(a));
		iob_param_get(&s->base->stage[s->stage], s->param[i], b, sizeof(b));
		if (strcmp(a, b) != 0)
			used += (size_t)snprintf(text + used, sizeof(text) - used, " --%s=%.100s",
				s->param[i]->name, a);
	}
	iob_canvas_text(&app->canvas, in, 2, 1, IOB_ROLE_LABEL, text);
}

/* No program can see a bad font; a human can in a second. */
static void font_test(struct iob_app *app, struct iob_rect in)
{
	bool ascii = app->canvas.glyphs == IOB_GLYPHS_ASCII;

	iob_canvas_printf(&app->canvas, in, 3, 1, IOB_ROLE_LABEL,
		"Can you read all three?   braille: %s   block: %s   ascii: _.:|   (o options)",
		ascii ? "(off)" : "\u28e0\u28f6\u28ff", ascii ? "(off)" : "\u2584\u2588\u2584");
}

void iob_setup_draw_info(struct iob_app *app)
{
	struct iob_rect r = app->setup->info, in = iob_rect_inside(r);

	if (r.rows < 3)
		in = r;
	if (r.rows < 1)
		return;
	if (iob_setup_is_job(app->setup) && !app->setup->jobfile[0]) {
		iob_canvas_text(&app->canvas, in, 0, 1, IOB_ROLE_NORMAL,
			"No job file yet: Enter asks for its path.");
		if (r.rows >= 3)
			iob_canvas_box(&app->canvas, r, "What will happen", NULL);
		return;
	}
	sentence(app, in);
	consequences(app, in);
	if (r.rows < 3)
		return;
	same_as(app, in);
	font_test(app, in);
	iob_canvas_box(&app->canvas, r, "What will happen", NULL);
}

static void describe_run(const struct iob_runs_entry *e, char *buf, size_t n)
{
	struct iob_result r = {.elapsed_ms = 0};
	struct iob_error err = {.code = 0};
	char iops[24], mib[24], p99[24], bs[120];

	snprintf(buf, n, "%s  (cannot be read)", e->when);
	if (iob_result_read(&r, e->path, &err) < 0)
		return;
	const struct iob_result_segment *s = iob_result_headline(&r);
	if (s)
		snprintf(buf, n, "%s  %.20s  bs %s qd %llu  %s IOPS  %s MiB/s  p99 %s", e->when,
			r.plan->profile[0] ? r.plan->profile : "-",
			iob_live_bs(bs, sizeof(bs), &s->params.live),
			(unsigned long long)s->params.live.iodepth,
			iob_format_count(iops, sizeof(iops), s->figures.all.iops),
			iob_fmt_mib(mib, sizeof(mib), s->figures.all.bw),
			iob_format_latency(
				p99, sizeof(p99), s->figures.all.lat.percentile_ns[IOB_P99]));
	iob_result_free(&r);
}

void iob_setup_load_runs(struct iob_app *app)
{
	struct iob_setup *s = app->setup;
	struct iob_target_info t = {.kind = IOB_TARGET_FILE};
	struct iob_runs_entry *list = NULL;
	struct iob_error err = {.code = 0};
	const char *target = iob_setup_target(s);
	char name[64];

	s->runs_due_ns = 0;
	s->nruns = 0;
	if (!target[0])
		t.kind = IOB_TARGET_SCRATCH;
	snprintf(t.path, sizeof(t.path), "%s", target);
	int most = s->runs.rows > 2 ? s->runs.rows - 2 : s->runs.rows;
	most = most > IOB_SETUP_RUNS ? IOB_SETUP_RUNS : most;
	int n = iob_runs_list(&list, iob_runs_target(name, sizeof(name), &t),
		(size_t)(most > 0 ? most : 0), &err);
	for (int i = 0; i < n; i++)
		describe_run(&list[i], s->run_text[s->nruns++], sizeof(s->run_text[0]));
	free(list);
}

void iob_setup_draw_runs(struct iob_app *app)
{
	struct iob_setup *s = app->setup;
	struct iob_rect r = s->runs, in = iob_rect_inside(r);

	if (r.rows == 1 && s->nruns)
		iob_canvas_printf(&app->canvas, r, 0, 1, IOB_ROLE_LABEL,
			"Last run here: %s  (F4 compares)", s->run_text[0]);
	if (r.rows < 3)
		return;
	for (unsigned i = 0; i < s->nruns; i++)
		iob_canvas_text(&app->canvas, in, (int)i, 1, IOB_ROLE_NORMAL, s->run_text[i]);
	if (s->nruns == 0 && s->runs_due_ns == 0)
		iob_canvas_text(&app->canvas, in, 0, 1, IOB_ROLE_LABEL, "none yet");
	iob_canvas_box(&app->canvas, r, "Earlier runs on this target", "F4 compare");
}
