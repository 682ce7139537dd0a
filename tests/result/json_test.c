/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/param.h"
#include "result/result.h"
#include "support/sample_result.h"

static struct iob_result result;
static json_t *root;
static char *text;

/* The report as text; to be freed. */
static char *report(const struct iob_result *r)
{
	struct iob_error err = {0};
	char *buf = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&buf, &size);

	cr_assert_eq(iob_report_json(r, f, &err), 0, "%s", err.text);
	cr_assert_eq(fclose(f), 0);
	return buf;
}

static json_t *parse(const char *document)
{
	json_error_t why;
	json_t *value = json_loads(document, JSON_REJECT_DUPLICATES, &why);

	cr_assert_not_null(value, "line %d: %s", why.line, why.text);
	return value;
}

static void set_up(void)
{
	iob_sample_result(&result);
	text = report(&result);
	root = parse(text);
}

static void tear_down(void)
{
	json_decref(root);
	free(text);
	iob_result_free(&result);
}

/* "jobs.0.read.iops" */
static const json_t *at(const char *path)
{
	const json_t *value = root;
	char copy[200], *rest = NULL;

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *word = strtok_r(copy, "/", &rest); word; word = strtok_r(NULL, "/", &rest))
		value = json_is_array(value) ? json_array_get(value, strtoul(word, NULL, 10))
					     : json_object_get(value, word);
	cr_assert_not_null(value, "%s is missing", path);
	return value;
}

static json_int_t whole(const char *path)
{
	cr_assert(json_is_integer(at(path)), "%s is no integer", path);
	return json_integer_value(at(path));
}

static double real(const char *path)
{
	cr_assert(json_is_real(at(path)), "%s is no real number", path);
	return json_real_value(at(path));
}

TestSuite(json, .init = set_up, .fini = tear_down, .timeout = 120);

Test(json, has_the_figures_of_the_stage_under_fios_names)
{
	uint64_t ios = result.total.dir[IOB_READ].ios;

	cr_expect_eq(whole("jobs/0/read/io_bytes"), (json_int_t)(ios * 4096));
	cr_expect_eq(whole("jobs/0/read/io_kbytes"), (json_int_t)(ios * 4));
	cr_expect_eq(whole("jobs/0/read/total_ios"), (json_int_t)ios);
	cr_expect_eq(whole("jobs/0/read/runtime"), 5000);
	cr_expect_float_eq(real("jobs/0/read/iops"), (double)ios / 5, 1e-3);
	cr_expect_eq(whole("jobs/0/read/bw_bytes"), (json_int_t)(ios * 4096 / 5));
	cr_expect_eq(whole("jobs/0/read/bw"), (json_int_t)(ios * 4 / 5));
	cr_expect_eq(whole("jobs/0/read/slat_ns/N"), 0);
	cr_expect_eq(whole("jobs/0/read/clat_ns/N"), (json_int_t)ios);
	cr_expect_eq(whole("jobs/0/read/clat_ns/min"), whole("jobs/0/read/lat_ns/min"));
	cr_expect_eq(whole("jobs/0/read/clat_ns/percentile/99.000000"),
		(json_int_t)result.total.dir[IOB_READ].lat.percentile_ns[IOB_P99]);
	cr_expect_eq(whole("jobs/0/trim/runtime"), 0);
	cr_expect_eq(whole("jobs/0/trim/bw_samples"), 0);
	cr_expect_eq(whole("jobs/0/error"), 0);
	cr_expect_eq(whole("jobs/0/ctx"), 1024);
	cr_expect_float_eq(real("jobs/0/usr_cpu"), 5.0, 1e-9);
	cr_expect_float_eq(real("jobs/0/sys_cpu"), 30.0, 1e-9);
	cr_expect_eq(whole("jobs/0/job_runtime"), 10000);
	cr_expect_str_eq(json_string_value(at("disk_util/0/name")), "nvme0n1");
	cr_expect_eq(strncmp(json_string_value(at("fio version")), "fio-3.", 6), 0);
}

Test(json, samples_half_seconds_and_keeps_the_stall)
{
	cr_expect_eq(whole("jobs/0/read/bw_samples"), 10);
	cr_expect_eq(whole("jobs/0/read/iops_samples"), 10);
	cr_expect_eq(whole("jobs/0/read/iops_min"), 0);
	cr_expect_eq(whole("jobs/0/read/bw_min"), 0);
	cr_expect_geq(whole("jobs/0/read/iops_max"), 10500);
	cr_expect_leq(whole("jobs/0/read/iops_max"), 10520);
	cr_expect_float_eq(real("jobs/0/read/iops_mean"), real("jobs/0/read/iops"), 0.01);
	cr_expect_gt(real("jobs/0/read/iops_stddev"), 1000);
}

