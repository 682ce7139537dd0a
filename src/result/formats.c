/* SPDX-License-Identifier: MIT */
#include "result/result.h"

#include <string.h>

const struct iob_format iob_formats[] = {
	{.name = "text",
		.suffix = ".txt",
		.summary = "for people, 80 columns",
		.write = iob_report_text},
	{.name = "json",
		.suffix = ".json",
		.summary = "fio's tree and units, plus everything we know in iotop_bench",
		.write = iob_report_json},
	{.name = "json+",
		.suffix = ".json+.json",
		.summary = "the same with the bins of the histograms",
		.write = iob_report_json_plus},
	{.name = "fio", .suffix = ".fio.txt", .summary = "fio's own text", .write = iob_report_fio},
	{.name = "terse",
		.suffix = ".terse",
		.summary = "fio's line of fields, version 3",
		.write = iob_report_terse},
	{.name = "csv",
		.suffix = ".csv",
		.summary = "a row for each direction of the run and of each segment",
		.write = iob_report_csv},
	{.name = "ndjson",
		.suffix = ".ndjson",
		.summary = "a JSON object a line: the run, each 100 ms, each segment",
		.write = iob_report_ndjson},
	{.name = "html",
		.suffix = ".html",
		.summary = "a page with tables and graphs, in one file",
		.write = iob_report_html},
	{.name = NULL},
};

const struct iob_format *iob_format_find(const char *name)
{
	for (const struct iob_format *f = iob_formats; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}
