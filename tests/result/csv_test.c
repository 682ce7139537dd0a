/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "result/result.h"
#include "support/sample_result.h"

static struct iob_result result;
static char *text;

static void set_up(void)
{
	struct iob_error err = {0};
	size_t size = 0;

	iob_sample_result(&result);
	snprintf(result.target.path, sizeof(result.target.path), "/mnt/a, \"b\"");
	FILE *f = open_memstream(&text, &size);
	cr_assert_eq(iob_report_csv(&result, f, &err), 0, "%s", err.text);
	cr_assert_eq(fclose(f), 0);
}

static void tear_down(void)
{
	iob_result_free(&result);
	free(text);
}

/* Fields of a line, quotes understood. */
static unsigned fields(const char *line)
{
	unsigned n = 1;
	bool quoted = false;

	for (; *line && *line != '\n'; line++) {
		quoted ^= *line == '"';
		n += *line == ',' && !quoted;
	}
	return n;
}

TestSuite(csv, .init = set_up, .fini = tear_down, .timeout = 10);

Test(csv, each_row_has_the_fields_of_the_header)
{
	unsigned rows = 0, want = fields(text);

	for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
		cr_assert_eq(fields(line), want, "%.200s", line);
		rows++;
	}
	/* Reads and writes, in the whole and in each of two segments. */
	cr_assert_eq(rows, 6, "%s", text);
}

Test(csv, latency_from_the_intended_times_has_columns_of_its_own)
{
	struct iob_error err = {0};
	size_t size = 0;

	cr_assert_not_null(strstr(text, "disk_util,intended_mean_ns,"));
	cr_assert_not_null(strstr(text, ",,,,,\n"));
	free(text);
	result.stage[0].figures.dir[IOB_READ].intended =
		(struct iob_latency){.n = 5, .mean_ns = 70.2, .max_ns = 99};
	FILE *f = open_memstream(&text, &size);
	cr_assert_eq(iob_report_csv(&result, f, &err), 0, "%s", err.text);
	cr_assert_eq(fclose(f), 0);
	cr_assert_not_null(strstr(text, ",70,0,0,0,99\n"), "%s", text);
	cr_assert_eq(fields(text), fields(strchr(text, '\n') + 1));
}

Test(csv, names_with_commas_and_quotes_are_quoted)
{
	cr_assert_not_null(strstr(text, ",\"/mnt/a, \"\"b\"\"\","), "%s", text);
}

Test(csv, the_rows_of_the_segments_add_up_to_the_total)
{
	unsigned long long total = 0, sum = 0;

	for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
		char segment[16], kind[16], dir[16];
		unsigned long long ios;
		const char *at = strstr(line, "\"\"\",");

		cr_assert_not_null(at);
		cr_assert_eq(sscanf(at,
				     "\"\"\",%*[^,],%*[^,],%*[^,],%15[^,],%15[^,],%*[^,],%*[^,],"
				     "%15[^,],%*[^,],%*[^,],%*[^,],%*[^,],%*[^,],%llu",
				     segment, kind, dir, &ios),
			4, "%.200s", at);
		if (strcmp(segment, "total") == 0)
			total += ios;
		else
			sum += ios;
	}
	cr_assert_gt(total, 0);
	cr_assert_eq(sum, total);
}
