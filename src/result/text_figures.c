/* SPDX-License-Identifier: MIT */
#include "result/text_figures.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "measure/sample.h"
#include "result/text_page.h"

#define MIB                (1024.0 * 1024.0)
#define LEAST_UTIL_SECONDS 0.1

void iob_text_headline(const struct iob_segment_figures *s, const struct iob_job *job, FILE *f)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		const struct iob_figures *v = &s->dir[d];
		char iops[16], bw[40], bytes[16], ios[16];

		if (!v->ios && !v->errors && !v->zeros &&
			!(job && iob_job_does(job, (enum iob_dir)d)))
			continue;
		fprintf(f, "%-9s %7s IOPS   %-26s  %s in %s I/Os\n", iob_dir_name((enum iob_dir)d),
			iob_format_count(iops, sizeof(iops), v->iops),
			iob_format_bandwidth(bw, sizeof(bw), v->bw),
			iob_format_bytes(bytes, sizeof(bytes), v->bytes),
			iob_format_count(ios, sizeof(ios), (double)v->ios));
	}
}

/* One cell of 8 columns: "  92.1us", marked with '~' when few samples stand behind it. */
static void print_latency(uint64_t ns, bool thin, FILE *f)
{
	char value[16], marked[20];

	snprintf(marked, sizeof(marked), "%s%s", thin ? "~" : "",
		iob_format_latency(value, sizeof(value), ns));
	fprintf(f, "%8s", marked);
}

/* One row; which of the shown percentiles are thin. */
static uint32_t print_latency_row(const char *name, const struct iob_latency *lat, FILE *f)
{
	static const int columns[] = {IOB_P50, IOB_P90, IOB_P95, IOB_P99, IOB_P999, IOB_P9999};
	uint32_t thin = 0;

	fprintf(f, "%-7s", name);
	print_latency(lat->min_ns, false, f);
	print_latency((uint64_t)llround(lat->mean_ns), false, f);
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		uint32_t bit = lat->thin & (1u << columns[i]);

		thin |= bit;
		print_latency(lat->percentile_ns[columns[i]], bit != 0, f);
	}
	print_latency(lat->max_ns, false, f);
	fputc('\n', f);
	return thin;
}

static void print_intended(const struct iob_segment_figures *s, FILE *f)
{
	char behind[24];

	if (s->all.intended.n == 0)
		return;
	fputs("          * from the intended times of rate_iops: waiting for room counts\n", f);
	if (s->behind_ns >= IOB_NS_PER_MS)
		iob_page_field(f, "", "the schedule was %s behind at the end",
			iob_format_latency(behind, sizeof(behind), s->behind_ns));
}

void iob_text_latencies(const struct iob_segment_figures *s, FILE *f)
{
	uint32_t thin = 0;

	if (s->all.lat.n == 0)
		return;
	fprintf(f, "\nlatency%8s%8s%8s%8s%8s%8s%8s%8s%8s\n", "min", "mean", "p50", "p90", "p95",
		"p99", "p99.9", "p99.99", "max");
	for (int d = 0; d < IOB_NDIR; d++) {
		const struct iob_figures *v = &s->dir[d];
		const char *name = iob_dir_name((enum iob_dir)d);
		char marked[16];

		if (v->lat.n)
			thin |= print_latency_row(name, &v->lat, f);
		if (!v->intended.n)
			continue;
		snprintf(marked, sizeof(marked), "%s*", name);
		thin |= print_latency_row(marked, &v->intended, f);
	}
	print_intended(s, f);
	if (thin)
		fputs("          ~ fewer than ten samples lie beyond this percentile\n", f);
	if (s->syncs) {
		char mean[16], max[16], count[16];

		iob_page_field(f, "fsync", "%s syncs, mean\t%s, max\t%s",
			iob_format_count(count, sizeof(count), (double)s->syncs),
			iob_format_latency(mean, sizeof(mean), (uint64_t)llround(s->sync_mean_ns)),
			iob_format_latency(max, sizeof(max), s->sync_max_ns));
	}
	if (s->all.lat.overflow)
		iob_page_field(f, "", "%llu I/Os took longer than the histogram's 73 minutes",
			(unsigned long long)s->all.lat.overflow);
}

