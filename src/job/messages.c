/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

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
	char where[IOB_PLACE_MAX] = "", *words = NULL, *line = NULL;
	char **grown = iob_array_extend(*lines, *n, sizeof(**lines));
	va_list args;

	if (!grown)
		return;
	*lines = grown;
	va_start(args, format);
	int rc = vasprintf(&words, format, args);
	va_end(args);
	if (rc < 0)
		return;
	if (place)
		iob_place_format(where, sizeof(where), place);
	rc = asprintf(&line, "%s%s%s", where, place ? ": " : "", words);
	free(words);
	if (rc >= 0)
		grown[(*n)++] = line;
}

void iob_messages_free(char **lines, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(lines[i]);
	free(lines);
}
