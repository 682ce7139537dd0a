/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "result/fio_stats.h"
#include "result/host.h"
#include "result/result.h"
#include "support/sample_result.h"

static char directory[64];

static void set_up(void)
{
	snprintf(directory, sizeof(directory), "/tmp/iob-result-XXXXXX");
	cr_assert_not_null(mkdtemp(directory));
}

static void tear_down(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", directory);
	cr_expect_eq(system(command), 0);
}

TestSuite(result, .init = set_up, .fini = tear_down, .timeout = 10);

static void put(const char *name, const char *content)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	FILE *f = fopen(path, "w");
	cr_assert_not_null(f);
	fputs(content, f);
	cr_assert_eq(fclose(f), 0);
}

static unsigned entries(void)
{
	DIR *d = opendir(directory);
	unsigned n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

Test(result, host_is_read_and_cleaned)
{
	struct iob_host host;
	char proc[80];

	snprintf(proc, sizeof(proc), "%s/proc", directory);
	cr_assert_eq(mkdir(proc, 0700), 0);
	put("proc/cpuinfo",
		"processor\t: 0\nmodel\t\t: 5\nmodel name\t: Evil\x1b[2J CPU  \nx : y\n");
	put("proc/meminfo", "MemTotal:       16384 kB\nMemFree: 1 kB\n");
	iob_host_read(&host, directory);
	cr_expect_str_eq(host.cpu, "Evil?[2J CPU");
	cr_expect_eq(host.memory, 16384u * 1024);
	cr_expect_neq(host.name[0], '\0');
	cr_expect_neq(host.kernel[0], '\0');
	cr_expect_geq(host.cpus, 1u);
}

Test(result, host_without_proc_is_empty_not_an_error)
{
	struct iob_host host;

	iob_host_read(&host, "/nonexistent");
	cr_expect_str_eq(host.cpu, "");
	cr_expect_eq(host.memory, 0u);
}

Test(result, save_replaces_the_file_and_leaves_nothing_else)
{
	struct iob_result r, again;
	struct iob_error err = {0};
	char path[128];

	put("run.json", "old");
	snprintf(path, sizeof(path), "%s/run.json", directory);
	iob_sample_result(&r);
	cr_assert_eq(iob_result_save(&r, path, &err), 0, "%s", err.text);
	cr_expect_eq(entries(), 1u);
	cr_assert_eq(iob_result_read(&again, path, &err), 0, "%s", err.text);
	cr_expect_eq(again.total.all.ios, r.total.all.ios);
	cr_expect_eq(again.segment[1].params.live.iodepth, 64u);
	cr_expect_eq(again.stage[0].hist[IOB_READ]->total, r.stage[0].hist[IOB_READ]->total);
	iob_result_free(&again);
	iob_result_free(&r);
}

Test(result, save_that_fails_says_where_and_leaves_the_old_file)
{
	struct iob_result r;
	struct iob_error err = {0};
	char path[160];

	iob_sample_result(&r);
	snprintf(path, sizeof(path), "%s/none/run.json", directory);
	cr_expect_lt(iob_result_save(&r, path, &err), 0);
	cr_expect_not_null(strstr(err.text, "none"), "%s", err.text);
	cr_expect_lt(iob_result_save(&r, directory, &err), 0);
	cr_expect_lt(iob_result_save(&r, "/dev/full", &err), 0);
	cr_expect_eq(entries(), 0u);
	if (geteuid() == 0) {
		/* root may write anywhere: no read-only directory to try */
		iob_result_free(&r);
		return;
	}
	put("run.json", "old");
	cr_assert_eq(chmod(directory, 0500), 0);
	snprintf(path, sizeof(path), "%s/run.json", directory);
	cr_expect_lt(iob_result_save(&r, path, &err), 0);
	cr_assert_eq(chmod(directory, 0700), 0);
	FILE *f = fopen(path, "r");
	char old[8] = "";
	cr_expect_not_null(fgets(old, sizeof(old), f));
	cr_expect_str_eq(old, "old");
	fclose(f);
	iob_result_free(&r);
}

Test(result, formats_are_found_by_name)
{
	cr_expect_eq(iob_format_find("text"), &iob_formats[0]);
	cr_expect_not_null(iob_format_find("json"));
	cr_expect_null(iob_format_find("jso"));
	cr_expect_null(iob_format_find(""));
}

Test(result, samples_leave_out_ramp_pause_and_the_torn_end)
{
	struct iob_result r;
	struct iob_fio_series bw, iops;

	iob_sample_result(&r);
	r.segment[0].figures.kind = IOB_SEGMENT_RAMP;
	iob_fio_series(&r, 0, IOB_WRITE, &bw, &iops);
	cr_expect_eq(iops.samples, 6u);
	cr_expect_float_eq(iops.max, 4500, 1e-9);
	r.segment[1].figures.to_ms = 4950; /* the last interval is not whole */
	iob_fio_series(&r, 0, IOB_WRITE, &bw, &iops);
	cr_expect_eq(iops.samples, 5u);
	iob_fio_series(&r, 1, IOB_WRITE, &bw, &iops);
	cr_expect_eq(iops.samples, 0u);
	r.segment[1].figures.to_ms = 2300; /* shorter than one sample */
	iob_fio_series(&r, 0, IOB_WRITE, &bw, &iops);
	cr_expect_eq(iops.samples, 1u);
	cr_expect_float_eq(iops.mean, 4500, 1e-9);
	cr_expect_float_eq(bw.mean, 4500 * 4, 1e-9);
	iob_result_free(&r);
}

Test(result, latency_classes_are_fios)
{
	struct iob_result_stage stage = {0};
	struct iob_fio_latencies lat;
	static const uint64_t ns[] = {
		1, 3, 999, 1999, 50500, 950000, 1500000, 1600000000, 3000000000};

	stage.hist[IOB_READ] = calloc(1, sizeof(struct iob_hist));
	for (size_t i = 0; i < sizeof(ns) / sizeof(ns[0]); i++)
		stage.hist[IOB_READ]->count[iob_hist_index(ns[i])]++;
	stage.hist[IOB_READ]->count[IOB_HIST_BUCKETS]++;
	stage.hist[IOB_READ]->total = 10;
	iob_fio_latencies(&stage, &lat);
	cr_expect_float_eq(lat.ns[0], 10, 1e-9);
	cr_expect_float_eq(lat.ns[1], 10, 1e-9);
	cr_expect_float_eq(lat.ns[9], 10, 1e-9);
	cr_expect_float_eq(lat.us[0], 10, 1e-9);
	cr_expect_float_eq(lat.us[5], 10, 1e-9);
	cr_expect_float_eq(lat.us[9], 10, 1e-9);
	cr_expect_float_eq(lat.ms[0], 10, 1e-9);
	cr_expect_float_eq(lat.ms[10], 10, 1e-9);
	cr_expect_float_eq(lat.ms[11], 20, 1e-9);
	free(stage.hist[IOB_READ]);
}
