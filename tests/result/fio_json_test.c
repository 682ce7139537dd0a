/* SPDX-License-Identifier: MIT */
/* fio's JSON and terse reports of a report built by hand. */
#include <config.h>

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "support/sample_fio_report.h"

static struct iob_fio_report report;
static char *text;
static json_t *root;

static void set_up(void)
{
	setenv("TZ", "UTC", 1);
	iob_sample_fio_report(&report);
}

static void tear_down(void)
{
	iob_fio_report_free(&report);
	free(text);
	json_decref(root);
}

TestSuite(fio_json, .init = set_up, .fini = tear_down);

static void print_json(bool plus)
{
	struct iob_error err = {0};
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	cr_assert_eq(iob_fio_report_json(&report, plus, f, &err), 0, "%s", err.text);
	cr_assert_eq(fclose(f), 0);
	root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	cr_assert(root, "%s", text);
}

/* "jobs/0/read/iops" */
static json_t *at(const char *path)
{
	json_t *node = root;

	for (const char *p = path; node && *p;) {
		size_t n = strcspn(p, "/");
		char key[32];

		snprintf(key, sizeof(key), "%.*s", (int)n, p);
		node = json_is_array(node) ? json_array_get(node, (size_t)strtoul(key, NULL, 10))
					   : json_object_get(node, key);
		p += n + (p[n] == '/');
	}
	return node;
}

/* Keys in their order, with a letter for the type: i r s o a. */
static void expect_keys(const char *path, const char *want)
{
	char got[1024] = "";
	size_t used = 0;
	const char *key;
	json_t *value;

	json_object_foreach(at(path), key, value)
	{
		char type = json_is_integer(value)  ? 'i'
			    : json_is_real(value)   ? 'r'
			    : json_is_string(value) ? 's'
			    : json_is_object(value) ? 'o'
						    : 'a';

		used += (size_t)snprintf(
			got + used, sizeof(got) - used, "%s%s:%c", used ? " " : "", key, type);
	}
	cr_expect_str_eq(got, want, "%s:\nwant %s\ngot  %s", path, want, got);
}

static const char direction_keys[] =
	"io_bytes:i io_kbytes:i bw_bytes:i bw:i iops:r runtime:i total_ios:i short_ios:i "
	"drop_ios:i slat_ns:o clat_ns:o lat_ns:o bw_min:i bw_max:i bw_agg:r bw_mean:r bw_dev:r "
	"bw_samples:i iops_min:i iops_max:i iops_mean:r iops_stddev:r iops_samples:i";

Test(fio_json, keys_types_and_order_are_fios)
{
	static char rw[] = "rw";
	static char bs[] = "bs", four[] = "4k", bare[] = "time_based", size[] = "size",
		    empty[] = "";
	static const struct iob_option option[] = {
		{.key = bs, .value = four}, {.key = bare}, {.key = size, .value = empty}};

	report.entry[0].option = option;
	report.entry[0].noptions = 3;
	strcpy(report.entry[0].typed_name, report.entry[0].jobname);
	static const struct iob_option in_file[] = {{.key = rw, .value = four, .place.line = 3}};
	report.entry[1].option = in_file;
	report.entry[1].noptions = 1;
	print_json(false);
	expect_keys("jobs/1/job options", "rw:s");
	expect_keys("", "fio version:s timestamp:i timestamp_ms:i time:s jobs:a disk_util:a "
			"iotop_bench:o");
	expect_keys("jobs/0",
		"jobname:s groupid:i error:i eta:i elapsed:i job options:o read:o write:o trim:o "
		"sync:o job_runtime:i usr_cpu:r sys_cpu:r ctx:i majf:i minf:i iodepth_level:o "
		"iodepth_submit:o iodepth_complete:o latency_ns:o latency_us:o latency_ms:o "
		"latency_depth:i latency_target:i latency_percentile:r latency_window:i");
	expect_keys("jobs/0/job options", "name:s bs:s size:s");
	expect_keys("jobs/0/read", direction_keys);
	expect_keys("jobs/0/trim", direction_keys);
	expect_keys("jobs/0/read/slat_ns", "min:i max:i mean:r stddev:r N:i");
	expect_keys("jobs/0/read/clat_ns", "min:i max:i mean:r stddev:r N:i percentile:o");
	expect_keys("jobs/0/read/clat_ns/percentile", "50.000000:i 99.000000:i 99.900000:i");
	expect_keys("jobs/0/trim/clat_ns", "min:i max:i mean:r stddev:r N:i");
	expect_keys("jobs/0/sync", "total_ios:i lat_ns:o");
	expect_keys("jobs/0/sync/lat_ns", "min:i max:i mean:r stddev:r N:i percentile:o");
	expect_keys("jobs/0/iodepth_submit", "0:r 4:r 8:r 16:r 32:r 64:r >=64:r");
	expect_keys("disk_util/1",
		"name:s read_ios:i write_ios:i read_merges:i write_merges:i read_ticks:i "
		"write_ticks:i in_queue:i util:r");
	expect_keys("iotop_bench", "version:s seed:s warnings:a");
}

