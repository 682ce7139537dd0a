/* SPDX-License-Identifier: MIT */
/* iotop-bench engines [NAME] [--format=text|json] */
#include <config.h>

#include <stdio.h>

#include "cli/command.h"
#include "cli/engines_print.h"
#include "cli/listing.h"

static const char usage[] =
	"usage: iotop-bench engines [NAME] [--format=text|json]\n"
	"\n"
	"Lists the ways to issue I/O (ioengine=NAME): what each is, whether it runs on\n"
	"this machine, and if not why and what to do.\n"
	"\n"
	"  -f, --format=text|json   how to print (default: text)\n"
	"  -h, --help               this text\n";

/* One that cannot run here is shown with its reason, so only an unknown name is an error. */
static int find(const struct iob_engine **only, const char *name, struct iob_error *err)
{
	*only = iob_engine_find(name);
	return *only ? 0 : iob_engine_get(only, name, err);
}

int iob_cmd_engines(int argc, char **argv)
{
	const struct iob_engine *only = NULL;
	struct iob_listing request;
	struct iob_error err = {0};

	if (iob_listing_parse(&request, argc, argv, IOB_LISTING_ONE_NAME, &err) < 0)
		return iob_cli_error(&err);
	if (request.help) {
		fputs(usage, stdout);
		return iob_cli_finish_stdout(IOB_EXIT_OK);
	}
	if (request.name && find(&only, request.name, &err) < 0)
		return iob_cli_error(&err);
	int rc = 0;
	if (request.json)
		rc = iob_engines_print_json(stdout, only);
	else
		iob_engines_print_text(stdout, only);
	if (rc < 0) {
		iob_fail(&err, rc, "engines: %m");
		return iob_cli_error(&err);
	}
	return iob_cli_finish_stdout(IOB_EXIT_OK);
}
