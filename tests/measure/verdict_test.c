/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

#include "measure/verdict.h"

#define GIB (UINT64_C(1) << 30)

TestSuite(verdict, .timeout = 10);

/* A sound run: ten seconds of direct reads that the disk confirms. */
struct situation {
	char code[16]; /* the one that it raises; "" = none */
	struct iob_verdict_facts f;
	double seconds;
	uint64_t ios, read_bytes, write_bytes, trim_bytes;
	double depth, bw; /* by Little's law; bytes per second */
	uint64_t thin_ms;
	struct iob_steady course;
};

static struct situation sound(const char *code)
{
	struct situation s = {
		.f = {.region_bytes = 8 * GIB,
			.ram_bytes = 4 * GIB,
			.has_disk = true,
			.device_read_bytes = GIB,
			.worker_cpu_max = 0.2,
			.queue_limit = 256,
			.depth = 32,
			.reads = true,
			.constant = true,
			.closed_loop = true,
			.around = {.numa_node = -1,
				.physical_block = 4096,
				.smallest_block = 4096}},
		.seconds = 10,
		.ios = 100000,
		.read_bytes = GIB,
	};

	snprintf(s.code, sizeof(s.code), "%s", code);
	return s;
}

static struct iob_warnings judge(const struct situation *s)
{
	static struct iob_segment_figures total;
	struct iob_verdict_facts f = s->f;
	struct iob_warnings w;

	total = (struct iob_segment_figures){.seconds = s->seconds};
	total.dir[IOB_READ].bytes = s->read_bytes;
	total.dir[IOB_READ].ios = s->read_bytes ? s->ios : 0;
	total.dir[IOB_WRITE].bytes = s->write_bytes;
	total.dir[IOB_WRITE].ios = s->write_bytes ? s->ios : 0;
	total.dir[IOB_TRIM].bytes = s->trim_bytes;
	for (int d = 0; d < IOB_NDIR && s->seconds > 0; d++)
		total.dir[d].iops = (double)total.dir[d].ios / s->seconds;
	total.all.ios = s->ios;
	total.all.iops = s->seconds > 0 ? (double)s->ios / s->seconds : 0;
	total.all.bw = s->bw;
	total.to_ms = 10000;
	total.thin_ms = s->thin_ms;
	total.depth = s->depth > 0 ? s->depth : (double)s->f.depth;
	f.steady = &s->course;
	f.total = &total;
	iob_verdict(&w, &f);
	return w;
}

#define ROWS 120

static size_t nrows;
static struct situation rows[ROWS];

static struct situation *row(const char *code)
{
	rows[nrows] = sound(code);
	return &rows[nrows++];
}

static void writes(struct situation *s)
{
	s->read_bytes = 0;
	s->f.device_read_bytes = 0;
	s->write_bytes = s->f.device_write_bytes = GIB;
	s->f.is_write_run = true;
	s->f.reads = false;
}

/* Pairs: what raises a warning, and what is just not enough for it. */
static void rows_of_the_disk(void)
{
	struct situation *s;

	row("");
	row("SHORT")->seconds = 4.9;
	row("")->seconds = 5;
	row("SHORT")->ios = 999;
	row("")->ios = 1000;
	s = row("");
	s->seconds = 4.9;
	s->f.running = true;
	row("CACHED")->f.device_read_bytes = GIB / 2 - 1;
	row("")->f.device_read_bytes = GIB / 2;
	s = row("");
	s->f.device_read_bytes = 0;
	s->f.has_disk = false;
	s = row("");
	s->f.device_read_bytes = 0;
	s->f.null_engine = true;
	writes(row(""));
	s = row("CACHED");
	writes(s);
	s->f.buffered = true;
	s->f.device_write_bytes = GIB / 2 - 1;
	s = row("");
	writes(s);
	s->f.buffered = true;
	s->f.device_write_bytes = GIB / 2;
	s = row("");
	writes(s);
	s->f.device_write_bytes = 1;
	row("FOREIGN")->f.device_read_bytes = GIB + GIB / 20 + (2 << 20);
	row("")->f.device_read_bytes = GIB + GIB / 20;
	row("FOREIGN")->f.device_write_bytes = 2 << 20;
	row("")->f.device_write_bytes = 1 << 20;
	/* Trims that the kernel counts as writes. */
	s = row("");
	s->trim_bytes = s->f.device_write_bytes = 8 << 20;
}

