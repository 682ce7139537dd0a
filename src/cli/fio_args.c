/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_args.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fio_own_options.h"
#include "job/fio_foreign.h"
#include "job/fio_option.h"
#include "job/param.h"

struct reader {
	struct iob_fio_args *args;
	int argc, next;
	char **argv;
	bool files_only;        /* after "--" */
	struct iob_place place; /* of the argument at hand */
	struct iob_error *err;
	unsigned nfiles;
	int *file; /* indices of the job files: they are read when the line is through */
};

/* A name that is known, in full or as the only one that begins so. */
struct match {
	const char *typed;
	size_t n;
	const char *name; /* the only one, or the exact one */
	const char *other;
	bool exact;
};

static void offer(struct match *m, const char *name)
{
	if (m->exact)
		return;
	for (size_t i = 0; i < m->n; i++) {
		char a = m->typed[i] == '-' ? '_' : m->typed[i];
		char b = name[i] == '-' ? '_' : name[i];

		if (a != b)
			return;
	}
	m->exact = name[m->n] == '\0';
	if (m->exact || !m->name)
		m->name = name;
	else if (strcmp(m->name, name) != 0)
		m->other = name;
}

static void offer_aliases(struct match *m, const struct iob_param *p)
{
	const char *alias = p->aliases;
	size_t n;

	for (; alias && *alias != '\0'; alias += n + (alias[n] == ',')) {
		n = strcspn(alias, ",");
		/* Only in full: an alias must not make a beginning ambiguous. */
		if (n == m->n && strncmp(alias, m->typed, n) == 0)
			offer(m, p->name), m->name = p->name, m->exact = true;
	}
}

static void find_name(struct match *m)
{
	for (const struct iob_fio_own_option *o = iob_fio_own_options; o->name; o++)
		offer(m, o->name);
	for (size_t i = 0; i < iob_param_count(); i++) {
		offer(m, iob_param_at(i)->name);
		offer_aliases(m, iob_param_at(i));
	}
	for (const struct iob_fio_foreign *f = iob_fio_foreign; f->name; f++)
		offer(m, f->name);
	offer(m, "cpumask");
}

/* What belongs to a job: the section of the last --name, or a global one before any. */
static struct iob_section *current(struct reader *r)
{
	struct iob_jobfile *jf = &r->args->jobs;

	if (jf->nsections == 0) {
		struct iob_section *s =
			iob_jobfile_add_section(jf, "global", strlen("global"), &r->place, r->err);
		if (s)
			s->global = true;
		return s;
	}
	return &jf->section[jf->nsections - 1];
}

static int take_name(struct reader *r, const char *value)
{
	if (!value || *value == '\0')
		return iob_fail_place(r->err, &r->place, "--name: needs a value; write --name=JOB");
	if (strlen(value) > 255)
		return iob_fail_place(r->err, &r->place, "--name: at most 255 bytes");
	struct iob_section *s =
		iob_jobfile_add_section(&r->args->jobs, value, strlen(value), &r->place, r->err);
	if (!s)
		return r->err->code;
	/* As in a job file: what follows is for all jobs that come. */
	s->global = strncmp(value, "global", strlen("global")) == 0;
	return s->global ? iob_section_add(s, "name", strlen("name"), value, &r->place, r->err) : 0;
}

/* Is the next word the value of an option that came without "="? */
static const char *next_word(struct reader *r)
{
	const char *word = r->next < r->argc ? r->argv[r->next] : NULL;

	if (!word || (word[0] == '-' && word[1] != '\0' && (word[1] < '0' || word[1] > '9')))
		return NULL;
	r->next++;
	return word;
}

static int take_parameter(struct reader *r, const char *name, const char *value)
{
	const struct iob_param *p = iob_param_find(name);
	bool bare = p && (p->type == IOB_P_BOOL || (p->flags & IOB_PF_BARE));
	const struct iob_fio_foreign *f = p ? NULL : iob_fio_foreign_find(name);

	if (!value && bare) {
		const char *next = r->next < r->argc ? r->argv[r->next] : "";

		if (p->type == IOB_P_BOOL && (strcmp(next, "0") == 0 || strcmp(next, "1") == 0))
			value = next, r->next++;
	} else if (!value && !f) {
		value = next_word(r);
		if (!value)
			return iob_fail_place(r->err, &r->place,
				"--%s: needs a value; write --%s=VALUE", name, name);
	} else if (!value && !f->is_switch) {
		value = next_word(r);
	}
	struct iob_section *s = current(r);
	return s ? iob_section_add(s, name, strlen(name), value, &r->place, r->err) : -ENOMEM;
}