/* Configured depth of the stage's load segments: smallest and largest. */
static void depth_range(const struct iob_result *r, unsigned stage, uint64_t *least, uint64_t *most)
{
	const struct iob_job *job = &r->plan->stage[stage];

	*least = *most = job->iodepth * job->numjobs;
	for (size_t i = 0, n = 0; i < r->nsegments; i++) {
		const struct iob_result_segment *s = &r->segment[i];
		uint64_t depth = s->params.live.iodepth * s->params.live.numjobs;

		if (s->figures.stage != stage || s->figures.kind != IOB_SEGMENT_LOAD)
			continue;
		*least = n == 0 || depth < *least ? depth : *least;
		*most = n == 0 || depth > *most ? depth : *most;
		n++;
	}
}

void iob_text_depth(const struct iob_result *r, unsigned stage, FILE *f)
{
	const struct iob_segment_figures *s = &r->stage[stage].figures;
	uint64_t jobs = r->plan->stage[stage].numjobs;
	uint64_t least, most;
	char configured[48], workers[48] = "", effect[48] = "";

	depth_range(r, stage, &least, &most);
	if (least == most)
		snprintf(configured, sizeof(configured), "%llu", (unsigned long long)most);
	else
		snprintf(configured, sizeof(configured), "%llu..%llu", (unsigned long long)least,
			(unsigned long long)most);
	if (jobs > 1)
		snprintf(workers, sizeof(workers), " (%llu\tworkers)", (unsigned long long)jobs);
	if (iob_result_is_synchronous(r, stage))
		snprintf(effect, sizeof(effect), ", in effect\t%llu", (unsigned long long)jobs);
	iob_page_field(f, "depth", "configured\t%s%s%s, mean in flight\t%.1f (Little's\tlaw)",
		configured, workers, effect, s->depth);
	iob_page_field(f, "cpu", "workers used\t%.0f%% of one CPU", 100 * s->cpu);
}

/* What the kernel's counters of the disk say against what we did. */
static void print_kernel(const struct iob_result *r, unsigned stage, FILE *f)
{
	const struct iob_result_stage *s = &r->stage[stage];
	const struct {
		const char *what;
		uint64_t kernel, ours;
	} rows[] = {
		{"read", s->disk.read_sectors * 512, s->figures.dir[IOB_READ].bytes},
		{"written", s->disk.write_sectors * 512, s->figures.dir[IOB_WRITE].bytes},
	};

	for (size_t i = 0; i < 2; i++) {
		char kernel[16], ours[16];

		if (!rows[i].ours)
			continue;
		iob_page_field(f, "", "%s: %s by the disk's counters, %s by us (%.1f%%)",
			rows[i].what, iob_format_bytes(kernel, sizeof(kernel), rows[i].kernel),
			iob_format_bytes(ours, sizeof(ours), rows[i].ours),
			100 * (double)rows[i].kernel / (double)rows[i].ours);
	}
}

void iob_text_disk(const struct iob_result *r, unsigned stage, FILE *f)
{
	const struct iob_segment_figures *s = &r->stage[stage].figures;
	const struct iob_target_info *t = &r->target;
	const struct iob_iostat *io = &s->disk;
	char rs[16], ws[16], util[32] = "";

	if (!s->has_disk)
		return;
	/* The kernel counts it in ticks of up to 10 ms. */
	if (s->seconds >= LEAST_UTIL_SECONDS)
		snprintf(util, sizeof(util), "util\t%.1f%%, ", io->util);
	iob_page_field(f, "disk",
		"%s%s%s%s: %sr/s\t%s, w/s\t%s, rMB/s\t%.1f, wMB/s\t%.1f, aqu-sz\t%.1f, "
		"r_await\t%.3fms, w_await\t%.3fms",
		iob_target_counted(t), t->partition[0] ? " (partition\tof\t" : "",
		t->partition[0] ? t->disk : "", t->partition[0] ? ")" : "", util,
		iob_format_count(rs, sizeof(rs), io->r_s),
		iob_format_count(ws, sizeof(ws), io->w_s), io->r_bytes_s / 1e6, io->w_bytes_s / 1e6,
		io->aqu_sz, io->r_await_ms, io->w_await_ms);
	if (r->disk_paths)
		iob_page_field(f, "",
			"the kernel counts nothing for %s itself: the sum of its %u path%s",
			t->disk, r->disk_paths, r->disk_paths == 1 ? "" : "s");
	print_kernel(r, stage, f);
}

