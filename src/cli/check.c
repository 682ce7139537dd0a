/* SPDX-License-Identifier: MIT */
/* iotop-bench check TARGET [options] */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cli/check_print.h"
#include "cli/command.h"
#include "cli/options.h"

#define DEADLINE_NS (5 * IOB_NS_PER_S)

static const char usage[] =
	"usage: iotop-bench check TARGET [options of run]\n"
	"\n"
	"What a run would find, without reading or writing data: sizes, block sizes and\n"
	"the alignment of a partition, the queue's settings, link and temperature, who\n"
	"uses the target and what is on it, how a file is filled, free space, limits of\n"
	"the cgroup; whether it would be written, and if not, why; and the warnings that\n"
	"a run with these options would raise from its start.\n"
	"\n"
	"  -f, --format=text|json   how to print (default: text)\n"
	"  -h, --help               this text\n"
	"\n"
	"Exit status: 0, 1 the target gives no answer or cannot be used, 2 the options do\n"
	"not suit it, 3 the job would write and may not.\n";

static int print(const struct iob_options *opt, const struct iob_check *c, struct iob_error *err)
{
	const struct iob_format *format = opt->formats.item[0];

	if (strcmp(format->name, "json") == 0)
		return iob_check_print_json(stdout, c, err);
	iob_check_print_text(stdout, c);
	return 0;
}

static int status_of(const struct iob_check *c)
{
	const struct iob_inspection *t = &c->target;

	if (t->error.code)
		return IOB_EXIT_FAILED;
	if (c->writes && t->write.code)
		return IOB_EXIT_REFUSED;
	return t->job.code ? IOB_EXIT_USAGE : IOB_EXIT_OK;
}

static int check_options(const struct iob_options *opt, struct iob_error *err)
{
	if (!opt->has_target)
		return iob_fail_usage(err, "check: name a TARGET, for instance /dev/sda or a file");
	for (unsigned i = 0; i < opt->formats.count; i++)
		if (strcmp(opt->formats.item[i]->name, "text") != 0 &&
			strcmp(opt->formats.item[i]->name, "json") != 0)
			return iob_fail_usage(err, "check: --format=%s: only text or json",
				opt->formats.item[i]->name);
	return 0;
}

static int check(const struct iob_options *opt)
{
	struct iob_check c;
	struct iob_error err = {0};

	if (check_options(opt, &err) < 0 || iob_check_run(&c, opt->plan, DEADLINE_NS, &err) < 0 ||
		print(opt, &c, &err) < 0)
		return iob_cli_error(&err);
	return iob_cli_finish_stdout(status_of(&c));
}

int iob_cmd_check(int argc, char **argv)
{
	struct iob_options opt;
	struct iob_error err = {0};
	int status = IOB_EXIT_OK;

	if (iob_options_parse(&opt, argc, argv, &err) < 0)
		return iob_cli_error(&err);
	if (opt.help) {
		fputs(usage, stdout);
		status = iob_cli_finish_stdout(IOB_EXIT_OK);
	} else {
		status = check(&opt);
	}
	iob_options_free(&opt);
	return status;
}
