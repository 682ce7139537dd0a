/* SPDX-License-Identifier: MIT */
/* Runs that follow from the one before: the same again, with its changes, or with the first write.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "target/blockdev.h"
#include "ui/app.h"

#define CONSENT_NS (30 * IOB_NS_PER_S)

/* The next run starts with what is in force in this one. */
static void keep_parameters(struct iob_app *app)
{
	const struct iob_snapshot *s = &app->model.snap;

	if (s->view.nsegments && s->stage < app->plan->nstages)
		iob_live_to_job(&s->live, &app->plan->stage[s->stage]);
}

static void go_again(struct iob_app *app)
{
	if (!iob_model_is_running(&app->model)) {
		iob_app_start(app);
		return;
	}
	app->again = true;
	iob_app_stop(app);
}

static void again_answered(struct iob_app *app, int choice, const char *text)
{
	(void)text;
	if (choice != 1)
		return;
	keep_parameters(app);
	go_again(app);
}

void iob_app_restart(struct iob_app *app)
{
	static const char *const choices[] = {
		"1 go on", "2 stop, and start again with the present parameters", NULL};

	if (!iob_model_is_running(&app->model)) {
		iob_app_start(app);
		return;
	}
	iob_app_ask(app, &(struct iob_dialog_spec){
				 .title = "Start again?",
				 .text = "The figures so far are kept as those of a run that was "
					 "stopped.",
				 .choices = choices,
				 .question = true,
				 .hint = "Enter takes it   Esc: go on",
				 .done = again_answered,
			 });
}

void iob_app_replay(struct iob_app *app)
{
	IOB_FREE struct iob_replay *replay = calloc(1, sizeof(*replay));

	if (app->plan->nstages > 1) {
		iob_app_say(
			app, IOB_TOAST_WARN, "the changes of a run of one stage can be replayed");
	} else if (!replay || !iob_replay_record(replay, &app->model.changes)) {
		iob_app_say(app, IOB_TOAST_WARN, "no parameter was turned in this run");
	} else {
		iob_app_start(app);
		app->replay = *replay;
	}
}

void iob_app_tick_replay(struct iob_app *app)
{
	struct iob_model *m = &app->model;

	if (!iob_model_is_running(m) || m->tuning.state != IOB_TUNING_IDLE ||
		m->snap.tune_pending || m->snap.view.nsegments == 0)
		return;
	const struct iob_live *live = iob_replay_due(&app->replay, iob_model_time_ms(m));
	if (live)
		iob_tuning_go(&m->tuning, &m->snap, live, IOB_TUNE_EDIT, app->now_ns);
}

/* Reads that shall become a mix, or whatever else was asked for. */
static void take_wanted(struct iob_app *app)
{
	const struct iob_live *wanted = &app->model.tuning.wanted;
	struct iob_job *job = &app->plan->stage[app->model.snap.stage];

	keep_parameters(app);
	iob_live_to_job(wanted, job);
	if (!iob_job_modifies(job))
		job->rw = iob_rw_mixed(job->rw);
}

static void first_write_answered(struct iob_app *app, int choice, const char *text)
{
	struct iob_error err = {.code = 0};
	const char *target = iob_app_target(app->plan);

	(void)text;
	/* Of the two answers the second, or the name. */
	if (choice < (target[0] ? 0 : 1)) {
		iob_app_say(app, IOB_TOAST_OK, "nothing is written; the run goes on reading");
		return;
	}
	if (target[0] && iob_app_agree(app, &err) < 0) {
		iob_app_say(app, IOB_TOAST_ERROR, err.text);
		return;
	}
	take_wanted(app);
	go_again(app);
}

/* What the question is about: its identity, and in words what is on it. */
static void look_at_target(struct iob_app *app, char *words, size_t n)
{
	const struct iob_target_info *t = &app->model.snap.target;
	unsigned major = t->partition[0] ? t->partition_major : t->major;
	unsigned minor = t->partition[0] ? t->partition_minor : t->minor;
	struct iob_blockdev dev;

	words[0] = '\0';
	app->asked = (struct iob_identity){.device = 0};
	if (t->kind != IOB_TARGET_BLOCKDEV || !t->has_disk ||
		iob_blockdev_get(&dev, "", major, minor, IOB_PROBE_CONTENTS, NULL) < 0)
		return;
	app->asked = (struct iob_identity){makedev(major, minor), 0, dev.diskseq};
	if (dev.has_signature)
		snprintf(words, n, " (it holds %s)", dev.contents);
}

/*
 * The target is open for reading only, so that nothing in the load process can write to it.  This
 * stays so: the run ends and is kept, and another one starts, with the guard's questions before it.
 */
void iob_app_first_write(struct iob_app *app)
{
	static const char *const choices[] = {
		"1 go on reading", "2 stop, and start again with writes", NULL};
	const char *target = iob_app_target(app->plan);
	const char *name = iob_app_last_part(target);
	char text[800], words[160];

	look_at_target(app, words, sizeof(words));
	snprintf(text, sizeof(text),
		"This run only reads, and has %.200s%s open for reading.  With this change it WRITES: "
		"the run is stopped and kept, and another one starts.%s%.200s%s",
		target[0] ? target : "its scratch file", words,
		target[0] ? "  What is there will be OVERWRITTEN and cannot be brought back.  Type "
			  : "",
		target[0] ? name : "", target[0] ? " to go on:" : "");
	iob_app_ask(app,
		&(struct iob_dialog_spec){
			.title = "FIRST WRITE",
			.text = text,
			.choices = target[0] ? NULL : choices,
			.question = true,
			.initial = "",
			.must_equal = target[0] ? name : NULL,
			.hint = target[0] ? "Enter writes once the name is complete   Esc cancels"
					  : "Enter takes it   Esc: go on reading",
			.timeout_ns = CONSENT_NS,
			.done = first_write_answered,
		});
	/* Why it was refused is what the question says. */
	if (app->dialog)
		app->model.toast.level = IOB_TOAST_NONE;
}
