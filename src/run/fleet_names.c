/* SPDX-License-Identifier: MIT */
/*
 * Where the files of a clone are, by fio's rules: `filename` is the same for all clones and lies
 * in the first of the directories; without it the names are made of a format, and the clones are
 * dealt out over the directories.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "run/fleet.h"

#define DEFAULT_FORMAT "$jobname.$jobnum.$filenum"

struct text {
	char *at;
	size_t left;
	bool full;
};

static void put(struct text *t, const char *s, size_t n)
{
	if (n >= t->left) {
		t->full = true;
		return;
	}
	memcpy(t->at, s, n);
	t->at += n;
	t->left -= n;
	*t->at = '\0';
}

/* Length of the first name of a list: up to a ':' that no '\' stands before. */
static size_t first_length(const char *list)
{
	size_t n = 0;

	while (list[n] && list[n] != ':')
		n += list[n] == '\\' && list[n + 1] ? 2 : 1;
	return n;
}

static unsigned list_count(const char *list)
{
	unsigned n = 0;

	while (*list) {
		size_t length = first_length(list);

		n += length > 0;
		list += length + (list[length] == ':');
	}
	return n;
}

static const char *list_item(const char *list, unsigned index, size_t *length)
{
	for (;;) {
		*length = first_length(list);
		if (*length > 0 && index-- == 0)
			return list;
		list += *length + (list[*length] == ':');
	}
}

static void put_directory(struct text *t, const char *directories, unsigned clone)
{
	unsigned n = list_count(directories);
	size_t length;

	if (n == 0)
		return;
	const char *item = list_item(directories, clone % n, &length);
	put(t, item, length);
	if (item[length - 1] != '/')
		put(t, "/", 1);
}

/* A ':' or '\' in a name that is made stands for itself. */
static void put_escaped(struct text *t, const char *s)
{
	for (; *s; s++) {
		if (*s == ':' || *s == '\\')
			put(t, "\\", 1);
		put(t, s, 1);
	}
}

static void put_number(struct text *t, uint64_t n)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n);

	put(t, digits, (size_t)length);
}

static bool takes_word(const char **format, const char *word)
{
	size_t n = strlen(word);

	if (strncasecmp(*format, word, n) != 0)
		return false;
	*format += n;
	return true;
}

static void put_format(struct text *t, const struct iob_fleet_clone *c, uint64_t file)
{
	const char *f = c->settings.ctl.filename_format;

	if (f[0] == '\0')
		f = DEFAULT_FORMAT;
	while (*f) {
		char one[2] = {*f, '\0'};

		if (takes_word(&f, "$jobname")) {
			put_escaped(t, c->source->section);
		} else if (takes_word(&f, "$jobnum")) {
			put_number(t, c->number);
		} else if (takes_word(&f, "$filenum")) {
			put_number(t, file);
		} else if (takes_word(&f, "$clientuid")) {
			continue;
		} else {
			put_escaped(t, one);
			f++;
		}
	}
}

static void make_names(struct text *t, const struct iob_fleet_clone *c)
{
	uint64_t n = c->settings.nrfiles ? c->settings.nrfiles : 1;

	for (uint64_t i = 0; i < n && !t->full; i++) {
		if (i > 0)
			put(t, ":", 1);
		put_directory(t, c->settings.directory, c->number);
		put_format(t, c, i);
	}
}

static void take_names(struct text *t, const struct iob_fleet_clone *c)
{
	const char *list = c->settings.filename;
	unsigned n = list_count(list);

	for (unsigned i = 0; i < n && !t->full; i++) {
		size_t length;
		const char *item = list_item(list, i, &length);

		if (i > 0)
			put(t, ":", 1);
		put_directory(t, c->settings.directory, 0);
		put(t, item, length);
	}
}

/* [/dev/sdb]: the section's name is that of a device. */
static bool is_device(const struct iob_fleet_clone *c)
{
	return strncmp(c->source->section, "/dev/", 5) == 0 && c->settings.nrfiles <= 1;
}

int iob_fleet_name(struct iob_fleet_clone *c, struct iob_error *err)
{
	char names[sizeof(c->settings.filename)] = "";
	struct text t = {.at = names, .left = sizeof(names)};

	if (iob_job_needs_no_target(&c->settings))
		return 0;
	if (c->settings.filename[0])
		take_names(&t, c);
	else if (is_device(c))
		put_escaped(&t, c->source->section);
	else
		make_names(&t, c);
	if (t.full)
		return iob_fail_usage(err,
			"the names of its files take more than %zu bytes together; use fewer files or "
			"shorter names",
			sizeof(names) - 1);
	memcpy(c->settings.filename, names, sizeof(names));
	c->settings.files.fio = true;
	c->settings.directory[0] = '\0';
	return 0;
}

unsigned iob_fleet_count_files(const struct iob_fleet_clone *c)
{
	unsigned n = list_count(c->settings.filename);

	/* An engine without files counts as one. */
	return n ? n : 1;
}
