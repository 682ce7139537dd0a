/* SPDX-License-Identifier: MIT */
/* A run of ours in the formats that other programs read: fio's text, terse, json+, a line for each
 * interval, a page. */
#include <config.h>

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "result/result.h"
#include "support/sample_result.h"

static struct iob_result result;
static char *text;

static void set_up(void)
{
	setenv("TZ", "UTC", 1);
	iob_sample_result(&result);
}

static void tear_down(void)
{
	iob_result_free(&result);
	free(text);
}

TestSuite(formats, .init = set_up, .fini = tear_down, .timeout = 10);

static void print(const char *format)
{
	const struct iob_format *f = iob_format_find(format);
	struct iob_error err = {0};
	size_t size = 0;

	cr_assert(f, "%s", format);
	FILE *stream = open_memstream(&text, &size);
	cr_assert_eq(f->write(&result, stream, &err), 0, "%s", err.text);
	cr_assert_eq(fclose(stream), 0);
}

static void expect(const char *want)
{
	cr_expect(strstr(text, want), "\"%s\" is not in:\n%s", want, text);
}

static uint64_t total_ios(enum iob_dir d)
{
	uint64_t n = 0;

	for (unsigned k = 0; k < SAMPLE_INTERVALS; k++)
		n += iob_sample_ios(d, k);
	return n;
}

Test(formats, suffixes_differ)
{
	for (const struct iob_format *a = iob_formats; a->name; a++)
		for (const struct iob_format *b = a + 1; b->name; b++)
			cr_expect_str_neq(a->suffix, b->suffix);
}

Test(formats, fio_has_the_blocks_and_our_figures)
{
	char want[128];

	print("fio");
	expect(": (groupid=0, jobs=");
	expect("  read: IOPS=");
	expect("  write: IOPS=");
	expect("    clat percentiles (usec):\n");
	snprintf(want, sizeof(want), "issued rwts: total=%llu,%llu,0,",
		(unsigned long long)total_ios(IOB_READ), (unsigned long long)total_ios(IOB_WRITE));
	expect(want);
	expect("\nRun status group 0 (all jobs):\n   READ: bw=");
	cr_expect(!strstr(text, "slat"), "there is no slat in a run");
}

Test(formats, terse_is_a_line_of_version_3)
{
	print("terse");
	cr_expect_eq(strncmp(text, "3;fio-3.33;", 11), 0, "%s", text);
	cr_expect_str_eq(strchr(text, '\n'), "\n");
}

Test(formats, json_plus_adds_bins_that_hold_every_io)
{
	json_int_t sum = 0;
	const char *key;
	json_t *value;

	print("json+");
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	json_t *job = json_array_get(json_object_get(root, "jobs"), 0);
	json_t *clat = json_object_get(json_object_get(job, "read"), "clat_ns");
	json_object_foreach(json_object_get(clat, "bins"), key, value) sum +=
		json_integer_value(value);
	cr_expect_eq((uint64_t)sum, total_ios(IOB_READ));
	cr_expect(json_object_get(root, "iotop_bench"));
	json_decref(root);
}

Test(formats, ndjson_has_a_line_for_the_run_each_interval_and_each_segment)
{
	unsigned runs = 0, intervals = 0, segments = 0;
	uint64_t reads = 0;

	print("ndjson");
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		json_t *o = json_loads(line, 0, NULL);
		const char *type = json_string_value(json_object_get(o, "type"));

		cr_assert(type, "%s", line);
		runs += strcmp(type, "run") == 0;
		intervals += strcmp(type, "interval") == 0;
		segments += strcmp(type, "segment") == 0;
		if (strcmp(type, "interval") == 0)
			reads += (uint64_t)json_integer_value(
				json_object_get(json_object_get(o, "read"), "ios"));
		json_decref(o);
	}
	cr_expect_eq(runs, 1);
	cr_expect_eq(intervals, SAMPLE_INTERVALS);
	cr_expect_eq(segments, result.nsegments);
	cr_expect_eq(reads, total_ios(IOB_READ));
}

static unsigned count(const char *what)
{
	unsigned n = 0;

	for (const char *p = text; (p = strstr(p, what)); p++)
		n++;
	return n;
}

Test(formats, html_is_one_file_whose_text_stays_text)
{
	snprintf(result.target.path, sizeof(result.target.path), "/mnt/<b>&\"x\"");
	print("html");
	expect("<title>/mnt/&lt;b&gt;&amp;&quot;x&quot;</title>");
	cr_expect(!strstr(text, "<b>&"));
	cr_expect(!strstr(text, "http"), "nothing from elsewhere");
	cr_expect(!strstr(text, "<script"));
	expect("<b>limit</b> the device: 97 % of 410us");
	/* IOPS, MB/s and the latency of two directions. */
	cr_expect_eq(count("<svg "), 4);
	cr_expect_eq(count("</svg>"), 4);
	cr_expect_eq(count("<tr>"), count("</tr>"));
	/* A point for each interval, the stall at the bottom. */
	const char *line = strstr(text, "<polyline class=\"s0\" points=\"");
	cr_assert(line);
	unsigned points = 1, bottom = 0;
	for (line += strlen("<polyline class=\"s0\" points=\""); *line != '"'; line++) {
		points += *line == ' ';
		bottom += strncmp(line, ",176.0", 6) == 0;
	}
	cr_expect_eq(points, SAMPLE_INTERVALS);
	cr_expect_geq(bottom, SAMPLE_STALL_UNTIL - SAMPLE_STALL_FROM);
}

Test(formats, a_run_without_io_is_written_as_well)
{
	static const char *const names[] = {"fio", "terse", "json+", "ndjson", "html"};

	for (unsigned i = 0; i < result.nstages; i++)
		memset(&result.stage[i].figures, 0, sizeof(result.stage[i].figures));
	memset(&result.total, 0, sizeof(result.total));
	result.nintervals = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		print(names[i]);
		cr_expect_gt(strlen(text), 0);
		free(text);
		text = NULL;
	}
}
