/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_run.h"

#include "cli/command.h"

int iob_cli_fio_run(const struct iob_fio_args *args, const struct iob_fio_jobs *jobs)
{
	struct iob_error err = {0};

	(void)args;
	(void)jobs;
	iob_fail_usage(&err, "fio: running jobs is not there yet; --parse-only and --showcmd are");
	return iob_cli_error(&err);
}
