/* SPDX-License-Identifier: MIT */
#include "support/sample_result.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "job/param.h"
#include "measure/sample.h"

#define BS 4096
#define T0 (1000 * IOB_NS_PER_S)

uint64_t iob_sample_ios(enum iob_dir dir, unsigned k)
{
	if (k >= SAMPLE_STALL_FROM && k < SAMPLE_STALL_UNTIL)
		return 0;
	switch (dir) {
	case IOB_READ:
		return (k < SAMPLE_TUNED_AT ? 700 : 1050) + k % 3;
	case IOB_WRITE:
		return k < SAMPLE_TUNED_AT ? 300 : 450;
	case IOB_TRIM:
	case IOB_NDIR:
		break;
	}
	return 0;
}

static void set(struct iob_job *job, const char *name, const char *value)
{
	struct iob_error err = {0};
	int rc = iob_param_set_named(job, name, value, &err);

	assert(rc == 0);
	(void)rc;
}

static void fill_plan(struct iob_plan *plan)
{
	struct iob_job *job = &plan->stage[0];

	snprintf(plan->profile, sizeof(plan->profile), "mixed");
	plan->seed = UINT64_C(18446744073709551557);
	plan->nstages = 1;
	iob_job_defaults(job);
	snprintf(job->name, sizeof(job->name), "mixed-stage");
	set(job, "rw", "randrw");
	set(job, "rwmixread", "70");
	set(job, "bs", "4k");
	set(job, "iodepth", "32");
	set(job, "numjobs", "2");
	set(job, "runtime", "5s");
}

/* Latencies between 60 and 150 us, the same in each run. */
static void add_ios(struct iob_segment *s, struct iob_interval *v, enum iob_dir dir, unsigned k)
{
	uint64_t n = iob_sample_ios(dir, k);
	struct iob_moments *m = &s->dir[dir].lat;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t ns = 60000 + (i * 7919 + k * 104729 + (uint64_t)dir * 31) % 90000;
		struct iob_moments one = {
			.n = 1,
			.sum_ns = ns,
			.sum_squares = (double)ns * (double)ns,
			.min_ns = ns,
			.max_ns = ns,
		};

		iob_moments_add(m, &one);
		s->hist[dir]->count[iob_hist_index(ns)]++;
		s->hist[dir]->total++;
		v->dir[dir].sum_ns += ns;
		if (ns > v->dir[dir].max_ns)
			v->dir[dir].max_ns = ns;
	}
	s->dir[dir].ios += n;
	s->dir[dir].issued += n;
	s->dir[dir].bytes += n * BS;
	v->dir[dir].ios = n;
	v->dir[dir].bytes = n * BS;
	v->dir[dir].p50_ns = n ? 100000 : 0;
	v->dir[dir].p99_ns = n ? 149000 : 0;
	v->dir[dir].p999_ns = n ? 149900 : 0;
}

static void add_disk(struct iob_segment *s, struct iob_interval *v)
{
	v->flags |= IOB_INTERVAL_DISK;
	v->disk.reads = v->dir[IOB_READ].ios;
	v->disk.read_sectors = v->dir[IOB_READ].ios * BS / 512;
	v->disk.read_ms = v->dir[IOB_READ].ios / 10;
	v->disk.writes = v->dir[IOB_WRITE].ios;
	v->disk.write_sectors = v->dir[IOB_WRITE].ios * BS / 512;
	v->disk.io_ms = v->dir[IOB_READ].ios ? 95 : 100;
	v->disk.weighted_ms = 3000;
	iob_diskstat_add(&s->disk, &v->disk);
	s->disk_ns += IOB_INTERVAL_NS;
}

static void start_segment(struct iob_segment *s, uint32_t id, unsigned from, unsigned to)
{
	memset(s, 0, sizeof(*s));
	s->id = id;
	s->kind = IOB_SEGMENT_LOAD;
	s->from_ns = T0 + from * IOB_INTERVAL_NS;
	s->to_ns = T0 + to * IOB_INTERVAL_NS;
	s->cpu_ns = (to - from) * IOB_INTERVAL_NS / 3;
	for (int d = 0; d < IOB_NDIR; d++)
		s->hist[d] = calloc(1, sizeof(*s->hist[d]));
}

static void merge(struct iob_segment *to, const struct iob_segment *from)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		iob_tally_add(&to->dir[d], &from->dir[d]);
		iob_hist_add(to->hist[d], from->hist[d]);
	}
	iob_diskstat_add(&to->disk, &from->disk);
	to->disk_ns += from->disk_ns;
	to->cpu_ns += from->cpu_ns;
}

