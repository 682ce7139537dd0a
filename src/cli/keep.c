/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/keep.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "result/runs.h"

static void rescue(const struct iob_result *r, struct iob_kept *k)
{
	k->rescued = true;
	k->somewhere = iob_runs_rescue(r, k->path, sizeof(k->path), &k->nowhere) == 0;
}

int iob_cli_keep(
	const struct iob_options *o, const struct iob_result *r, int signal, struct iob_kept *k)
{
	int rc = 0;

	memset(k, 0, sizeof(*k));
	if (o->no_save)
		return 0;
	if (o->save)
		rc = iob_result_save(r, o->save, &k->error);
	if (rc < 0 || (!o->save && signal == SIGHUP))
		rescue(r, k);
	return rc;
}

void iob_cli_tell_kept(const struct iob_kept *k, const struct iob_result *r)
{
	struct iob_error err;

	if (k->error.code)
		iob_cli_error(&k->error);
	if (!k->rescued)
		return;
	if (k->somewhere) {
		fprintf(stderr, PACKAGE_NAME ": the run is kept in %s\n", k->path);
		return;
	}
	iob_cli_error(&k->nowhere);
	fputs(PACKAGE_NAME ": the run is kept nowhere; its JSON follows\n", stderr);
	(void)iob_format_find("json")->write(r, stderr, &err);
}