static void rows_of_the_set_up(void)
{
	struct situation *s;

	row("ODIRECT")->f.direct_refused = true;
	s = row("RAM");
	s->f.buffered = true;
	s->f.region_bytes = 4 * GIB - 1;
	row("")->f.buffered = true;
	row("")->f.region_bytes = 1 * GIB;
	row("OVERLAP")->f.region_overlap = true;
	s = row("ZERO");
	writes(s);
	s->f.zero_buffers = true;
	row("")->f.zero_buffers = true;
	row("SPARSE")->f.sparse_bytes = GIB;
	row("")->f.sparse_bytes = 8 * GIB / 101;
	s = row("");
	writes(s);
	s->f.sparse_bytes = GIB;
	row("TOOLBOUND")->f.worker_cpu_max = 0.91;
	row("")->f.worker_cpu_max = 0.9;
	s = row("");
	s->f.worker_cpu_max = 1;
	s->f.null_engine = true;
	row("SMALLQUEUE")->f.depth = 257;
	row("")->f.depth = 256;
	s = row("");
	s->f.depth = 10000;
	s->f.queue_limit = 0;
	row("SYNCDEPTH")->f.one_deep[0] = 'x';
	row("STALL")->f.stall_ns = 1000000000;
	row("")->f.stall_ns = 999999999;
	s = row("");
	s->f.stall_ns = 2500000000;
	s->f.slot_ns = 2000000000;
	s = row("STALL");
	s->f.stall_ns = 3000000000;
	s->f.slot_ns = 2000000000;
	s = row("CPULOST");
	s->f.around.cpus = 2;
	s->f.around.cpus_fewest = 1;
	s = row("");
	s->f.around.cpus = s->f.around.cpus_fewest = 2;
	s = row("GAP");
	s->f.gap.count = 1;
	s->f.gap.ns = 200000000;
	s = row("GAP");
	s->f.gap.count = 1;
	s->f.gap.asleep_ns = 200000000;
	/* While nothing is heard of the load process, nothing is known of the device. */
	s = row("GAP");
	s->f.silent_ns = s->f.stall_ns = 1500000000;
	s = row("BEHIND");
	s->f.asked_ios = 10000;
	s->f.paced_ios = 9499;
	s = row("");
	s->f.asked_ios = 10000;
	s->f.paced_ios = 9500;
	/* Ten are too few to tell. */
	s = row("");
	s->f.asked_ios = 10;
	s->f.paced_ios = 5;
}

/* n windows of equal length at these rates. */
static void course(struct situation *s, unsigned n, double first, double second)
{
	for (unsigned i = 0; i < n; i++)
		iob_steady_add(&s->course, i < n / 4 ? first : second, 4096);
}

static void rows_of_the_course(void)
{
	struct situation *s;

	course(row("BURST"), 24, 2000, 1000);
	course(row(""), 24, 1150, 1000);
	/* Faster later is no allowance that was used up, but not steady either. */
	course(row("NOTSTEADY"), 24, 1000, 3000);
	course(row(""), 24, 1000, 1000);
	/* Too few I/Os in a window to tell. */
	course(row(""), 24, 20, 10);
	s = row("NOTSTEADY");
	for (unsigned i = 0; i < 24; i++)
		iob_steady_add(&s->course, i % 2 ? 1600 : 900, 4096);
	s = row("");
	for (unsigned i = 0; i < 24; i++)
		iob_steady_add(&s->course, i % 2 ? 1100 : 900, 4096);
	row("LITTLE")->depth = 36;
	row("")->depth = 35;
	row("LITTLE")->depth = 15;
	row("")->depth = 16;
	s = row("");
	s->depth = 15;
	s->thin_ms = 8900;
	s = row("LITTLE");
	s->depth = 15;
	s->thin_ms = 9100;
	s = row("");
	s->depth = 15;
	s->f.closed_loop = false;
	s = row("");
	s->depth = 40;
	s->f.constant = false;
	s = row("MERGED");
	s->f.merges[IOB_READ] = 80000;
	s->f.device_ios[IOB_READ] = 20000;
	/* Those of others, while all of ours arrived. */
	s = row("");
	s->f.merges[IOB_READ] = 80000;
	s->f.device_ios[IOB_READ] = 110000;
	s = row("");
	s->f.merges[IOB_WRITE] = 5000;
	/* Fewer, but none is larger: the others are not written yet. */
	s = row("");
	s->f.merges[IOB_READ] = 80000;
	s->f.device_ios[IOB_READ] = 60000;
	s->f.device_read_bytes = s->read_bytes * 6 / 10;
}

