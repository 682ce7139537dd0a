/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/listing.h"

#include <getopt.h>
#include <string.h>

static int set_format(struct iob_listing *l, const char *value, struct iob_error *err)
{
	l->json = strcmp(value, "json") == 0;
	if (!l->json && strcmp(value, "text") != 0)
		return iob_fail_usage(err, "--format=%.64s: not one of text, json", value);
	return 0;
}

static int parse_options(struct iob_listing *l, int argc, char **argv, struct iob_error *err)
{
	static const struct option options[] = {{"format", required_argument, NULL, 'f'},
		{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
	int option, rc = 0;

	opterr = 0;
	optind = 0; /* start over: main has not used it, a test may have */
	while (rc == 0 && (option = getopt_long_only(argc, argv, ":f:h", options, NULL)) != -1) {
		if (option == 'f')
			rc = set_format(l, optarg, err);
		else if (option == 'h')
			l->help = true;
		else if (option == ':')
			rc = iob_fail_usage(
				err, "%s: needs a value; text or json", argv[optind - 1]);
		else
			rc = iob_fail_usage(err,
				"%s: %.64s: no such option; see iotop-bench %s --help", argv[0],
				argv[optind - 1], argv[0]);
	}
	return rc;
}

int iob_listing_parse(struct iob_listing *l, int argc, char **argv, enum iob_listing_names names,
	struct iob_error *err)
{
	*l = (struct iob_listing){0};
	int rc = parse_options(l, argc, argv, err);

	if (rc < 0 || l->help)
		return rc;
	if (names == IOB_LISTING_NO_NAME && optind < argc)
		return iob_fail_usage(
			err, "%s: %.64s: no NAME is possible; leave it out", argv[0], argv[optind]);
	if (argc - optind > 1)
		return iob_fail_usage(
			err, "%s: %.64s: only one NAME is possible", argv[0], argv[optind + 1]);
	l->name = optind < argc ? argv[optind] : NULL;
	return 0;
}