static void fill_figures(struct iob_result *r)
{
	struct iob_segment s[2], all;

	start_segment(&s[0], 0, 0, SAMPLE_TUNED_AT);
	start_segment(&s[1], 1, SAMPLE_TUNED_AT, SAMPLE_INTERVALS);
	start_segment(&all, 0, 0, SAMPLE_INTERVALS);
	all.cpu_ns = 0;
	for (unsigned k = 0; k < SAMPLE_INTERVALS; k++) {
		unsigned id = k >= SAMPLE_TUNED_AT;

		r->interval[k].segment = id;
		for (int d = 0; d < IOB_NDIR; d++)
			add_ios(&s[id], &r->interval[k], (enum iob_dir)d, k);
		add_disk(&s[id], &r->interval[k]);
	}
	r->interval[7].flags |= IOB_INTERVAL_LATE;
	for (unsigned id = 0; id < 2; id++) {
		struct iob_result_segment *out = &r->segment[id];

		iob_segment_figures(&out->figures, &s[id], T0, s[id].to_ns);
		iob_live_from_job(&out->params.live, &r->plan->stage[0]);
		merge(&all, &s[id]);
	}
	r->segment[1].params.live.iodepth = 64;
	iob_segment_figures(&r->total, &all, T0, all.to_ns);
	r->stage[0].figures = r->total;
	r->stage[0].disk = all.disk;
	for (int d = 0; d < IOB_NDIR; d++) {
		free(s[0].hist[d]);
		free(s[1].hist[d]);
		if (all.hist[d]->total > 0)
			r->stage[0].hist[d] = all.hist[d];
		else
			free(all.hist[d]);
	}
}

static void fill_target(struct iob_target_info *t)
{
	snprintf(t->path, sizeof(t->path), "/srv/data/file with blanks");
	t->kind = IOB_TARGET_FILE;
	t->size = t->region_size = UINT64_C(1) << 30;
	t->files = 1;
	t->logical_block_size = 512;
	t->physical_block_size = 4096;
	t->direct = t->writable = t->has_disk = true;
	t->major = 259;
	snprintf(t->disk, sizeof(t->disk), "nvme0n1");
	snprintf(t->model, sizeof(t->model), "Sample \xc3\xa9lite 1TB");
	snprintf(t->scheduler, sizeof(t->scheduler), "none");
	snprintf(t->filesystem, sizeof(t->filesystem), "ext4");
	snprintf(t->mount_point, sizeof(t->mount_point), "/srv");
	t->nr_requests = 1023;
}

static void fill_warning(struct iob_warnings *w)
{
	w->count = 1;
	snprintf(w->item[0].code, sizeof(w->item[0].code), "STALL");
	snprintf(w->item[0].text, sizeof(w->item[0].text),
		"nothing came back for 0.5 s although requests were in flight; the worst latencies "
		"stand for that time");
	w->item[0].nevidence = 1;
	snprintf(w->item[0].evidence[0].name, sizeof(w->item[0].evidence[0].name), "stall_s");
	w->item[0].evidence[0].value = 0.5;
}

static void fill_failures(struct iob_failures *f)
{
	f->total = 5;
	f->ignored = 2;
	f->slowed = 1;
	f->nkinds = 2;
	f->kind[0] = (struct iob_failure_kind){.op = 0, .code = EIO, .count = 3};
	f->kind[1] = (struct iob_failure_kind){.op = 1, .code = ENOSPC, .count = 2, .ignored = 2};
	f->nfirst = 1;
	f->first[0] = (struct iob_failure){.at_ns = 250000000,
		.offset = 40960,
		.length = 4096,
		.code = EIO,
		.worker = 1,
		.why = "as it was told"};
}

void iob_sample_result(struct iob_result *r)
{
	memset(r, 0, sizeof(*r));
	snprintf(r->version, sizeof(r->version), "0.1.0");
	r->started_s = 1790000000;
	r->elapsed_ms = 5000;
	r->outcome = IOB_OUTCOME_COMPLETE;
	snprintf(r->host.name, sizeof(r->host.name), "console");
	snprintf(r->host.kernel, sizeof(r->host.kernel), "6.1.0-test");
	snprintf(r->host.cpu, sizeof(r->host.cpu), "Sample CPU @ 3.00GHz");
	r->host.cpus = 8;
	r->host.memory = UINT64_C(16) << 30;
	snprintf(r->engine, sizeof(r->engine), "io_uring");
	snprintf(r->engine_flags, sizeof(r->engine_flags), "fixedbufs registerfiles");
	r->usage = (struct iob_run_usage){.user_s = 0.25,
		.system_s = 1.5,
		.voluntary = 1000,
		.involuntary = 24,
		.end_sync_ns = 1250 * IOB_NS_PER_MS};
	r->longest_stall_ns = 500 * IOB_NS_PER_MS;
	r->has_disk = true;
	r->nstages = 1;
	r->nsegments = 2;
	r->nintervals = SAMPLE_INTERVALS;
	r->plan = calloc(1, sizeof(*r->plan));
	r->stage = calloc(1, sizeof(*r->stage));
	r->segment = calloc(2, sizeof(*r->segment));
	r->interval = calloc(SAMPLE_INTERVALS, sizeof(*r->interval));
	assert(r->plan && r->stage && r->segment && r->interval);
	fill_plan(r->plan);
	fill_target(&r->target);
	fill_figures(r);
	fill_warning(&r->warnings);
	snprintf(r->limit.what, sizeof(r->limit.what), "device");
	snprintf(r->limit.text, sizeof(r->limit.text),
		"the device: 97 %% of 410us per I/O pass in it");
	fill_failures(&r->failures);
}
