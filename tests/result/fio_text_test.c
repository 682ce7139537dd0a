/* SPDX-License-Identifier: MIT */
/* fio's normal output, line by line: the reports are built by hand, the text is what fio 3.33 makes
 * of the same figures. */
#include <config.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/sample_fio_report.h"

/* clang-format off */
static const char golden[] =
	"\n"
	"mix: (groupid=0, jobs=2): err= 0: pid=4711: Tue Nov 14 22:13:20 2023\n"
	"  read: IOPS=1000, BW=4000KiB/s (4096kB/s)(4000KiB/1000msec)\n"
	"    slat (nsec): min=1500, max=1500, avg=1500.00, stdev= 0.00\n"
	"    clat (usec): min=100, max=30000, avg=399.00, stdev=2976.50\n"
	"     lat (usec): min=101, max=30001, avg=400.50, stdev=2976.50\n"
	"    clat percentiles (usec):\n"
	"     | 50.00th=[  100], 99.00th=[  100], 99.90th=[30000]\n"
	"   bw (  KiB/s): min= 3600, max= 4400, per=100.00%, avg=4000.00, stdev=400.00, samples=2\n"
	"   iops        : min=  900, max= 1100, avg=1000.00, stdev=100.00, samples=2\n"
	"  write: IOPS=500, BW=4000KiB/s (4096kB/s)(4000KiB/1000msec); 0 zone resets\n"
	"    slat (nsec): min=2000, max=2000, avg=2000.00, stdev= 0.00\n"
	"    clat (nsec): min=700, max=1234.6k, avg=3167.73, stdev=55180.21\n"
	"     lat (usec): min=2, max=1236, avg= 5.17, stdev=55.18\n"
	"    clat percentiles (nsec):\n"
	"     | 50.00th=[    700], 99.00th=[    700], 99.90th=[1234567]\n"
	"   bw (  KiB/s): min= 3600, max= 4400, per=100.00%, avg=4000.00, stdev=400.00, samples=2\n"
	"   iops        : min=  450, max=  550, avg=500.00, stdev=50.00, samples=2\n"
	"  lat (nsec)   : 750=33.27%\n"
	"  lat (usec)   : 100=43.31%, 250=22.69%\n"
	"  lat (msec)   : 2=0.07%, 50=0.67%\n"
	"  fsync/fdatasync/sync_file_range:\n"
	"    sync (nsec): min=5000.0k, max=5000.0k, avg=5000000.00, stdev= 0.00\n"
	"    sync percentiles (usec):\n"
	"     | 50.00th=[ 5000], 99.00th=[ 5000], 99.90th=[ 5000]\n"
	"  cpu          : usr=1.25%, sys=10.50%, ctx=1234, majf=0, minf=7\n"
	"  IO depths    : 1=0.1%, 2=0.0%, 4=0.0%, 8=99.9%, 16=0.0%, 32=0.0%, >=64=0.0%\n"
	"     submit    : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
	"     complete  : 0=25.0%, 4=75.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
	"     issued rwts: total=1000,500,0,50 short=0,3,0,0 dropped=0,0,0,0\n"
	"     latency   : target=0, window=0, percentile=100.00%, depth=8\n"
	"lone: (groupid=0, jobs=1): err= 5 (file:/dev/sdx, func=trim, error=Input/output error): pid=4711: Tue Nov 14 22:13:20 2023\n"
	"  Description  : [by itself]\n"
	"  trim: IOPS=1000, BW=62.5MiB/s (65.5MB/s)(125MiB/2000msec)\n"
	"    clat (nsec): min=999000, max=999000, avg=999000.00, stdev= 0.00\n"
	"     lat (nsec): min=999000, max=999000, avg=999000.00, stdev= 0.00\n"
	"    clat percentiles (usec):\n"
	"     | 50.00th=[  999], 99.00th=[  999], 99.90th=[  999]\n"
	"   bw (  KiB/s): min=115200, max=140800, per=100.00%, avg=128000.00, stdev=12800.00, samples=2\n"
	"   iops        : min= 1800, max= 2200, avg=2000.00, stdev=200.00, samples=2\n"
	"  lat (usec)   : 1000=100.00%\n"
	"  cpu          : usr=1.25%, sys=10.50%, ctx=1234, majf=0, minf=7\n"
	"  IO depths    : 1=100.0%, 2=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%\n"
	"     submit    : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
	"     complete  : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
	"     issued rwts: total=0,0,2000,0 short=0,0,0,0 dropped=0,0,0,0\n"
	"     errors    : total=2, first_error=5/<Input/output error>\n"
	"     latency   : target=0, window=0, percentile=100.00%, depth=1\n"
	"\n"
	"Run status group 0 (all jobs):\n"
	"   READ: bw=4000KiB/s (4096kB/s), 4000KiB/s-4000KiB/s (4096kB/s-4096kB/s), io=4000KiB (4096kB), run=1000-1000msec\n"
	"  WRITE: bw=4000KiB/s (4096kB/s), 4000KiB/s-4000KiB/s (4096kB/s-4096kB/s), io=4000KiB (4096kB), run=1000-1000msec\n"
	"   TRIM: bw=62.5MiB/s (65.5MB/s), 62.5MiB/s-62.5MiB/s (65.5MB/s-65.5MB/s), io=125MiB (131MB), run=2000-2000msec\n"
	"\n"
	"Disk stats (read/write):\n"
	"    dm-0: ios=1000/500, merge=0/0, ticks=300/20, in_queue=320, util=40.50%, aggrios=1001/501, aggrmerge=2/3, aggrticks=301/21, aggrin_queue=322, aggrutil=41.25%\n"
	"  vda: ios=1001/501, merge=2/3, ticks=301/21, in_queue=322, util=41.25%\n";
