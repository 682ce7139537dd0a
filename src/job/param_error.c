/* SPDX-License-Identifier: MIT */
/* Rows of the group "how": what failed requests lead to. */
#include "job/param_rows.h"

static const struct iob_param_choice continue_choices[] = {
	{"none", IOB_CONTINUE_NONE, "the first error ends the worker"},
	{"read", IOB_CONTINUE_READ, "failed reads are let pass"},
	{"write", IOB_CONTINUE_WRITE, "failed writes, trims and syncs are let pass"},
	{"io", IOB_CONTINUE_IO, "both"},
	{"verify", IOB_CONTINUE_VERIFY, "blocks with wrong content are let pass"},
	{"all", IOB_CONTINUE_ALL, "all of these"},
	{"0", IOB_CONTINUE_NONE, "the same as none"},
	{"1", IOB_CONTINUE_ALL, "the same as all"},
	{NULL, 0, NULL},
};

static const struct iob_param rows[] = {
	CHOICE_ROW("continue_on_error", "how", 0, continue_on_error, "none", continue_choices,
		"Which failed requests are counted and let pass; otherwise the first one "
		"ends its worker. The run has failed in either case, and its report says "
		"what and where."),
	TEXT_ROW("ignore_error", "how", 0, ignore_error, "",
		"Errors that are let pass and do not make the run fail, by name or "
		"number: for reads, writes and verification, separated by commas, several "
		"by colons, such as EAGAIN,ENOSPC:EIO."),
	BOOL_ROW("error_dump", "how", IOB_PF_NO_EFFECT, error_dump, "0",
		"Accepted as fio has it: the first failed requests are always reported."),
};

IOB_PARAM_ROWS(iob_param_error, rows);