Test(fio_json, what_is_there_on_condition)
{
	static char rw[] = "rw", read[] = "read";
	static const struct iob_option global[] = {{.key = rw, .value = read}};

	report.global = global;
	report.nglobals = 1;
	print_json(true);
	expect_keys("global options", "rw:s");
	expect_keys("jobs/1/read/clat_ns", "min:i max:i mean:r stddev:r N:i");
	expect_keys("jobs/0/read/clat_ns", "min:i max:i mean:r stddev:r N:i percentile:o bins:o");
	expect_keys("jobs/0/read/clat_ns/bins", "99840:i 30015488:i");
	expect_keys("jobs/0/sync/lat_ns", "min:i max:i mean:r stddev:r N:i percentile:o bins:o");
	cr_expect_eq(json_integer_value(at("jobs/1/total_err")), 2);
	cr_expect_eq(json_integer_value(at("jobs/1/first_error")), 5);
	cr_expect_eq(json_integer_value(at("jobs/1/error")), 5);
	cr_expect_str_eq(json_string_value(at("jobs/1/desc")), "by itself");
	cr_expect_eq(json_integer_value(at("disk_util/0/aggr_write_merge")), 3);
	cr_expect_float_eq(json_real_value(at("disk_util/0/aggr_util")), 41.25, 1e-9);
}

Test(fio_json, figures)
{
	print_json(false);
	cr_expect_str_eq(json_string_value(at("fio version")), "fio-3.33");
	cr_expect_str_eq(json_string_value(at("time")), "Tue Nov 14 22:13:20 2023");
	cr_expect_eq(json_integer_value(at("timestamp_ms")), 1700000000123);
	cr_expect_eq(json_integer_value(at("jobs/0/read/bw_bytes")), 4096000);
	cr_expect_eq(json_integer_value(at("jobs/0/read/bw")), 4000);
	cr_expect_float_eq(json_real_value(at("jobs/0/read/iops")), 1000, 1e-9);
	cr_expect_eq(json_integer_value(at("jobs/0/read/clat_ns/percentile/99.900000")), 30000000);
	cr_expect_eq(json_integer_value(at("jobs/0/write/short_ios")), 3);
	cr_expect_float_eq(json_real_value(at("jobs/0/iodepth_complete/0")), 25, 1e-9);
	cr_expect_eq(json_integer_value(at("jobs/0/sync/total_ios")), 50);
	/* Six decimals, always. */
	cr_expect(strstr(text, "\"iops\" : 1000.000000,"));
	cr_expect(strstr(text, "\"usr_cpu\" : 1.250000,"));
}

Test(fio_json, eta_that_is_not_known_has_fios_number_for_it)
{
	report.entry[0].eta_s = UINT64_MAX;
	print_json(false);
	cr_expect_eq(json_integer_value(at("jobs/0/eta")), 2147483647);
	cr_expect_eq(json_integer_value(at("jobs/1/eta")), 0);
}

