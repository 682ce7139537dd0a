/* SPDX-License-Identifier: MIT */
/* iotop-bench engines [NAME] [--format=text|json] */
#include <config.h>

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/engines_print.h"

static const char usage[] =
	"Usage: iotop-bench engines [NAME] [--format=text|json]\n"
	"\n"
	"Lists the ways to issue I/O (ioengine=NAME): what each is, whether it runs on\n"
	"this machine, and if not why and what to do.\n"
	"\n"
	"  -f, --format=text|json   how to print (default: text)\n"
	"  -h, --help               this text\n";

struct request {
	const char *name; /* NULL = all */
	bool json, help;
};

static int set_format(struct request *request, const char *value, struct iob_error *err)
{
	request->json = strcmp(value, "json") == 0;
	if (!request->json && strcmp(value, "text") != 0)
		return iob_fail_usage(err, "--format=%s: not a format; use text or json", value);
	return 0;
}

static int parse_options(struct request *request, int argc, char **argv, struct iob_error *err)
{
	static const struct option options[] = {{"format", required_argument, NULL, 'f'},
		{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
	int option, rc = 0;

	opterr = 0;
	optind = 0;
	while (rc == 0 && (option = getopt_long_only(argc, argv, ":f:h", options, NULL)) != -1) {
		if (option == 'f')
			rc = set_format(request, optarg, err);
		else if (option == 'h')
			request->help = true;
		else if (option == ':')
			rc = iob_fail_usage(err,
				"%s: a value is missing; use --format=text or --format=json",
				argv[optind - 1]);
		else
			rc = iob_fail_usage(err,
				"engines: unknown option %s; see iotop-bench engines --help",
				argv[optind - 1]);
	}
	return rc;
}

static int parse(struct request *request, int argc, char **argv, struct iob_error *err)
{
	int rc = parse_options(request, argc, argv, err);

	if (rc < 0)
		return rc;
	if (optind < argc)
		request->name = argv[optind++];
	if (optind < argc)
		return iob_fail_usage(err,
			"engines: takes one name (%s is too many); see iotop-bench engines --help",
			argv[optind]);
	return 0;
}

/* One that cannot run here is shown with its reason, so only an unknown name is an error. */
static int find(const struct iob_engine **only, const char *name, struct iob_error *err)
{
	*only = iob_engine_find(name);
	return *only ? 0 : iob_engine_get(only, name, err);
}

int iob_cmd_engines(int argc, char **argv)
{
	const struct iob_engine *only = NULL;
	struct request request = {0};
	struct iob_error err = {0};

	if (parse(&request, argc, argv, &err) < 0)
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
