/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "job/jobfile.h"

static int fail_memory(struct iob_error *err)
{
	return iob_fail(err, -ENOMEM, "reading jobs: %m");
}

const char *iob_jobfile_add_file(struct iob_jobfile *jf, const char *name, struct iob_error *err)
{
	char **files = iob_array_extend(jf->file, jf->nfiles, sizeof(*files));

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
	struct iob_section *sections =
		iob_array_extend(jf->section, jf->nsections, sizeof(*sections));

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
	struct iob_option *grown = key ? iob_array_extend(*options, *n, sizeof(**options)) : NULL;

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
