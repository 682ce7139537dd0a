/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

#include "measure/limit.h"

TestSuite(limit, .timeout = 10);

struct situation {
	char what[16];
	struct iob_verdict_facts f;
	struct iob_segment_figures total;
};

#define ROWS 22

static struct situation rows[ROWS];
static size_t nrows;

/* A disk that is busy with 32 requests of ours. */
static struct situation *row(const char *what)
{
	struct situation *s = &rows[nrows++];

	*s = (struct situation){.f = {.has_disk = true,
					.constant = true,
					.depth = 32,
					.worker_cpu_max = 0.2,
					.host_cpu = 0.3,
					.device_read_bytes = 4096000,
					.around = {.numa_node = -1}},
		.total = {.seconds = 10, .depth = 32}};
	snprintf(s->what, sizeof(s->what), "%s", what);
	s->total.all.ios = s->total.dir[IOB_READ].ios = 1000;
	s->total.all.bytes = s->total.dir[IOB_READ].bytes = 4096000;
	s->total.all.bw = 409600;
	s->total.all.iops = s->total.dir[IOB_READ].iops = 100;
	s->total.disk.util = 99;
	return s;
}

static void make_rows(void)
{
	struct situation *s;

	nrows = 0;
	row("device");
	row("")->total.all.ios = 0;
	row("")->f.stages = true;
	s = row("rate");
	s->f.asked_ios = s->f.paced_ios = 1000;
	s = row("device");
	s->f.asked_ios = 2000;
	s->f.paced_ios = 1000;
	row("throttle")->f.around.cap_iops[IOB_READ] = 101;
	s = row("throttle");
	s->f.around.cpu_quota = 1;
	s->f.around.cpu_held_ns = 5000000000;
	row("cache")->f.device_read_bytes = 1000;
	s = row("cache");
	s->f.buffered = true;
	s->f.device_read_bytes = 1000;
	s->total.dir[IOB_WRITE].bytes = s->total.dir[IOB_READ].bytes;
	s->total.dir[IOB_READ].bytes = 0;
	row("cpu")->f.worker_cpu_max = 0.95;
	row("neighbour")->f.host_cpu = 1;
	/* Many workers that share the CPUs: nobody else is there. */
	s = row("cpu");
	s->f.host_cpu = 1;
	s->f.worker_cpu_max = 0.25;
	s->f.own_cpu = 0.9;
	row("neighbour")->f.device_read_bytes = 8192000;
	s = row("queue depth");
	s->f.depth = 1;
	s->total.depth = 1;
	s = row("device");
	s->f.depth = 1;
	s->total.depth = 1;
	s->f.seeks = true;
	row("link")->f.around.link_bps = 420000;
	row("unknown")->total.disk.util = 30;
	s = row("device");
	s->total.disk.util = 30;
	s->total.disk.aqu_sz = 20;
	row("unknown")->f.has_disk = false;
	row("cpu")->f.null_engine = true;
	snprintf(row("cache")->f.around.memory_fs, 16, "tmpfs");
	snprintf(row("cache")->f.around.memory_disk, 16, "zram");
}

ParameterizedTestParameters(limit, is_found_where_the_figures_point)
{
	make_rows();
	return cr_make_param_array(struct situation, rows, nrows);
}

ParameterizedTest(struct situation *s, limit, is_found_where_the_figures_point)
{
	struct iob_warnings w;
	struct iob_limit l;

	s->f.total = &s->total;
	iob_verdict(&w, &s->f);
	iob_limit_find(&l, &s->f, &w);
	cr_expect_str_eq(l.what, s->what, "%s: %s", l.what, l.text);
	if (s->what[0])
		cr_expect_neq(l.text[0], '\0');
	cr_expect_lt(strlen(l.text), sizeof(l.text) - 1);
}
