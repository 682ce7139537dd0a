/* SPDX-License-Identifier: MIT */
/* Report formats that write nothing, for tests of the command line. */
#include <stddef.h>
#include <string.h>

#include "result/result.h"

static int nothing(const struct iob_result *result, FILE *out, struct iob_error *err)
{
	(void)result;
	(void)out;
	(void)err;
	return 0;
}

const struct iob_format iob_formats[] = {
	{"text", ".txt", "for people", nothing},
	{"json", ".json", "for programs", nothing},
	{NULL, NULL, NULL, NULL},
};

const struct iob_format *iob_format_find(const char *name)
{
	for (const struct iob_format *f = iob_formats; f->name; f++) {
		if (strcmp(f->name, name) == 0)
			return f;
	}
	return NULL;
}
