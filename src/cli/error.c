/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <stdio.h>

#include "base/text.h"
#include "cli/command.h"

int iob_cli_error(const struct iob_error *err)
{
	char clean[sizeof(err->text)];

	fprintf(stderr, PACKAGE_NAME ": %s\n", iob_text_clean(clean, sizeof(clean), err->text));
	return iob_error_exit_status(err);
}

int iob_cli_finish_stdout(int status)
{
	struct iob_error err = {0};
	int failed = fflush(stdout) != 0 ? -errno : ferror(stdout) ? -EIO : 0;

	if (failed == 0)
		return status;
	iob_fail(&err, failed, "standard output could not be written: %m");
	iob_cli_error(&err);
	return status == IOB_EXIT_OK ? IOB_EXIT_FAILED : status;
}