static double sum_of(const char *path)
{
	const char *key;
	json_t *value;
	double sum = 0;

	json_object_foreach((json_t *)(uintptr_t)at(path), key, value)
	{
		cr_expect(json_is_real(value), "%s/%s", path, key);
		sum += json_real_value(value);
	}
	return sum;
}

Test(json, distributions_add_up_to_a_hundred_per_cent)
{
	double early = (double)result.segment[0].figures.all.ios;
	double all = (double)result.total.all.ios;

	cr_expect_float_eq(sum_of("jobs/0/latency_ns") + sum_of("jobs/0/latency_us") +
				   sum_of("jobs/0/latency_ms"),
		100, 1e-4);
	cr_expect_float_eq(sum_of("jobs/0/iodepth_level"), 100, 1e-4);
	cr_expect_float_eq(real("jobs/0/iodepth_level/32"), 100 * early / all, 1e-4);
	cr_expect_float_eq(real("jobs/0/iodepth_level/>=64"), 100 * (1 - early / all), 1e-4);
	cr_expect_gt(real("jobs/0/latency_us/100"), 10);
	cr_expect_gt(real("jobs/0/latency_us/250"), 10);
	cr_expect_eq(real("jobs/0/latency_us/50"), 0);
}

Test(json, names_the_options_that_readers_want_as_text)
{
	cr_expect_str_eq(json_string_value(at("jobs/0/job options/rw")), "randrw");
	cr_expect_str_eq(json_string_value(at("jobs/0/job options/bs")), "4k");
	cr_expect_str_eq(json_string_value(at("jobs/0/job options/iodepth")), "32");
	cr_expect_str_eq(json_string_value(at("jobs/0/job options/numjobs")), "2");
	cr_expect_str_eq(json_string_value(at("jobs/0/job options/rwmixread")), "70");
	cr_expect(json_is_string(at("jobs/0/job options/runtime")));
}

Test(json, timeline_adds_up_to_the_totals)
{
	const json_t *list = at("iotop_bench/timeline");
	json_int_t ios = 0, bytes = 0;
	size_t k;
	json_t *v;

	cr_assert_eq(json_array_size(list), SAMPLE_INTERVALS);
	json_array_foreach((json_t *)(uintptr_t)list, k, v)
	{
		json_t *read = json_object_get(v, "read");

		cr_expect_eq(json_integer_value(json_object_get(v, "t_ms")), (json_int_t)k * 100);
		cr_assert(json_is_object(read), "the zeros of interval %zu are left out", k);
		ios += json_integer_value(json_object_get(read, "ios"));
		bytes += json_integer_value(json_object_get(read, "bytes"));
		cr_expect_null(json_object_get(v, "trim"));
	}
	cr_expect_eq(ios, whole("jobs/0/read/total_ios"));
	cr_expect_eq(bytes, whole("jobs/0/read/io_bytes"));
	cr_expect_eq(whole("iotop_bench/timeline/30/read/ios"), 0);
	cr_expect_str_eq(json_string_value(at("iotop_bench/timeline/7/flags/0")), "late");
}

Test(json, own_key_has_what_fio_has_no_place_for)
{
	cr_expect_str_eq(json_string_value(at("iotop_bench/version")), "0.1.0");
	cr_expect_str_eq(json_string_value(at("iotop_bench/seed")), "18446744073709551557");
	cr_expect_str_eq(json_string_value(at("iotop_bench/outcome")), "complete");
	cr_expect_eq(whole("iotop_bench/interval_ms"), 100);
	cr_expect_str_eq(json_string_value(at("iotop_bench/target/kind")), "file");
	cr_expect_eq(whole("iotop_bench/target/logical_block_size"), 512);
	cr_expect_str_eq(json_string_value(at("iotop_bench/engine/flags/1")), "registerfiles");
	cr_expect_str_eq(json_string_value(at("iotop_bench/segments/1/params/iodepth")), "64");
	cr_expect_eq(whole("iotop_bench/segments/1/from_ms"), 2000);
	cr_expect_eq(whole("iotop_bench/segments/1/to_ms"), 5000);
	cr_expect_str_eq(json_string_value(at("iotop_bench/warnings/0/code")), "STALL");
	cr_expect_str_eq(json_string_value(at("iotop_bench/limit/what")), "device");
	cr_expect_float_eq(real("iotop_bench/warnings/0/evidence/stall_s"), 0.5, 1e-9);
	size_t rows = 0;
	for (size_t i = 0; i < iob_param_count(); i++)
		rows += !(iob_param_at(i)->flags & IOB_PF_JOBFILE);
	cr_expect_eq(json_object_size(at("iotop_bench/stages/0/params")), rows);
}

