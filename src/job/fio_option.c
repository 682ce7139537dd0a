/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/fio_option.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nearest.h"
#include "job/fio_foreign.h"
#include "job/fio_value.h"
#include "job/param.h"

#define MOST_COUNTED  65536
#define SAID_FILENAME (1U << 31) /* in what fio_value has said */

static const struct {
	size_t field;
	const char *value;
} defaults[] = {
	{offsetof(struct iob_job, ioengine), "psync"},
	{offsetof(struct iob_job, rw), "read"},
	{offsetof(struct iob_job, direct), "0"},
	{offsetof(struct iob_job, iodepth), "1"},
	{offsetof(struct iob_job, randrepeat), "1"},
	{offsetof(struct iob_job, runtime_ns), "0"},
	{offsetof(struct iob_job, time_based), "0"},
	{offsetof(struct iob_job, fixedbufs), "0"},
	{offsetof(struct iob_job, registerfiles), "0"},
	{offsetof(struct iob_job, scramble_buffers), "1"},
};

void iob_fio_defaults(struct iob_job *job)
{
	iob_job_defaults(job);
	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		iob_param_set(job, iob_param_of(defaults[i].field), defaults[i].value, NULL);
	job->files.fio = true;
	memset(job->given, 0, sizeof(job->given));
}

static const char *shown(const struct iob_option *o)
{
	return o->value ? o->value : "";
}

static const char *equals(const struct iob_option *o)
{
	return o->value ? "=" : "";
}

static void note(struct iob_fio_draft *d, const struct iob_option *o, const char *words)
{
	struct iob_fio_jobs *jobs = d->jobs;

	iob_messages_add(&jobs->note, &jobs->nnotes, &o->place, "%.64s%s%.60s: accepted: %s",
		o->key, equals(o), shown(o), words);
}

static int apply_foreign(struct iob_fio_draft *d, const struct iob_option *o,
	const struct iob_fio_foreign *f, struct iob_error *err)
{
	if (f->kind == IOB_FOREIGN_NOTE) {
		note(d, o, f->words);
		return 0;
	}
	if (iob_fio_foreign_is_off(f, o->value)) {
		note(d, o, "it is off");
		return 0;
	}
	if (f->kind == IOB_FOREIGN_COMMAND && !d->rules->allow_exec)
		return iob_fail_place(
			err, &o->place, "%.64s=%.100s: %s", o->key, shown(o), f->words);
	if (f->kind == IOB_FOREIGN_COMMAND) {
		*d->needs_exec = true;
		return 0;
	}
	return iob_fail_place(err, &o->place, "%.64s%s%.60s: %s: %s", o->key, equals(o), shown(o),
		f->kind == IOB_FOREIGN_NOT_YET ? "not supported yet" : "not supported", f->words);
}

static int fail_unknown(const struct iob_option *o, struct iob_error *err)
{
	struct iob_nearest nearest = {.typed = o->key};

	for (size_t i = 0; i < iob_param_count(); i++)
		iob_nearest_offer(&nearest, iob_param_at(i)->name);
	for (const struct iob_fio_foreign *f = iob_fio_foreign; f->name; f++)
		iob_nearest_offer(&nearest, f->name);
	if (nearest.best)
		return iob_fail_place(err, &o->place, "%.64s: no such option; did you mean %s?",
			o->key, nearest.best);
	return iob_fail_place(err, &o->place,
		"%.64s: no such option; \"iotop-bench fio --cmdhelp=all\" lists them", o->key);
}

/* The table's own words, with the place in front. */
static int set(struct iob_fio_draft *d, const struct iob_option *o, const struct iob_param *p,
	const char *value, struct iob_error *err)
{
	char where[IOB_PLACE_MAX];
	int rc = iob_param_set(d->job, p, value, err);

	if (rc < 0)
		iob_error_prefix(err, "%s: ", iob_place_format(where, sizeof(where), &o->place));
	return rc;
}

int iob_fio_check_engine(const struct iob_option *o, struct iob_error *err)
{
	const struct iob_param *p = iob_param_find(o->key);
	bool is_engine = p && p->offset == offsetof(struct iob_job, ioengine);
	const char *words = is_engine && o->value ? iob_fio_foreign_engine(o->value) : NULL;

	if (!words)
		return 0;
	return iob_fail_place(err, &o->place, "%s=%.64s: no engine of this program: %s", p->name,
		o->value, words);
}

static int set_engine(struct iob_fio_draft *d, const struct iob_option *o,
	const struct iob_param *p, struct iob_error *err)
{
	const char *alias = o->value ? iob_fio_engine_alias(o->value) : NULL;
	int rc = iob_fio_check_engine(o, err);

	return rc < 0 ? rc : set(d, o, p, alias ? alias : o->value, err);
}

/* More than there may be of a row whose limit is that of one run: what runs is made of the jobs
 * later, and that is when there are too many of them. */
static bool set_beyond(struct iob_fio_draft *d, const struct iob_param *p, const char *value)
{
	bool counts = p->offset == offsetof(struct iob_job, numjobs) ||
		      p->offset == offsetof(struct iob_job, nrfiles);
	char *end;
	unsigned long long number = strtoull(value, &end, 10);
	char most[24];

	if (!counts || *end != '\0' || number <= p->max || number > MOST_COUNTED)
		return false;
	snprintf(most, sizeof(most), "%llu", (unsigned long long)p->max);
	iob_param_set(d->job, p, most, NULL);
	*(uint64_t *)((char *)d->job + p->offset) = number;
	return true;
}

