/* SPDX-License-Identifier: MIT */
/* iotop-bench devices [--format=text|json] */
#include <config.h>

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/devices_print.h"
#include "target/blockdev.h"

static const char usage[] =
	"Usage: iotop-bench devices [--format=text|json]\n"
	"\n"
	"Lists the block devices: size, kind, model, active scheduler, logical and\n"
	"physical block size, what is on them, who uses them, and which of them may be\n"
	"written.  Contents are read only where permission allows.\n"
	"\n"
	"  -f, --format=text|json   how to print (default: text)\n"
	"  -h, --help               this text\n";

struct request {
	bool json, help;
};

static int set_format(struct request *request, const char *value, struct iob_error *err)
{
	if (strcmp(value, "json") == 0)
		request->json = true;
	else if (strcmp(value, "text") == 0)
		request->json = false;
	else
		return iob_fail_usage(err, "--format=%s: not a format; use text or json", value);
	return 0;
}

static int parse(struct request *request, int argc, char **argv, struct iob_error *err)
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
				"%s: a value is missing; use --format=text or "
				"--format=json",
				argv[optind - 1]);
		else
			rc = iob_fail_usage(err,
				"devices: unknown option %s; see iotop-bench devices --help",
				argv[optind - 1]);
	}
	if (rc == 0 && optind < argc)
		rc = iob_fail_usage(err,
			"devices: takes no argument (%s); see iotop-bench devices --help",
			argv[optind]);
	return rc;
}

int iob_cmd_devices(int argc, char **argv)
{
	struct request request = {0};
	struct iob_blockdevs list;
	struct iob_error err = {0};

	if (parse(&request, argc, argv, &err) < 0)
		return iob_cli_error(&err);
	if (request.help) {
		fputs(usage, stdout);
		return iob_cli_finish_stdout(IOB_EXIT_OK);
	}
	if (iob_blockdevs_list(&list, "", IOB_PROBE_CONTENTS, &err) < 0)
		return iob_cli_error(&err);
	int rc = 0;
	if (request.json)
		rc = iob_devices_print_json(stdout, &list);
	else
		iob_devices_print_text(stdout, &list);
	iob_blockdevs_free(&list);
	if (rc < 0) {
		iob_fail(&err, rc, "devices: %m");
		return iob_cli_error(&err);
	}
	return iob_cli_finish_stdout(IOB_EXIT_OK);
}