static void rows_of_the_disk_and_its_queue(void)
{
	struct situation *s;

	row("MISALIGN")->f.around.start_bytes = 63 * 512;
	row("")->f.around.start_bytes = 2048 * 512;
	s = row("MISALIGN");
	s->f.around.start_bytes = 2048 * 512;
	s->f.around.optimal_io = 3 << 19;
	s = row("");
	s->f.around.start_bytes = 3 << 20;
	s->f.around.optimal_io = 3 << 19;
	/* What a bad bridge tells. */
	s = row("");
	s->f.around.start_bytes = 2048 * 512;
	s->f.around.optimal_io = 33553920;
	row("MISALIGN")->f.around.alignment_bytes = 512;
	s = row("MISALIGN");
	writes(s);
	s->f.around.smallest_block = 512;
	row("")->f.around.smallest_block = 512;
	snprintf(row("SCHED")->f.around.scheduler, 32, "bfq");
	s = row("");
	snprintf(s->f.around.scheduler, 32, "bfq");
	s->f.rotational = true;
	snprintf(row("")->f.around.scheduler, 32, "mq-deadline");
	s = row("SCHED");
	snprintf(s->f.around.scheduler, 32, "mq-deadline");
	s->ios = 200000;
	s = row("SCHED");
	snprintf(s->f.around.scheduler, 32, "kyber");
	s->f.around.is_nvme = true;
	s = row("");
	snprintf(s->f.around.scheduler, 32, "none");
	s->f.around.is_nvme = true;
	s = row("AIOSYNC");
	s->f.buffered = s->f.around.aio_sync = true;
	s = row("ODIRECT");
	snprintf(s->f.around.memory_fs, 16, "tmpfs");
	snprintf(row("RAM")->f.around.memory_disk, 16, "zram");
	s = row("RAM");
	s->f.around.cached_loop = true;
	s->f.region_bytes = 1 * GIB;
	row("")->f.around.cached_loop = true;
	snprintf(row("INUSE")->f.around.writer, 64, "dd (1, writing)");
}

static void rows_of_the_machine(void)
{
	struct situation *s;

	s = row("NUMA");
	s->f.around.numa_node = 1;
	s->f.around.numa_cpus = 8;
	s->f.around.numa_off = 4;
	s = row("");
	s->f.around.numa_node = 1;
	s->f.around.numa_cpus = 8;
	snprintf(row("POWERSAVE")->f.around.governor, 24, "powersave");
	s = row("LINK");
	s->f.around.link_bps = 2000000000;
	s->f.around.link_max_bps = 4000000000;
	s = row("LINK");
	s->f.around.link_bps = s->f.around.link_max_bps = 600000000;
	s->bw = 700e6;
	s = row("");
	s->f.around.link_bps = s->f.around.link_max_bps = 600000000;
	s->bw = 600e6;
	s = row("THERMAL");
	s->f.around.temp_mc = 75000;
	s->f.around.temp_limit_mc = 75000;
	s = row("");
	s->f.around.temp_mc = 74999;
	s->f.around.temp_limit_mc = 75000;
	row("THERMAL")->f.around.cpu_throttles = 1;
	s = row("THROTTLED");
	s->f.around.cpu_quota = 0.5;
	s->f.around.cpu_held_ns = 200000000;
	s = row("");
	s->f.around.cpu_quota = 0.5;
	s->f.around.cpu_held_ns = 50000000;
	row("THROTTLED")->f.around.cap_iops[IOB_READ] = 10000;
	row("")->f.around.cap_iops[IOB_READ] = 12000;
	row("")->f.around.cap_iops[IOB_WRITE] = 10;
}

