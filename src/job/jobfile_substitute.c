/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/jobfile_substitute.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

#define BYTES_PER_MIB (1024L * 1024)

static long page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

static long memory_mib(void)
{
	return sysconf(_SC_PHYS_PAGES) / (BYTES_PER_MIB / sysconf(_SC_PAGESIZE));
}

static long online_cpus(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

static const struct {
	const char *name;
	long (*value)(void);
} keywords[] = {
	{"$pagesize", page_size},
	{"$mb_memory", memory_mib},
	{"$ncpus", online_cpus},
};

/* The value of ${NAME} at text, and its length there; NULL: it has no end. */
static const char *variable(struct iob_substitution *s, const char *text, size_t n, size_t *used)
{
	const char *end = memchr(text, '}', n);
	char name[sizeof(s->unset)];

	if (!end)
		return NULL;
	*used = (size_t)(end - text) + 1;
	snprintf(name, sizeof(name), "%.*s", (int)(*used - 3), text + 2);
	const char *value = getenv(name);
	if (!value && s->unset[0] == '\0')
		snprintf(s->unset, sizeof(s->unset), "%s", name);
	return value ? value : "";
}

/* Writes the value of the keyword at text, if there is one.  Returns its length there. */
static size_t keyword(FILE *out, const char *text, size_t n)
{
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
		size_t length = strlen(keywords[i].name);

		if (n < length || strncmp(text, keywords[i].name, length) != 0)
			continue;
		fprintf(out, "%ld", keywords[i].value());
		return length;
	}
	return 0;
}

int iob_substitute(struct iob_substitution *s, const char *text, size_t n, const char **why)
{
	size_t size = 0;

	*s = (struct iob_substitution){0};
	IOB_FILE FILE *out = open_memstream(&s->text, &size);
	if (!out)
		return -ENOMEM;
	for (size_t i = 0, used = 0; i < n; i += used) {
		used = text[i] == '$' ? keyword(out, text + i, n - i) : 0;
		s->keyword |= used > 0;
		if (used > 0)
			continue;
		if (text[i] == '$' && i + 1 < n && text[i + 1] == '{') {
			const char *value = variable(s, text + i, n - i, &used);

			if (!value) {
				*why = "\"${\" has no \"}\"";
				return -EINVAL;
			}
			fputs(value, out);
			continue;
		}
		putc(text[i], out);
		used = 1;
	}
	bool failed = ferror(out) != 0;
	failed |= fclose(iob_steal(&out)) != 0;
	return failed ? -ENOMEM : 0;
}
