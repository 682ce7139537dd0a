/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"

struct request {
	const char *file;
	const char *output;
	struct iob_format_list formats;
	bool help;
};

static int parse(struct request *q, int argc, char **argv, struct iob_error *err)
{
	static const struct option options[] = {
		{"format", required_argument, NULL, 'f'},
		{"output", required_argument, NULL, 'o'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	int c, rc = 0;

	iob_format_list_default(&q->formats);
	optind = 0; /* start over: main has not used it, a test may have */
	while (!rc && (c = getopt_long(argc, argv, ":f:o:h", options, NULL)) != -1) {
		switch (c) {
		case 'f':
			rc = iob_format_list_parse(&q->formats, optarg, err);
			break;
		case 'o':
			q->output = iob_output_path(optarg);
			break;
		case 'h':
			q->help = true;
			break;
		case ':':
			return iob_fail_usage(err, "report: %s: needs a value", argv[optind - 1]);
		default:
			return iob_fail_usage(err,
				"report: %s: no such option; there are --format=LIST and --output=FILE",
				argv[optind - 1]);
		}
	}
	if (rc || q->help)
		return rc;
	if (optind + 1 != argc)
		return iob_fail_usage(
			err, "report: name one saved run: iotop-bench report RUN.json");
	q->file = argv[optind];
	return 0;
}

/* A report in its place would be all that is left of the run. */
static int check_output(const struct request *q, struct iob_error *err)
{
	struct stat in, out;

	if (!q->output || stat(q->output, &out) < 0 || stat(q->file, &in) < 0 ||
		in.st_dev != out.st_dev || in.st_ino != out.st_ino || !S_ISREG(in.st_mode))
		return 0;
	return iob_fail_usage(err,
		"--output=%.200s is the saved run itself, which the report would replace; name another "
		"file",
		q->output);
}

static int print_help(void)
{
	puts("usage: iotop-bench report RUN.json [--format=LIST] [--output=FILE]\n"
	     "\n"
	     "Prints a saved run (run --save=FILE or --format=json, or the JSON of fio) again.\n"
	     "\n"
	     "  -f, --format=LIST   formats, with commas (default: text):");
	for (const struct iob_format *f = iob_formats; f->name; f++)
		printf("        %-6s  %s\n", f->name, f->summary);
	puts("  -o, --output=FILE   write there instead of to standard output; several formats\n"
	     "                      add their suffix\n"
	     "  -h, --help          this text");
	return iob_cli_finish_stdout(IOB_EXIT_OK);
}

int iob_cmd_report(int argc, char **argv)
{
	struct request q = {0};
	struct iob_result result = {0};
	struct iob_error err = {0};

	if (parse(&q, argc, argv, &err))
		return iob_cli_error(&err);
	if (q.help)
		return print_help();
	if (iob_output_check_formats(&q.formats, q.output, &err))
		return iob_cli_error(&err);
	if (check_output(&q, &err))
		return iob_cli_error(&err);
	if (iob_result_read(&result, q.file, &err))
		return iob_cli_error(&err);
	int status = iob_output_reports(&result, &q.formats, q.output, false, IOB_EXIT_OK);
	iob_result_free(&result);
	return status;
}
