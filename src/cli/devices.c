/* SPDX-License-Identifier: MIT */
/* iotop-bench devices [--format=text|json] */
#include <config.h>

#include <errno.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/devices_print.h"
#include "cli/listing.h"
#include "target/blockdev.h"

static const char usage[] =
	"usage: iotop-bench devices [--format=text|json]\n"
	"\n"
	"Lists the block devices: size, kind, model, active scheduler, logical and\n"
	"physical block size, what is on them, who uses them, and which of them may be\n"
	"written.  Contents are read only where permission allows.\n"
	"\n"
	"  -f, --format=text|json   how to print (default: text)\n"
	"  -h, --help               this text\n";

int iob_cmd_devices(int argc, char **argv)
{
	struct iob_listing request;
	struct iob_blockdevs list;
	struct iob_error err = {0};

	if (iob_listing_parse(&request, argc, argv, IOB_LISTING_NO_NAME, &err) < 0)
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
