/* SPDX-License-Identifier: MIT */
/* The value of --format: names of report formats, with commas. */
#ifndef IOB_CLI_FORMAT_LIST_H
#define IOB_CLI_FORMAT_LIST_H

#include "result/result.h"

#define IOB_MAX_FORMATS 8

struct iob_format_list {
	unsigned count;
	const struct iob_format *item[IOB_MAX_FORMATS]; /* each once, in the order given */
};

/* The format that is taken when none is named: the first of the table. */
void iob_format_list_default(struct iob_format_list *);
/* Replaces the list.  Usage error naming the value and the formats that there are. */
int iob_format_list_parse(struct iob_format_list *, const char *value, struct iob_error *);

#endif