Test(fio_json, mixed_alone_replaces_directions_and_sync)
{
	struct iob_error err = {0};

	report.entry[0].unified = report.entry[1].unified = 1;
	cr_assert_eq(iob_fio_entry_mix(&report.entry[0], &err), 0);
	report.entry[1].unified = 2;
	cr_assert_eq(iob_fio_entry_mix(&report.entry[1], &err), 0);
	print_json(false);
	cr_expect(!at("jobs/0/read") && !at("jobs/0/sync"));
	expect_keys("jobs/0/mixed", direction_keys);
	cr_expect_eq(json_integer_value(at("jobs/0/mixed/total_ios")), 1500);
	cr_expect(at("jobs/1/read") && at("jobs/1/sync") && at("jobs/1/mixed"));
}

static unsigned print_terse(unsigned version)
{
	struct iob_error err = {0};
	size_t size = 0;
	unsigned fields = 1;

	free(text);
	FILE *f = open_memstream(&text, &size);
	cr_assert_eq(iob_fio_report_terse(&report, version, f, &err), 0, "%s", err.text);
	cr_assert_eq(fclose(f), 0);
	for (const char *p = text; *p != '\n'; p++)
		fields += *p == ';';
	return fields;
}

static const char *field(unsigned n)
{
	static char buf[64];
	const char *p = text;

	while (--n && strchr(p, ';'))
		p = strchr(p, ';') + 1;
	snprintf(buf, sizeof(buf), "%.*s", (int)strcspn(p, ";\n"), p);
	return buf;
}

Test(fio_json, spans_that_are_disabled_are_empty)
{
	report.entry[0].disable_clat = true;
	print_json(true);
	cr_expect_eq(json_integer_value(at("jobs/0/read/clat_ns/N")), 0);
	expect_keys("jobs/0/read/clat_ns", "min:i max:i mean:r stddev:r N:i");
	cr_expect_eq(json_integer_value(at("jobs/0/read/lat_ns/N")), 1000);
	cr_expect_float_eq(json_real_value(at("jobs/0/latency_us/100")), 0, 1e-9);
	print_terse(3);
	cr_expect_str_eq(field(14), "0");
	cr_expect_str_eq(field(18), "0%=0");
}

Test(fio_json, idleness)
{
	report.idleness = &iob_sample_idleness;
	print_json(false);
	expect_keys("cpu_idleness", "system:r unit_mean:r unit_stddev:r");
	cr_expect_float_eq(json_real_value(at("cpu_idleness/unit_mean")), 1.8349, 1e-6);
	free(text);
	json_decref(root);
	report.percpu = true;
	print_json(false);
	expect_keys("cpu_idleness", "system:r cpu-0:r cpu-2:r unit_mean:r unit_stddev:r");
	cr_expect_float_eq(json_real_value(at("cpu_idleness/cpu-2")), 2.125, 1e-6);
}

Test(fio_json, no_disk_no_key)
{
	report.ndisks = 0;
	print_json(false);
	cr_expect(!at("disk_util"));
}

Test(fio_json, terse_fields_stand_where_scripts_look)
{
	/* 5 + 2 x 41 + 5 cpu + 7 depths + 22 latencies, and 9 + 9 + 9 of disks. */
	cr_expect_eq(print_terse(3), 5 + 2 * 41 + 5 + 7 + 22 + 27);
	cr_expect_str_eq(field(1), "3");
	cr_expect_str_eq(field(2), "fio-3.33");
	cr_expect_str_eq(field(3), "mix");
	cr_expect_str_eq(field(7), "4000");
	cr_expect_str_eq(field(8), "1000");
	cr_expect_str_eq(field(18), "50.000000%=100");
	cr_expect_str_eq(field(21), "0%=0");
	cr_expect_str_eq(field(48), "4000");
	cr_expect_str_eq(field(49), "500");
	cr_expect_eq(print_terse(4), 5 + 3 * 41 + 5 + 7 + 22 + 27);
	cr_expect_eq(print_terse(5), 5 + 3 * 47 + 5 + 7 + 22 + 27);
	cr_expect_eq(print_terse(2), 4 + 3 * 41 + 5 + 7 + 22);
	cr_expect_str_eq(field(2), "mix");
	cr_expect(strstr(text, ";2;5;by itself\n"), "%s", text);
}

Test(fio_json, terse_knows_four_versions)
{
	struct iob_error err = {0};

	cr_expect_lt(iob_fio_report_terse(&report, 6, stderr, &err), 0);
	cr_expect(strstr(err.text, "terse_version=6"), "%s", err.text);
}