/* clang-format on */

static struct iob_fio_report report;
static char *text;

static void set_up(void)
{
	setenv("TZ", "UTC", 1);
	iob_sample_fio_report(&report);
}

static void tear_down(void)
{
	iob_fio_report_free(&report);
	free(text);
}

TestSuite(fio_text, .init = set_up, .fini = tear_down);

static void print(void)
{
	struct iob_error err = {0};
	size_t size = 0;

	free(text);
	text = NULL;
	FILE *f = open_memstream(&text, &size);
	cr_assert_eq(iob_fio_report_text(&report, f, &err), 0, "%s", err.text);
	cr_assert_eq(fclose(f), 0);
}

static void only_mix(void)
{
	free(report.entry[1].detail);
	report.entry[1].detail = NULL;
	report.nentries = 1;
}

static void expect(const char *line)
{
	cr_expect(strstr(text, line), "\"%s\" is not in:\n%s", line, text);
}

static void expect_no(const char *line)
{
	cr_expect(!strstr(text, line), "\"%s\" is in:\n%s", line, text);
}

Test(fio_text, is_fios_line_by_line)
{
	print();
	for (const char *a = golden, *b = text; *a || *b;) {
		size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");

		cr_assert(n == m && strncmp(a, b, n) == 0, "want \"%.*s\"\ngot  \"%.*s\"", (int)n,
			a, (int)m, b);
		a += n + (a[n] != '\0');
		b += m + (b[m] != '\0');
	}
}

Test(fio_text, idleness_stands_at_the_end)
{
	static const char system[] = "util=41.25%\n\nCPU idleness:\n  system: 49.81%\n"
				     "  unit work: mean=1.83us, stddev=0.25\n";
	static const char percpu[] = "  system: 49.81%\n  percpu: 97.50%, 2.12%\n  unit work: ";

	report.idleness = &iob_sample_idleness;
	print();
	cr_expect_str_eq(text + strlen(text) - strlen(system), system);
	report.percpu = true;
	print();
	expect(percpu);
}

Test(fio_text, decimal_base_comes_first_if_asked_for)
{
	report.entry[1].kb_base = report.group[0].kb_base = 1000;
	print();
	expect("  trim: IOPS=1000, BW=65.5MB/s (62.5MiB/s)(131MB/2000msec)\n");
	expect("   bw (   kB/s): min=115200,");
	expect("   TRIM: bw=65.5MB/s (62.5MiB/s), 65.5MB/s-65.5MB/s (62.5MiB/s-62.5MiB/s), "
	       "io=131MB (125MiB), run=2000-2000msec\n");
}

Test(fio_text, bits_and_digits_if_asked_for)
{
	report.entry[1].unit_base = 1;
	report.entry[1].significant_figures = 6;
	print();
	expect("  trim: IOPS=1000, BW=512000Kibit/s (524288kbit/s)(128000KiB/2000msec)\n");
}

Test(fio_text, above_a_gib_per_second_the_row_changes_its_unit)
{
	report.entry[1].dir[IOB_TRIM].bw =
		(struct iob_fio_samples){.n = 1, .min = 2e6, .max = 2e6, .mean = 2e6};
	print();
	expect("   bw (  MiB/s): min= 1953, max= 1953, per=100.00%, avg=1953.12, stdev= 0.00, "
	       "samples=1\n");
}

Test(fio_text, rows_that_are_switched_off_are_not_there)
{
	struct iob_fio_entry *e = &report.entry[1];

	memset(&e->detail->dir[IOB_TRIM].clat, 0, sizeof(struct iob_span));
	memset(&e->detail->dir[IOB_TRIM].lat, 0, sizeof(struct iob_span));
	memset(&e->dir[IOB_TRIM].bw, 0, sizeof(struct iob_fio_samples));
	memset(&e->dir[IOB_TRIM].iops, 0, sizeof(struct iob_fio_samples));
	print();
	char *lone = strstr(text, "lone: ");
	cr_assert(lone);
	memmove(text, lone, strlen(lone) + 1);
	expect("  trim: IOPS=1000");
	expect_no("lat (");
	expect_no("percentiles");
	expect_no("   bw (");
	expect_no("   iops  ");
}

