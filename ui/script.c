/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define MOST_BYTES   (1 << 20)
#define LONGEST_LINE 500

/* The number of the first line that is longer than the reader's, 0 = none. */
static unsigned find_long_line(const char *text)
{
	unsigned number = 0;

	while (*text) {
		size_t length = strcspn(text, "\n");

		number++;
		if (length > LONGEST_LINE)
			return number;
		text += length + (text[length] == '\n');
	}
	return 0;
}

int iob_script_read(struct iob_script *s, const char *path, struct iob_error *err)
{
	IOB_FILE FILE *f = fopen(path, "re");
	IOB_FREE char *text = calloc(1, MOST_BYTES + 1);

	memset(s, 0, sizeof(*s));
	if (!f)
		return iob_fail_usage(err, "--script=%.300s: %m", path);
	if (!text)
		return iob_fail(err, -ENOMEM, "--script: %m");
	size_t n = fread(text, 1, MOST_BYTES, f);
	if (ferror(f))
		return iob_fail_usage(err, "--script=%.300s: %m", path);
	if (n == MOST_BYTES || memchr(text, '\0', n))
		return iob_fail_usage(
			err, "--script=%.300s: not a text of at most a megabyte", path);
	unsigned line = find_long_line(text);
	if (line)
		return iob_fail_usage(err, "--script=%.300s:%u: the line is longer than %d bytes",
			path, line, LONGEST_LINE);
	s->text = iob_steal(&text);
	s->at = s->text;
	s->path = path;
	return 0;
}

bool iob_script_next(struct iob_script *s, char *line, unsigned n)
{
	if (!s->text || !*s->at)
		return false;
	size_t length = strcspn(s->at, "\n");
	snprintf(line, n, "%.*s", (int)length, s->at);
	s->at += length + (s->at[length] == '\n');
	s->line++;
	return true;
}

void iob_script_free(struct iob_script *s)
{
	free(s->text);
	memset(s, 0, sizeof(*s));
}