static void write_file(const char *path, const char *content, size_t n)
{
	FILE *f = fopen(path, "w");

	cr_assert_not_null(f);
	cr_assert_eq(fwrite(content, 1, n, f), n);
	cr_assert_eq(fclose(f), 0);
}

static char *temporary(void)
{
	char *path = strdup("/tmp/iob-json-XXXXXX");
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	close(fd);
	return path;
}

/* Writes r, reads it back, writes that: the two texts. */
static void round_trip(const struct iob_result *r)
{
	struct iob_result again;
	struct iob_error err = {0};
	char *path = temporary();
	char *first = report(r);

	cr_assert_eq(iob_result_save(r, path, &err), 0, "%s", err.text);
	cr_assert_eq(iob_result_read(&again, path, &err), 0, "%s", err.text);
	char *second = report(&again);
	cr_expect_str_eq(first, second);
	free(first);
	free(second);
	iob_result_free(&again);
	unlink(path);
	free(path);
}

Test(json, written_read_and_written_again_is_the_same)
{
	cr_assert(iob_marks_add(&result.marks, 1500, "fan off"));
	cr_assert(iob_marks_add(&result.marks, 2500, ""));
	round_trip(&result);
}

Test(json, a_failed_run_survives_the_trip)
{
	result.outcome = IOB_OUTCOME_FAILED;
	result.exit_status = 1;
	result.unfinished = 7;
	result.total.all.errors = result.stage[0].figures.all.errors = 3;
	iob_fail(&result.error, -EIO, "read /dev/sdx at 4096: %m");
	round_trip(&result);
	json_decref(root);
	char *now = report(&result);
	root = parse(now);
	free(now);
	cr_expect_eq(whole("jobs/0/error"), EIO);
	cr_expect_eq(whole("jobs/0/total_err"), 3);
	cr_expect_eq(whole("iotop_bench/unfinished"), 7);
	cr_expect_str_eq(json_string_value(at("iotop_bench/outcome")), "failed");
}

Test(json, a_run_that_measured_nothing_is_valid_and_survives)
{
	result.nsegments = result.nintervals = 0;
	memset(&result.total, 0, sizeof(result.total));
	memset(&result.stage[0].figures, 0, sizeof(result.stage[0].figures));
	result.has_disk = false;
	result.total.depth = nan("");
	round_trip(&result);
}

Test(json, figures_that_are_awkward_survive)
{
	result.segment[0].figures.dir[IOB_READ].bw = 9876543210123.4567;
	result.stage[0].figures.dir[IOB_READ].bw = 1023.9999999;
	result.stage[0].figures.dir[IOB_READ].iops = 1e-9;
	result.stage[0].figures.seconds = 4.9999999999;
	snprintf(result.target.path, sizeof(result.target.path), "/tmp/\"quoted\\\" \xe2\x82\xac");
	round_trip(&result);
}

Test(json, latency_from_the_intended_times_survives)
{
	struct iob_segment_figures *s = &result.stage[0].figures;
	struct iob_result again;
	struct iob_error err = {0};
	char *path = temporary();

	cr_expect_null(json_object_get(at("iotop_bench/total/read"), "intended_ns"));
	cr_expect_null(json_object_get(at("iotop_bench/total"), "behind_ns"));
	s->dir[IOB_READ].intended = s->dir[IOB_READ].lat;
	s->dir[IOB_READ].intended.max_ns = 612000000;
	s->all.intended = s->dir[IOB_READ].intended;
	s->behind_ns = 1500000000;
	result.segment[1].params.live.rate_iops[IOB_READ] = 500;
	round_trip(&result);
	cr_assert_eq(iob_result_save(&result, path, &err), 0, "%s", err.text);
	cr_assert_eq(iob_result_read(&again, path, &err), 0, "%s", err.text);
	cr_expect_eq(again.stage[0].figures.dir[IOB_READ].intended.max_ns, 612000000);
	cr_expect_eq(again.stage[0].figures.behind_ns, 1500000000);
	cr_expect_eq(again.segment[1].params.live.rate_iops[IOB_READ], 500);
	cr_expect_eq(again.total.all.intended.n, 0);
	iob_result_free(&again);
	unlink(path);
	free(path);
}

static int read_error_of(const char *content, size_t n, struct iob_error *err)
{
	struct iob_result again;
	char *path = temporary();

	write_file(path, content, n);
	int rc = iob_result_read(&again, path, err);
	if (rc == 0)
		iob_result_free(&again);
	else
		cr_expect_not_null(strstr(err->text, path), "%s", err->text);
	unlink(path);
	free(path);
	return rc;
}

Test(json, a_file_cut_off_anywhere_is_an_error)
{
	size_t n = strlen(text);

	for (size_t cut = 0; cut < n - 2; cut += 1 + n / 97) {
		struct iob_error err = {0};

		cr_expect_lt(read_error_of(text, cut, &err), 0, "cut at %zu", cut);
		cr_expect_eq(err.kind, IOB_ERR_USAGE);
	}
}

