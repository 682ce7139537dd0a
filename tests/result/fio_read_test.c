/* SPDX-License-Identifier: MIT */
/* fio's JSON as a run, and runs side by side. */
#include <config.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "result/compare.h"
#include "support/sample_fio_report.h"
#include "support/sample_result.h"

static char path[64];
static struct iob_result result;
static struct iob_error err;

static void set_up(void)
{
	snprintf(path, sizeof(path), "/tmp/iob-fio-read-XXXXXX");
	int fd = mkstemp(path);
	cr_assert_geq(fd, 0);
	close(fd);
}

static void tear_down(void)
{
	iob_result_free(&result);
	unlink(path);
}

TestSuite(fio_read, .init = set_up, .fini = tear_down, .timeout = 10);

static int read_text(const char *text)
{
	FILE *f = fopen(path, "w");

	cr_assert(f);
	fputs(text, f);
	fclose(f);
	return iob_result_read(&result, path, &err);
}

/* Direct I/O is no default of fio's. */
Test(fio_read, what_is_not_said_is_as_fio_has_it)
{
	cr_assert_eq(read_text("{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"a\","
			       "\"job options\":{\"rw\":\"randread\"}}]}"),
		0, "%s", err.text);
	cr_assert_not(result.target.direct);
	cr_assert_str_eq(result.engine, "psync");
	iob_result_free(&result);
	cr_assert_eq(read_text("{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"a\","
			       "\"job options\":{\"direct\":\"1\",\"ioengine\":\"libaio\"}}]}"),
		0, "%s", err.text);
	cr_assert(result.target.direct);
	cr_assert_str_eq(result.engine, "libaio");
}

Test(fio_read, version_3)
{
	struct iob_fio_report report;
	FILE *f = fopen(path, "w");

	cr_assert(f);
	iob_sample_fio_report(&report);
	cr_assert_eq(iob_fio_report_json(&report, false, f, &err), 0);
	fclose(f);
	iob_fio_report_free(&report);
	cr_assert_eq(iob_result_read(&result, path, &err), 0, "%s", err.text);
	cr_expect(iob_result_is_foreign(&result));
	cr_assert_eq(result.nstages, 2);
	const struct iob_segment_figures *s = &result.stage[0].figures;
	cr_expect_eq(s->dir[IOB_READ].ios, 1000);
	cr_expect_eq(s->dir[IOB_READ].bytes, 4096000);
	cr_expect_float_eq(s->dir[IOB_READ].iops, 1000, 1e-9);
	cr_expect_eq(s->dir[IOB_READ].lat.max_ns, 30001500);
	/* Of clat, since fio gives no others by itself. */
	cr_expect_eq(s->dir[IOB_READ].lat.percentile_ns[IOB_P50], 100000);
	cr_expect_eq(s->dir[IOB_WRITE].shorts, 3);
	cr_expect_float_eq(s->all.iops, 1500, 1e-9);
	cr_expect_eq(s->syncs, 50);
	cr_expect_eq(result.exit_status, 1);
	cr_expect_str_eq(result.target.disk, "dm-0");
	cr_expect_str_eq(result.version, "fio-3.33");
}

static const char version_2[] =
	"fio: this platform does not support something\n"
	"{\n\"fio version\" : \"fio-2.1.4\",\n\"jobs\" : [ {\n"
	"\"jobname\" : \"old\", \"groupid\" : 0, \"error\" : 0,\n"
	"\"read\" : { \"io_bytes\" : 1024, \"bw\" : 512, \"iops\" : 128.5, \"runtime\" : 2000,\n"
	"\"lat\" : { \"min\" : 3, \"max\" : 2000, \"mean\" : 100.5, \"stddev\" : 7.25 },\n"
	"\"clat\" : { \"min\" : 2, \"max\" : 1999, \"mean\" : 99, \"stddev\" : 7,\n"
	"\"percentile\" : { \"50.00\" : 90, \"99.00\" : 400, \"0.00\" : 0, \"0.00\" : 0 } } }\n"
	"} ] }\n"
	"old: (groupid=0, jobs=1): err= 0\n";

