/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/keep.h"

#include <signal.h>
#include <stdio.h>

#include "cli/command.h"
#include "result/runs.h"

static void rescue(const struct iob_result *r)
{
	char path[IOB_PATH_MAX];
	struct iob_error err = {0};

	if (iob_runs_rescue(r, path, sizeof(path), &err) == 0) {
		fprintf(stderr, PACKAGE_NAME ": the run is kept in %s\n", path);
		return;
	}
	iob_cli_error(&err);
	fputs(PACKAGE_NAME ": the run is kept nowhere; its JSON follows\n", stderr);
	(void)iob_format_find("json")->write(r, stderr, &err);
}

void iob_cli_rescue(const struct iob_result *r, const struct iob_error *why)
{
	iob_cli_error(why);
	rescue(r);
}

int iob_cli_keep(const struct iob_options *o, const struct iob_result *r, int signal)
{
	struct iob_error err = {0};

	if (o->no_save)
		return 0;
	if (o->save) {
		int rc = iob_result_save(r, o->save, &err);

		if (rc < 0)
			iob_cli_rescue(r, &err);
		return rc;
	}
	if (signal == SIGHUP)
		rescue(r);
	return 0;
}