/* Every member in turn gets another type or goes: an error or a result, never a crash. */
static void damage(json_t *value, unsigned *left)
{
	const char *key;
	json_t *child;
	void *next;

	json_object_foreach_safe(value, next, key, child)
	{
		if ((*left)-- == 0) {
			if (json_is_string(child))
				json_object_set_new(value, key, json_integer(-1));
			else
				json_object_del(value, key);
			return;
		}
		damage(child, left);
		if (*left == UINT32_MAX)
			return;
	}
	size_t i;
	json_array_foreach(value, i, child)
	{
		damage(child, left);
		if (*left == UINT32_MAX)
			return;
	}
}

Test(json, any_member_damaged_names_it_and_does_not_crash)
{
	unsigned refused = 0;

	/* The two intervals that stand for all. */
	while (json_array_size(at("iotop_bench/timeline")) > 2)
		json_array_remove((json_t *)(uintptr_t)at("iotop_bench/timeline"), 2);
	json_t *own = json_copy(json_object_get(root, "iotop_bench"));
	for (unsigned i = 0; i < 2000; i++) {
		json_t *copy = json_pack("{s:o}", "iotop_bench", json_deep_copy(own));
		unsigned left = i;
		struct iob_error err = {0};

		damage(copy, &left);
		char *dump = json_dumps(copy, 0);
		if (read_error_of(dump, strlen(dump), &err))
			refused++;
		free(dump);
		json_decref(copy);
		if (left != UINT32_MAX)
			break;
	}
	json_decref(own);
	cr_expect_gt(refused, 300);
}

Test(json, a_bad_value_is_named)
{
	static const struct {
		const char *what, *member, *value, *says;
	} rows[] = {
		{"text for a number", "elapsed_ms", "\"x\"", "elapsed_ms must be a whole number"},
		{"negative", "elapsed_ms", "-1", "elapsed_ms must be a whole number"},
		{"too many stages", "stages", "[1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8]", "1 to 16"},
		{"no stage", "stages", "[]", "stages must hold"},
		{"stage of another type", "stages", "[1]", "stages[0] must be an object"},
		{"timeline of another type", "timeline", "{}", "timeline must be an array"},
		{"unknown outcome", "outcome", "\"fine\"", "outcome is none of"},
		{"too large", "seed", "\"99999999999999999999\"", "seed must be"},
		{"newer format", "format", "99", "format is newer"},
		{"null", "host", "null", "host must be an object"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		json_t *copy = json_deep_copy(root);
		struct iob_error err = {0};

		json_object_set_new(json_object_get(copy, "iotop_bench"), rows[i].member,
			json_loads(rows[i].value, JSON_DECODE_ANY, NULL));
		char *dump = json_dumps(copy, 0);
		cr_expect_lt(read_error_of(dump, strlen(dump), &err), 0, "%s", rows[i].what);
		cr_expect_eq(err.kind, IOB_ERR_USAGE);
		cr_expect_not_null(
			strstr(err.text, rows[i].says), "%s: %s", rows[i].what, err.text);
		free(dump);
		json_decref(copy);
	}
}

Test(json, files_that_are_no_saved_runs_are_refused_in_words)
{
	struct iob_result r;
	struct iob_error err = {0};
	const char *fio = "{\"fio version\":\"fio-3.33\",\"jobs\":[]}";
	const char *huge = "{\"iotop_bench\":{\"format\":1e9999}}";
	const char *big = "{\"iotop_bench\":{\"format\":123456789012345678901234567890}}";

	cr_expect_lt(iob_result_read(&r, "/tmp", &err), 0);
	cr_expect_not_null(strstr(err.text, "is a directory"), "%s", err.text);
	cr_expect_lt(iob_result_read(&r, "/nonexistent/file", &err), 0);
	cr_expect_not_null(strstr(err.text, "No such file"), "%s", err.text);
	cr_expect_lt(read_error_of("", 0, &err), 0);
	cr_expect_lt(read_error_of("[]", 2, &err), 0);
	cr_expect_lt(read_error_of("{}", 2, &err), 0);
	cr_expect_lt(read_error_of(huge, strlen(huge), &err), 0);
	cr_expect_lt(read_error_of(big, strlen(big), &err), 0);
	cr_expect_lt(read_error_of("\xff\xfe{}", 4, &err), 0);
	cr_expect_lt(read_error_of(fio, strlen(fio), &err), 0);
	cr_expect_not_null(strstr(err.text, "jobs must hold at least one job"), "%s", err.text);
	char deep[5000];
	memset(deep, '[', sizeof(deep));
	cr_expect_lt(read_error_of(deep, sizeof(deep), &err), 0);
}