ParameterizedTestParameters(verdict, a_situation_raises_its_warning_and_no_other)
{
	nrows = 0;
	rows_of_the_disk();
	rows_of_the_set_up();
	rows_of_the_course();
	rows_of_the_disk_and_its_queue();
	rows_of_the_machine();
	return cr_make_param_array(struct situation, rows, nrows);
}

ParameterizedTest(struct situation *s, verdict, a_situation_raises_its_warning_and_no_other)
{
	struct iob_warnings w = judge(s);

	cr_assert_eq(w.count, s->code[0] ? 1 : 0, "%u warnings, first %s, wanted \"%s\"", w.count,
		w.item[0].code, s->code);
	if (!s->code[0])
		return;
	cr_assert_str_eq(w.item[0].code, s->code);
	/* A whole sentence, not cut off. */
	cr_assert_eq(w.item[0].text[strlen(w.item[0].text) - 1], '.', "%s", w.item[0].text);
}

Test(verdict, a_warning_carries_its_figures)
{
	struct situation s = sound("");

	s.f.device_read_bytes = 1024;
	struct iob_warnings w = judge(&s);
	cr_assert_eq(w.count, 1);
	cr_assert_not_null(strstr(w.item[0].text, "1KiB"), "%s", w.item[0].text);
	cr_assert_not_null(strstr(w.item[0].text, "--direct=1"));
	cr_assert_eq(w.item[0].nevidence, 2);
	cr_assert_str_eq(w.item[0].evidence[0].name, "device_bytes");
	cr_assert_eq(w.item[0].evidence[0].value, 1024);
	cr_assert_eq(w.item[0].evidence[1].value, (double)GIB);
}

Test(verdict, a_short_run_gets_the_remedy_that_helps)
{
	struct situation s = sound("");

	s.seconds = 1;
	struct iob_warnings w = judge(&s);
	cr_assert_eq(w.count, 1);
	cr_assert_not_null(strstr(w.item[0].text, "--runtime"), "%s", w.item[0].text);
	s.f.by_size = true;
	w = judge(&s);
	cr_assert_not_null(strstr(w.item[0].text, "--size"), "%s", w.item[0].text);
	s.f.by_number = true;
	w = judge(&s);
	cr_assert_not_null(strstr(w.item[0].text, "--number_ios"), "%s", w.item[0].text);
}

static void expect_whole_sentences(const struct iob_warnings *w)
{
	for (unsigned i = 0; i < w->count; i++)
		cr_expect_eq(w->item[i].text[strlen(w->item[i].text) - 1], '.', "%s: %s",
			w->item[i].code, w->item[i].text);
}

static void fill(char *text, size_t n)
{
	memset(text, 'x', n - 1);
	text[n - 1] = '\0';
}

static void fill_around(struct iob_surroundings *a)
{
	a->aio_sync = true;
	a->start_bytes = a->physical_block = UINT64_MAX;
	a->alignment_bytes = UINT64_MAX;
	a->numa_node = INT32_MAX;
	a->numa_off = a->numa_cpus = UINT32_MAX;
	a->cpu_khz = a->cpu_max_khz = UINT64_MAX;
	a->link_bps = UINT64_MAX / 2;
	a->link_max_bps = UINT64_MAX;
	a->temp_mc = a->temp_limit_mc = INT32_MAX;
	a->cpu_held_ns = UINT64_MAX;
	a->cpu_quota = 123.456;
	fill(a->scheduler, sizeof(a->scheduler));
	fill(a->governor, sizeof(a->governor));
	fill(a->link, sizeof(a->link));
	fill(a->writer, sizeof(a->writer));
	a->is_nvme = true;
}