/* It has stats=0. */
Test(fio_read, a_job_without_a_name_has_no_figures)
{
	cr_assert_eq(read_text("{\"fio version\":\"fio-3.33\",\"jobs\":[{\"groupid\":4294967295,"
			       "\"error\":0},{\"jobname\":\"b\",\"groupid\":0}]}"),
		0, "%s", err.text);
	cr_assert_eq(result.nstages, 1);
	cr_expect_str_eq(result.plan->stage[0].name, "b");
	iob_result_free(&result);
	cr_assert_lt(
		read_text("{\"fio version\":\"fio-3.33\",\"jobs\":[{\"groupid\":4294967295}]}"), 0);
	cr_expect_not_null(strstr(err.text, "at least one job"), "%s", err.text);
	iob_result_free(&result);
	cr_assert_lt(read_text("{\"fio version\":\"fio-3.33\",\"jobs\":[{\"groupid\":0}]}"), 0);
}

static unsigned count_of(const char *code)
{
	unsigned n = 0;

	for (unsigned i = 0; i < result.warnings.count; i++)
		n += strcmp(result.warnings.item[i].code, code) == 0;
	return n;
}

Test(fio_read, percentiles_of_clat_are_called_so)
{
#define DIR "\"total_ios\":9,\"runtime\":5,\"clat_ns\":%s,\"lat_ns\":%s"
	static const char with[] = "{\"min\":5,\"max\":900,\"mean\":70,\"N\":9,"
				   "\"percentile\":{\"50.000000\":60}}";
	static const char without[] = "{\"min\":6,\"max\":999,\"mean\":80,\"N\":9}";
	char text[1200];

	snprintf(text, sizeof(text),
		"{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"a\",\"read\":{" DIR
		"},\"write\":{" DIR "}}]}",
		with, without, with, without);
	cr_assert_eq(read_text(text), 0, "%s", err.text);
	cr_expect_eq(count_of("CLAT"), 1);
	iob_result_free(&result);
	snprintf(text, sizeof(text),
		"{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"a\",\"read\":{" DIR "}}]}",
		without, with);
	cr_assert_eq(read_text(text), 0, "%s", err.text);
	cr_expect_eq(count_of("CLAT"), 0);
}

Test(fio_read, version_2_with_notes_before_and_text_after_it)
{
	cr_assert_eq(read_text(version_2), 0, "%s", err.text);
	const struct iob_figures *f = &result.stage[0].figures.dir[IOB_READ];
	cr_expect_eq(f->bytes, 1024 * 1024);
	cr_expect_eq(f->ios, 257);
	cr_expect_float_eq(f->bw, 512 * 1024, 1e-9);
	cr_expect_eq(f->lat.min_ns, 3000);
	cr_expect_float_eq(f->lat.mean_ns, 100500, 1e-9);
	cr_expect_eq(f->lat.percentile_ns[IOB_P50], 90000);
	cr_expect_eq(f->lat.percentile_ns[IOB_P99], 400000);
}

Test(fio_read, reports_of_it_claim_no_more_than_is_known)
{
	char *text = NULL;
	size_t size = 0;

	cr_assert_eq(read_text(version_2), 0, "%s", err.text);
	FILE *f = open_memstream(&text, &size);
	cr_assert_eq(iob_report_text(&result, f, &err), 0);
	fclose(f);
	cr_expect(strstr(text, "fio-2.1.4"));
	cr_expect(!strstr(text, "seed"), "%s", text);
	cr_expect(!strstr(text, "host"), "%s", text);
	cr_expect(!strstr(text, "rw="), "%s", text);
	free(text);
}

