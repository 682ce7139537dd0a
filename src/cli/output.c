/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/command.h"

const char *iob_output_path(const char *value)
{
	return strcmp(value, "-") == 0 ? NULL : value;
}

static int one_report(const struct iob_result *r, const struct iob_format *format,
	const char *output, bool with_suffix, struct iob_error *err)
{
	IOB_FREE char *path = NULL;

	if (!output)
		return format->write(r, stdout, err);
	if (asprintf(&path, "%s%s", output, with_suffix ? format->suffix : "") < 0) {
		path = NULL;
		return iob_fail(err, -ENOMEM, "write %s: %m", output);
	}
	return iob_result_write(r, format, path, err);
}

int iob_output_reports(const struct iob_result *r, const struct iob_format_list *formats,
	const char *output, int status)
{
	struct iob_error err;
	int rc = 0;

	for (unsigned i = 0; i < formats->count && !rc; i++)
		rc = one_report(r, formats->item[i], output, formats->count > 1, &err);
	if (rc) {
		iob_cli_error(&err);
		return IOB_EXIT_FAILED;
	}
	return iob_cli_finish_stdout(status);
}