Test(verdict, the_largest_figures_do_not_cut_a_sentence)
{
	struct situation s = sound("");

	s.ios = 1;
	s.seconds = 1;
	s.read_bytes = UINT64_MAX;
	s.f.device_read_bytes = 0;
	s.f.device_write_bytes = UINT64_MAX;
	s.f.buffered = s.f.direct_refused = s.f.region_overlap = true;
	s.f.one_deep[0] = 'x';
	s.f.ram_bytes = UINT64_MAX;
	s.f.region_bytes = s.f.sparse_bytes = UINT64_MAX - 1;
	s.f.depth = UINT64_MAX;
	s.f.queue_limit = UINT64_MAX - 1;
	s.f.stall_ns = UINT64_MAX;
	s.f.worker_cpu_max = 1;
	s.f.asked_ios = 1e18;
	fill_around(&s.f.around);
	struct iob_warnings w = judge(&s);
	cr_expect_eq(w.count, 21);
	expect_whole_sentences(&w);
	s.f.around.alignment_bytes = 0;
	s.f.around.cpu_quota = 0;
	s.f.around.cap_bps[IOB_READ] = 1;
	s.f.direct_refused = s.f.buffered = false;
	fill(s.f.around.memory_fs, sizeof(s.f.around.memory_fs));
	w = judge(&s);
	expect_whole_sentences(&w);
}

Test(verdict, before_a_run_nothing_is_said_of_its_figures)
{
	struct situation s = sound("");

	s.ios = 0;
	s.seconds = 0;
	s.f.before = true;
	struct iob_warnings w = judge(&s);
	cr_expect_eq(w.count, 0, "%s", w.item[0].code);
	s.f.around.start_bytes = 63 * 512;
	s.f.around.cap_iops[IOB_READ] = 100;
	s.f.sparse_bytes = GIB;
	w = judge(&s);
	cr_assert_eq(w.count, 3);
	cr_expect(iob_warnings_have(&w, "MISALIGN"));
	cr_expect(iob_warnings_have(&w, "THROTTLED"));
	cr_expect(iob_warnings_have(&w, "SPARSE"));
	expect_whole_sentences(&w);
}

Test(verdict, a_screen_holds_on_to_what_was_raised)
{
	const uint64_t second = 1000000000;
	struct iob_held_warnings held = {0};
	struct iob_warnings none = {0}, one = {0};

	iob_warning_add(&one, "A", "first.");
	iob_warnings_hold(&held, &one, 10 * second);
	iob_warnings_hold(&held, &none, 15 * second);
	cr_assert_eq(held.shown.count, 1, "it stays for five seconds");
	iob_warnings_hold(&held, &none, 15 * second + 1);
	cr_assert_eq(held.shown.count, 0);
	iob_warnings_hold(&held, &one, 20 * second);
	snprintf(one.item[0].text, sizeof(one.item[0].text), "second.");
	iob_warning_add(&one, "B", "other.");
	iob_warnings_hold(&held, &one, 21 * second);
	cr_assert_eq(held.shown.count, 2);
	cr_expect_str_eq(held.shown.item[0].text, "first.", "its figures do not swim");
	iob_warnings_hold(&held, &one, 22 * second);
	cr_expect_str_eq(held.shown.item[0].text, "second.");
}

Test(verdict, more_warnings_and_evidence_than_there_is_room_are_left_out)
{
	struct iob_warnings w = {0};

	iob_warning_evidence(&w, "nothing to hold on to", 1);
	for (int i = 0; i < IOB_MAX_WARNINGS + 5; i++)
		iob_warning_add(&w, "CODE", "%0300d", i);
	cr_assert_eq(w.count, IOB_MAX_WARNINGS);
	cr_assert_eq(strlen(w.item[0].text), sizeof(w.item[0].text) - 1);
	for (int i = 0; i < 9; i++)
		iob_warning_evidence(&w, "n", i);
	cr_assert_eq(w.item[IOB_MAX_WARNINGS - 1].nevidence, 6);
}