Test(fio_read, damage_is_named)
{
	cr_expect_lt(
		read_text(
			"{\"fio version\":\"fio-3.1\",\"jobs\":[{\"jobname\":\"j\",\"read\":{\"iops\":\"x\"}}]}"),
		0);
	cr_expect(strstr(err.text, "iops must be a number"), "%s", err.text);
	cr_expect_lt(read_text("{\"fio version\":\"fio-3.1\"}"), 0);
	cr_expect(strstr(err.text, "jobs"), "%s", err.text);
	cr_expect_lt(read_text("hello\n{ no json"), 0);
	cr_expect(strstr(err.text, "not JSON"), "%s", err.text);
}

static struct iob_result other;
static struct iob_comparison comparison;

Test(fio_read, comparison_tells_noise_from_a_difference)
{
	const struct iob_result *runs[2] = {&result, &other};

	iob_sample_result(&result);
	iob_sample_result(&other);
	cr_assert_eq(iob_comparison_make(&comparison, runs, 2), -1);
	const struct iob_compare_row *iops = &comparison.row[0];
	cr_expect_str_eq(iops->name, "IOPS");
	cr_expect_eq(iob_comparison_judge(&comparison, iops, 1), IOB_COMPARE_SAME);
	comparison.spread[0] = 4;
	comparison.spread[1] = 5;
	comparison.row[0].value[1] = 1.049 * comparison.row[0].value[0];
	cr_expect_eq(iob_comparison_judge(&comparison, iops, 1), IOB_COMPARE_NOISE);
	comparison.row[0].value[1] = 1.051 * comparison.row[0].value[0];
	cr_expect_eq(iob_comparison_judge(&comparison, iops, 1), IOB_COMPARE_BETTER);
	cr_expect_float_eq(iob_comparison_change(iops, 1), 5.1, 1e-6);
	comparison.row[0].value[1] = 0.9 * comparison.row[0].value[0];
	cr_expect_eq(iob_comparison_judge(&comparison, iops, 1), IOB_COMPARE_WORSE);
	comparison.row[0].low_is_good = true;
	cr_expect_eq(iob_comparison_judge(&comparison, iops, 1), IOB_COMPARE_BETTER);
	iob_result_free(&other);
}

Test(fio_read, a_run_that_measured_nothing_cannot_be_compared)
{
	const struct iob_result *runs[2] = {&result, &other};

	iob_sample_result(&result);
	iob_sample_result(&other);
	other.nsegments = 0;
	cr_expect_eq(iob_comparison_make(&comparison, runs, 2), 1);
	iob_result_free(&other);
}

static char differences[400];

static void note(void *self, const char *what, const char *first, const char *second)
{
	size_t used = strlen(differences);

	(void)self;
	snprintf(differences + used, sizeof(differences) - used, "%s %s %s;", what, first, second);
}

Test(fio_read, comparison_lists_what_was_set_otherwise)
{
	const struct iob_result *runs[2] = {&result, &other};

	iob_sample_result(&result);
	iob_sample_result(&other);
	cr_assert_eq(iob_comparison_make(&comparison, runs, 2), -1);
	cr_expect(iob_comparison_settings(&comparison, 1, note, NULL));
	other.plan->stage[0].nrfiles++;
	snprintf(other.host.kernel, sizeof(other.host.kernel), "new");
	cr_expect(!iob_comparison_settings(&comparison, 1, note, NULL));
	iob_comparison_places(&comparison, 1, note, NULL);
	cr_expect(strstr(differences, "nrfiles "), "%s", differences);
	cr_expect(strstr(differences, "new;"), "%s", differences);
	iob_result_free(&other);
}

Test(fio_read, the_path_of_a_target_is_clean)
{
	cr_assert_eq(read_text("{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"a\","
			       "\"job options\":{\"filename\":\" /dev/\xc2\x9bx\"}}]}"),
		0, "%s", err.text);
	cr_expect_str_eq(result.target.path, "/dev/?x");
}
