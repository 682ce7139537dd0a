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
	uint64_t ios, read_bytes, write_bytes;
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
			.depth = 32},
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
	total.all.ios = s->ios;
	f.total = &total;
	iob_verdict(&w, &f);
	return w;
}

#define ROWS 40

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
	row("FOREIGN")->f.device_read_bytes = GIB + GIB / 20 + (2 << 20);
	row("")->f.device_read_bytes = GIB + GIB / 20;
	row("FOREIGN")->f.device_write_bytes = 2 << 20;
	row("")->f.device_write_bytes = 1 << 20;
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

ParameterizedTestParameters(verdict, a_situation_raises_its_warning_and_no_other)
{
	nrows = 0;
	rows_of_the_disk();
	rows_of_the_set_up();
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
	struct iob_warnings w = judge(&s);
	cr_assert_eq(w.count, 12);
	for (unsigned i = 0; i < w.count; i++)
		cr_assert_eq(w.item[i].text[strlen(w.item[i].text) - 1], '.', "%s: %s",
			w.item[i].code, w.item[i].text);
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
	cr_assert_eq(w.item[IOB_MAX_WARNINGS - 1].nevidence, 4);
}