static int take_own(struct reader *r, const struct iob_fio_own_option *o, const char *value)
{
	char where[IOB_PLACE_MAX];

	if (o->value == IOB_FIO_VALUE_NONE && value)
		return iob_fail_place(r->err, &r->place, "--%s=%.64s: takes no value; write --%s",
			o->name, value, o->name);
	if (o->value == IOB_FIO_VALUE_NEEDED && !value)
		value = next_word(r);
	if (o->value == IOB_FIO_VALUE_NEEDED && (!value || *value == '\0'))
		return iob_fail_place(r->err, &r->place, "--%s: needs a value; write --%s=VALUE",
			o->name, o->name);
	int rc = o->apply(r->args, o, value, r->err);
	if (rc < 0)
		iob_error_prefix(r->err, "%s: ", iob_place_format(where, sizeof(where), &r->place));
	return rc;
}

/* What belongs to one of fio's engines that are not here is unknown because of the engine. */
static int check_engines(struct reader *r)
{
	const struct iob_jobfile *jf = &r->args->jobs;
	int rc = 0;

	for (size_t i = 0; i < jf->nsections && rc == 0; i++) {
		const struct iob_section *s = &jf->section[i];

		for (size_t k = 0; k < s->noptions && rc == 0; k++)
			rc = iob_fio_check_engine(&s->option[k], r->err);
	}
	return rc;
}

static int fail_unknown(struct reader *r, const char *typed, size_t n)
{
	char name[65];
	int rc = check_engines(r);

	if (rc < 0)
		return rc;
	snprintf(name, sizeof(name), "%.*s", (int)n, typed);
	const char *near = iob_fio_own_option_suggest(name);
	return near ? iob_fail_place(r->err, &r->place, "--%s: no such option; did you mean --%s?",
			      name, near)
		    : iob_fail_place(r->err, &r->place,
			      "--%s: no such option; --help and --cmdhelp=all list them", name);
}

/* text: without the dashes. */
static int take_option(struct reader *r, const char *text)
{
	struct match m = {.typed = text, .n = strcspn(text, "=")};
	const char *value = text[m.n] == '=' ? text + m.n + 1 : NULL;

	const struct iob_fio_own_option *own =
		text[0] != '\0' && text[1] == '\0' ? iob_fio_own_option_by_letter(text[0]) : NULL;

	if (own)
		return take_own(r, own, NULL);
	if (m.n > 0)
		find_name(&m);
	if (!m.name && m.n > 0)
		return fail_unknown(r, text, m.n);
	if (!m.name)
		return iob_fail_place(r->err, &r->place, "-%.60s: no such option", text);
	if (!m.exact && m.other)
		return iob_fail_place(r->err, &r->place,
			"--%.*s: it could be --%s or --%s; write the name in full", (int)m.n, text,
			m.name, m.other);
	own = iob_fio_own_option_find(m.name);
	if (own)
		return take_own(r, own, value);
	if (strcmp(m.name, "name") == 0)
		return take_name(r, value ? value : next_word(r));
	return take_parameter(r, m.name, value);
}

static int take_word(struct reader *r)
{
	const char *text = r->argv[r->next];

	r->place = (struct iob_place){.column = (unsigned)r->next};
	r->next++;
	if (!r->files_only && strcmp(text, "--") == 0) {
		r->files_only = true;
		return 0;
	}
	if (!r->files_only && text[0] == '-' && text[1] != '\0')
		return take_option(r, text + 1 + (text[1] == '-'));
	r->file[r->nfiles++] = r->next - 1;
	return 0;
}

static int read_files(struct reader *r)
{
	for (unsigned i = 0; i < r->nfiles; i++) {
		const char *path = r->argv[r->file[i]];
		const char *sign = strchr(path, '=');
		int rc = iob_jobfile_read(&r->args->jobs, path, r->err);

		if (rc < 0 && sign && strchr(path, '/') == NULL)
			return iob_fail_usage(r->err,
				"argument %d: %.100s is no job file; did you mean --%.100s?",
				r->file[i], path, path);
		if (rc < 0)
			return rc;
	}
	return 0;
}

bool iob_fio_args_inform(const struct iob_fio_args *a)
{
	return a->help || a->version || a->cmdhelp || a->enghelp || a->crctest || a->debughelp ||
	       a->cpuclock_test || a->idle_prof == IOB_FIO_IDLE_CALIBRATE;
}

int iob_fio_args_parse(struct iob_fio_args *args, int argc, char **argv, struct iob_error *err)
{
	struct reader r = {.args = args, .argc = argc, .next = 1, .argv = argv, .err = err};
	int rc = 0;

	*args = (struct iob_fio_args){
		.terse_version = 3, .formats = IOB_FIO_NORMAL, .eta_interval_ns = 1000000000};
	r.file = calloc((size_t)argc + 1, sizeof(*r.file));
	if (!r.file)
		return iob_fail(err, -ENOMEM, "the command line: %m");
	/* As in fio, what stands behind a question does not matter. */
	while (rc == 0 && r.next < argc && !iob_fio_args_inform(args))
		rc = take_word(&r);
	if (rc == 0 && !iob_fio_args_inform(args))
		rc = read_files(&r);
	free(r.file);
	return rc;
}

void iob_fio_args_free(struct iob_fio_args *args)
{
	iob_jobfile_free(&args->jobs);
	free(args->consent);
	iob_messages_free(args->note, args->nnotes);
	*args = (struct iob_fio_args){0};
}