Test(fio_text, spans_that_are_disabled_are_not_there)
{
	struct iob_fio_entry *e = &report.entry[0];

	only_mix();
	e->lat_percentiles = true;
	e->disable_clat = true;
	print();
	expect("    slat (nsec)");
	expect("     lat (usec)");
	expect("    lat percentiles (usec)");
	expect_no("    clat");
	expect_no("  lat (usec)   :");
	e->disable_slat = e->disable_lat = true;
	print();
	expect_no("slat (");
	expect_no("lat (");
	expect_no("lat percentiles");
	expect("   bw (");
}

Test(fio_text, all_kinds_of_percentiles_in_fios_order)
{
	struct iob_fio_entry *e = &report.entry[0];

	e->slat_percentiles = e->lat_percentiles = true;
	print();
	const char *slat =
		strstr(text, "    slat percentiles (nsec):\n"
			     "     | 50.00th=[ 1500], 99.00th=[ 1500], 99.90th=[ 1500]\n");
	const char *clat = strstr(text, "    clat percentiles (usec):\n");
	const char *lat = strstr(text, "    lat percentiles (usec):\n");
	cr_expect(slat && clat && lat && slat < clat && clat < lat, "%s", text);
}

Test(fio_text, percentiles_wrap_and_take_the_width_they_need)
{
	struct iob_fio_entry *e = &report.entry[0];

	for (e->npercentiles = 0; e->npercentiles < 6; e->npercentiles++)
		e->percentile[e->npercentiles] = 1 + e->npercentiles;
	print();
	/* Five columns for the value: four in a line. */
	expect("     |  1.00th=[  100],  2.00th=[  100],  3.00th=[  100],  4.00th=[  100],\n"
	       "     |  5.00th=[  100],  6.00th=[  100]\n");
	e->percentile[5] = 99.99;
	e->percentile_precision = 0;
	print();
	expect("     |   1th=[    700],   2th=[    700],   3th=[    700],   4th=[    700],\n"
	       "     |   5th=[    700], 100th=[1234567]\n");
}

Test(fio_text, percentiles_are_never_outside_of_the_extremes)
{
	print();
	/* The middle of its bucket is 995328. */
	expect("     | 50.00th=[  999], 99.00th=[  999], 99.90th=[  999]\n");
}

static void mix(unsigned unified)
{
	struct iob_fio_entry *e = &report.entry[0];
	struct iob_error err = {0};

	e->unified = report.group[0].unified = unified;
	cr_assert_eq(iob_fio_entry_mix(e, &err), 0);
	only_mix();
	report.group[0].mixed = (struct iob_fio_group_dir){.agg_bw = 8192000,
		.min_bw = 8192000,
		.max_bw = 8192000,
		.bytes = 8192000,
		.min_ms = 1000,
		.max_ms = 1000};
	print();
}

Test(fio_text, mixed_alone_stands_for_all_directions)
{
	mix(1);
	expect("  mixed: IOPS=1500, BW=8000KiB/s (8192kB/s)(8000KiB/1000msec)\n");
	expect_no("  read: ");
	expect_no("  write: ");
	expect("issued rwts: total=1500,0,0,50 short=3,0,0,0 dropped=0,0,0,0\n");
	expect("  MIXED: bw=8000KiB/s (8192kB/s)");
	expect_no("   READ:");
}

Test(fio_text, mixed_beside_the_directions_has_its_own_figures)
{
	mix(2);
	expect("  read: IOPS=1000");
	expect("  write: IOPS=500");
	expect("  mixed: IOPS=1500, BW=8000KiB/s (8192kB/s)(8000KiB/1000msec)\n"
	       "    slat (nsec): min=1500, max=2000, avg=1666.67, stdev=235.78\n");
	expect("issued rwts: total=1000,500,0,50");
	expect("   READ: bw=4000KiB/s");
	expect("  MIXED: bw=8000KiB/s");
}

Test(fio_text, words_of_an_error_are_not_said_twice)
{
	snprintf(report.entry[1].error_where, sizeof(report.entry[1].error_where),
		"read of /dev/x at 4096: Input/output error (see the log)");
	print();
	expect("err= 5 (read of /dev/x at 4096, error=Input/output error): pid=");
	report.entry[1].error_where[0] = '\0';
	print();
	expect("err= 5 (error=Input/output error): pid=");
}

Test(fio_text, nothing_done_has_no_rows_but_its_block)
{
	struct iob_fio_entry *e = &report.entry[0];

	memset(e->detail, 0, sizeof(*e->detail));
	memset(e->dir, 0, sizeof(e->dir));
	for (int i = 0; i < IOB_NDIR; i++)
		e->dir[i].d = &e->detail->dir[i];
	memset(report.group[0].dir, 0, sizeof(report.group[0].dir));
	only_mix();
	report.ndisks = 0;
	print();
	expect("2023\n  cpu          : usr=");
	expect("  IO depths    : 1=0.0%, 2=0.0%,");
	expect("     submit    : 0=0.0%,");
	expect("\nRun status group 0 (all jobs):\n");
	expect_no("Disk stats");
}