/* 0 of an amount means all there is: not given. */
static bool means_nothing(const struct iob_param *p, const char *value)
{
	return p->type == IOB_P_AMOUNT && p->initial[0] == '\0' && strcmp(value, "0") == 0;
}

static int set_value(struct iob_fio_draft *d, const struct iob_option *o, const struct iob_param *p,
	struct iob_error *err)
{
	struct iob_fio_value_context context = {
		.kb_base = d->job->ctl.kb_base,
		.place = &o->place,
		.warning = &d->jobs->warning,
		.nwarnings = &d->jobs->nwarnings,
		.said = &d->said,
	};
	IOB_FREE char *value = NULL;

	if (!o->value)
		return set(d, o, p, NULL, err);
	int rc = iob_fio_value(&context, p, o->value, &value, err);
	if (rc < 0)
		return rc;
	if (set_beyond(d, p, value))
		return 0;
	if (!means_nothing(p, value))
		return set(d, o, p, value, err);
	if (p->offset == offsetof(struct iob_job, size))
		iob_messages_add(&d->jobs->warning, &d->jobs->nwarnings, &o->place,
			"size=0: all of the file or device, as in fio");
	return set(d, o, p, "", err);
}

static int set_name(struct iob_fio_draft *d, const struct iob_option *o, struct iob_error *err)
{
	if (!o->value || o->value[0] == '\0')
		return iob_fail_place(err, &o->place, "name: needs a value, such as name=job");
	if (strlen(o->value) > 255)
		return iob_fail_place(err, &o->place, "name=%.40s...: at most 255 bytes", o->value);
	snprintf(d->jobname, 256, "%s", o->value);
	return 0;
}

/* CPUs as the bits of a number: the older way to write cpus_allowed. */
static int set_cpumask(struct iob_fio_draft *d, const struct iob_option *o, struct iob_error *err)
{
	char list[sizeof(d->job->cpus_allowed)] = "", *end;
	size_t used = 0;

	errno = 0;
	unsigned long long mask = o->value ? strtoull(o->value, &end, 0) : 0;
	if (mask == 0 || errno != 0 || *end != '\0' || mask >> 32 != 0)
		return iob_fail_place(err, &o->place,
			"cpumask=%.40s: not a mask of CPUs; write cpus_allowed=0-3,8", shown(o));
	for (unsigned i = 0; i < 32; i++) {
		if (mask >> i & 1)
			used += (size_t)snprintf(
				list + used, sizeof(list) - used, "%s%u", used > 0 ? "," : "", i);
	}
	return set(d, o, IOB_PARAM_OF(cpus_allowed), list, err);
}

/* fio adds to the files that were named before, by [global] or by the same section. */
static int add_filename(struct iob_fio_draft *d, const struct iob_option *o,
	const struct iob_param *p, struct iob_error *err)
{
	IOB_FREE char *all = NULL;

	if (!o->value || o->value[0] == '\0' || d->job->filename[0] == '\0')
		return set_value(d, o, p, err);
	if (asprintf(&all, "%s:%s", d->job->filename, o->value) < 0)
		return iob_fail(err, -ENOMEM, "filename: %m");
	if (!(d->said & SAID_FILENAME))
		iob_messages_add(&d->jobs->warning, &d->jobs->nwarnings, &o->place,
			"filename=%.60s: one more beside those named before (%.60s), as in fio",
			o->value, d->job->filename);
	d->said |= SAID_FILENAME;
	struct iob_option joined = {.key = o->key, .value = all, .place = o->place};
	return set_value(d, &joined, p, err);
}

static int apply(struct iob_fio_draft *d, const struct iob_option *o, struct iob_error *err)
{
	const struct iob_param *p = iob_param_find(o->key);
	const struct iob_fio_foreign *f = p ? NULL : iob_fio_foreign_find(o->key);

	if (f && f->kind == IOB_FOREIGN_CPUMASK)
		return set_cpumask(d, o, err);
	if (f)
		return apply_foreign(d, o, f, err);
	if (!p)
		return fail_unknown(o, err);
	if (p->offset == offsetof(struct iob_job, name))
		return set_name(d, o, err);
	if (p->offset == offsetof(struct iob_job, ioengine))
		return set_engine(d, o, p, err);
	if (p->offset == offsetof(struct iob_job, filename))
		return add_filename(d, o, p, err);
	if ((p->flags & IOB_PF_NO_EFFECT) && !(p->flags & IOB_PF_FIO))
		note(d, o, p->help);
	return set_value(d, o, p, err);
}

/* In a job file.  On the command line a kb_base holds for what follows it, as in fio. */
static bool comes_first(const struct iob_option *o)
{
	bool in_file = o->place.line != 0;

	return (in_file && strcmp(o->key, IOB_PARAM_NAME(ctl.kb_base)) == 0) ||
	       strcmp(o->key, IOB_PARAM_NAME(ctl.unit_base)) == 0 ||
	       strcmp(o->key, IOB_PARAM_NAME(ioengine)) == 0;
}

int iob_fio_options_apply(
	struct iob_fio_draft *d, const struct iob_option *o, size_t n, struct iob_error *err)
{
	for (int first = 1; first >= 0; first--) {
		for (size_t i = 0; i < n; i++) {
			if (comes_first(&o[i]) != (first == 1))
				continue;
			int rc = apply(d, &o[i], err);
			if (rc < 0)
				return rc;
		}
	}
	return 0;
}
