/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"

static int to_file(const struct iob_result *r, const struct iob_format *format, const char *path,
	struct iob_error *err)
{
	struct iob_atomic_file file = {0};
	int rc = iob_atomic_file_open(&file, path, err);

	if (rc)
		return rc;
	rc = format->write(r, file.stream, err);
	if (rc) {
		iob_atomic_file_abort(&file);
		return rc;
	}
	return iob_atomic_file_commit(&file, err);
}

static int one_report(const struct iob_result *r, const char *name, const char *output,
	bool with_suffix, struct iob_error *err)
{
	const struct iob_format *format = iob_format_find(name);
	IOB_FREE char *path = NULL;

	if (!format)
		return iob_fail_usage(err,
			"--format=%s: there is no such format; formats are text and json", name);
	if (!output)
		return format->write(r, stdout, err);
	if (asprintf(&path, "%s%s", output, with_suffix ? format->suffix : "") < 0) {
		path = NULL;
		return iob_fail(err, -ENOMEM, "write %s: %m", output);
	}
	return to_file(r, format, path, err);
}

int iob_output_reports(const struct iob_result *r, const char *const *formats, unsigned nformats,
	const char *output, struct iob_error *err)
{
	int rc = 0;

	for (unsigned i = 0; i < nformats && !rc; i++)
		rc = one_report(r, formats[i], output, nformats > 1, err);
	return rc;
}
