/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/jobfile.h"

#define FIRST_ROOM 8

/* Room for one more; an array that holds n grows when n is a power of two. */
static void *grow(void *array, size_t n, size_t size)
{
	if (n != 0 && (n < FIRST_ROOM || (n & (n - 1)) != 0))
		return array;
	return reallocarray(array, n < FIRST_ROOM ? FIRST_ROOM : 2 * n, size);
}

static int fail_memory(struct iob_error *err)
{
	return iob_fail(err, -ENOMEM, "reading jobs: %m");
}

const char *iob_jobfile_add_file(struct iob_jobfile *jf, const char *name, struct iob_error *err)
{
	char **files = grow(jf->file, jf->nfiles, sizeof(*files));

	if (files)
		jf->file = files;
	char *copy = files ? strdup(name) : NULL;
	if (!copy) {
		fail_memory(err);
		return NULL;
	}
	jf->file[jf->nfiles++] = copy;
	return copy;
}

struct iob_section *iob_jobfile_add_section(struct iob_jobfile *jf, const char *name, size_t n,
	const struct iob_place *place, struct iob_error *err)
{
	for (size_t i = 0; i < n; i++) {
		if ((unsigned char)name[i] < ' ' || name[i] == 0x7f) {
			iob_fail_place(err, place, "the name of the job holds a control character");
			return NULL;
		}
	}
	struct iob_section *sections = grow(jf->section, jf->nsections, sizeof(*sections));

	if (sections)
		jf->section = sections;
	char *copy = sections ? strndup(name, n) : NULL;
	if (!copy) {
		fail_memory(err);
		return NULL;
	}
	struct iob_section *s = &jf->section[jf->nsections++];
	*s = (struct iob_section){.name = copy, .place = *place};
	return s;
}

/* Takes over key and value, also when it fails. */
static int append(struct iob_option **options, size_t *n, char *key, char *value,
	const struct iob_place *place, struct iob_error *err)
{
	struct iob_option *grown = key ? grow(*options, *n, sizeof(**options)) : NULL;

	if (!grown) {
		free(key);
		free(value);
		return fail_memory(err);
	}
	*options = grown;
	grown[(*n)++] = (struct iob_option){.key = key, .value = value, .place = *place};
	return 0;
}

int iob_section_add(struct iob_section *s, const char *key, size_t n, const char *value,
	const struct iob_place *place, struct iob_error *err)
{
	char *copy = value ? strdup(value) : NULL;

	if (value && !copy)
		return fail_memory(err);
	return append(&s->option, &s->noptions, strndup(key, n), copy, place, err);
}

int iob_options_append(struct iob_option **options, size_t *n, const struct iob_option *from,
	struct iob_error *err)
{
	char *copy = from->value ? strdup(from->value) : NULL;

	if (from->value && !copy)
		return fail_memory(err);
	return append(options, n, strdup(from->key), copy, &from->place, err);
}

void iob_options_release(struct iob_option *options, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(options[i].key);
		free(options[i].value);
	}
	free(options);
}

void iob_jobfile_free(struct iob_jobfile *jf)
{
	for (size_t i = 0; i < jf->nsections; i++) {
		free(jf->section[i].name);
		iob_options_release(jf->section[i].option, jf->section[i].noptions);
	}
	free(jf->section);
	iob_messages_free(jf->file, jf->nfiles);
	iob_messages_free(jf->warning, jf->nwarnings);
	*jf = (struct iob_jobfile){0};
}

char *iob_place_format(char *buf, size_t n, const struct iob_place *place)
{
	if (place->line == 0)
		snprintf(buf, n, "argument %u", place->column);
	else
		snprintf(buf, n, "%.250s:%u:%u", place->file, place->line, place->column);
	return buf;
}

int iob_fail_place(struct iob_error *err, const struct iob_place *place, const char *format, ...)
{
	char where[IOB_PLACE_MAX], words[sizeof(err->text)];
	va_list args;

	va_start(args, format);
	vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	return iob_fail_usage(err, "%s: %s", iob_place_format(where, sizeof(where), place), words);
}

void iob_messages_add(
	char ***lines, size_t *n, const struct iob_place *place, const char *format, ...)
{
	char where[IOB_PLACE_MAX], *words = NULL, *line = NULL;
	char **grown = grow(*lines, *n, sizeof(**lines));
	va_list args;

	if (!grown)
		return;
	*lines = grown;
	va_start(args, format);
	int rc = vasprintf(&words, format, args);
	va_end(args);
	if (rc < 0)
		return;
	rc = asprintf(&line, "%s: %s", iob_place_format(where, sizeof(where), place), words);
	free(words);
	if (rc >= 0)
		grown[(*n)++] = line;
}

void iob_messages_cut(char **lines, size_t *n, size_t first)
{
	while (*n > first)
		free(lines[--*n]);
}

void iob_messages_free(char **lines, size_t n)
{
	iob_messages_cut(lines, &n, 0);
	free(lines);
}