/* The direction with most I/Os names the block size of a row. */
static enum iob_dir main_direction(const struct iob_segment_figures *s)
{
	enum iob_dir best = IOB_READ;

	for (int d = IOB_WRITE; d < IOB_NDIR; d++)
		if (s->dir[d].ios > s->dir[best].ios)
			best = (enum iob_dir)d;
	return best;
}

/* Change of IOPS against the load segment before, "" for the first. */
static const char *effect_of(const struct iob_result *r, size_t index,
	const struct iob_figures *now, char *buf, size_t n)
{
	buf[0] = '\0';
	for (size_t i = index; i-- > 0;) {
		const struct iob_segment_figures *s = &r->segment[i].figures;

		if (s->kind != IOB_SEGMENT_LOAD || s->stage != r->segment[index].figures.stage)
			continue;
		if (s->all.iops > 0)
			snprintf(buf, n, "%+.0f%%", 100 * (now->iops / s->all.iops - 1));
		break;
	}
	return buf;
}

static void print_segment(const struct iob_result *r, size_t index, FILE *f)
{
	static const char *const kinds[] = {"", "ramp", "paused"};
	const struct iob_result_segment *s = &r->segment[index];
	enum iob_dir dir = main_direction(&s->figures);
	const struct iob_figures *all = &s->figures.all;
	unsigned long long depth = s->params.live.iodepth * s->params.live.numjobs;
	char from[24], bs[16], share[8] = "-", iops[16], p50[16], p99[16], effect[24];

	if (s->figures.kind == IOB_SEGMENT_LOAD)
		effect_of(r, index, all, effect, sizeof(effect));
	else
		snprintf(effect, sizeof(effect), "%s", kinds[s->figures.kind]);
	if (all->ios)
		snprintf(share, sizeof(share), "%.0f",
			100 * (double)s->figures.dir[IOB_READ].ios / (double)all->ios);
	iob_format_clock(from, sizeof(from), s->figures.from_ms * IOB_NS_PER_MS);
	iob_format_size_exact(bs, sizeof(bs), s->params.live.bs[dir].max);
	fprintf(f, "%3u%8s%7.1fs%6llu%8s%5s%8s%9.1f%8s%8s%s%s\n", s->figures.id, from,
		s->figures.seconds, depth, bs, share,
		iob_format_count(iops, sizeof(iops), all->iops), all->bw / MIB,
		iob_format_latency(p50, sizeof(p50), all->lat.percentile_ns[IOB_P50]),
		iob_format_latency(p99, sizeof(p99), all->lat.percentile_ns[IOB_P99]),
		effect[0] ? "  " : "", effect);
}

void iob_text_segments(const struct iob_result *r, FILE *f)
{
	if (r->nsegments < 2)
		return;
	fprintf(f, "\nsegments (stretches of constant parameters; change of IOPS at the right)\n");
	fprintf(f, "%3s%8s%8s%6s%8s%5s%8s%9s%8s%8s  %s\n", "id", "from", "length", "depth", "bs",
		"rd%", "IOPS", "MiB/s", "p50", "p99", "change");
	for (size_t i = 0; i < r->nsegments; i++)
		print_segment(r, i, f);
}
