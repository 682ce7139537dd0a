/* SPDX-License-Identifier: MIT */
#include "cli/format_list.h"

#include <stdio.h>
#include <string.h>

void iob_format_list_default(struct iob_format_list *l)
{
	*l = (struct iob_format_list){.count = 1, .item = {&iob_formats[0]}};
}

static int unknown(const char *value, const char *name, int n, struct iob_error *err)
{
	char list[200] = "";
	size_t used = 0;

	for (const struct iob_format *f = iob_formats; f->name && used < sizeof(list); f++)
		used += (size_t)snprintf(
			list + used, sizeof(list) - used, "%s%s", used > 0 ? ", " : "", f->name);
	return iob_fail_usage(err, "--format=%.64s: \"%.*s\" is not one of %s", value,
		n > 40 ? 40 : n, name, list);
}

static int add(struct iob_format_list *l, const char *value, const char *name, size_t n,
	struct iob_error *err)
{
	const struct iob_format *format = iob_formats;

	while (format->name && (strncmp(format->name, name, n) != 0 || format->name[n] != '\0'))
		format++;
	if (!format->name)
		return unknown(value, name, (int)n, err);
	for (unsigned i = 0; i < l->count; i++)
		if (l->item[i] == format)
			return 0;
	if (l->count == IOB_MAX_FORMATS)
		return iob_fail_usage(
			err, "--format=%.64s: at most %d formats", value, IOB_MAX_FORMATS);
	l->item[l->count++] = format;
	return 0;
}

int iob_format_list_parse(struct iob_format_list *l, const char *value, struct iob_error *err)
{
	l->count = 0;
	for (const char *p = value;;) {
		size_t n = strcspn(p, ",");
		int rc = add(l, value, p, n, err);

		if (rc < 0)
			return rc;
		if (p[n] == '\0')
			return 0;
		p += n + 1;
	}
}
