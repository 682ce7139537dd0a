/* SPDX-License-Identifier: MIT */
/* What only the figures of a run tell: its course, its limits from outside, its contradictions. */
#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"
#include "measure/limit.h"
#include "measure/verdict.h"

#define TOOL_SHARE     0.9
#define LEAST_SECONDS  0.3
#define MERGED_SHARE   0.1
#define MERGED_LEAST   20
/* Windows of less than a second are noisier. */
#define VARIES_SHORT   0.25
#define VARIES_LONG    0.10
#define DRIFTS         0.20
#define STEADY_SECONDS 1.5
/* More in flight than was asked for cannot be; a tenth is left to the edges of a segment. */
#define DEPTH_ABOVE    1.1
#define DEPTH_BELOW    0.5
/* All workers did the work for that share of the time. */
#define FULL_SHARE     0.9
/* A quota that stopped us for less than this share of the time is not felt. */
#define HELD_SHARE     0.01
#define ABOVE_LINK     1.02

static void judge_cpu(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	if (f->worker_cpu_max <= TOOL_SHARE || f->null_engine)
		return;
	iob_warning_add(w, "TOOLBOUND",
		"A worker used %.0f %% of its CPU: the CPU may be the limit, not the disk; use "
		"more workers (--numjobs) or larger blocks.",
		f->worker_cpu_max * 100);
	iob_warning_evidence(w, "worker_cpu", f->worker_cpu_max);
}

/* Neighbours' requests are joined, too: ours were when the disk saw fewer and larger ones than we
 * made.  Fewer alone may just not be written yet. */
static bool are_merged(const struct iob_verdict_facts *f, int dir)
{
	double served = (double)f->device_ios[dir], merges = (double)f->merges[dir];
	double own = (double)f->total->dir[dir].ios;
	double bytes = (double)(dir == IOB_READ ? f->device_read_bytes : f->device_write_bytes);

	return f->merges[dir] >= MERGED_LEAST && merges > MERGED_SHARE * (merges + served) &&
	       served < (1 - MERGED_SHARE) * own &&
	       bytes * own > (1 + MERGED_SHARE) * served * (double)f->total->dir[dir].bytes;
}

static void judge_merges(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	int dir = are_merged(f, IOB_READ) ? IOB_READ : IOB_WRITE;
	double served = (double)f->device_ios[dir], own = (double)f->total->dir[dir].ios;

	if (!f->has_disk || f->null_engine || f->total->seconds < LEAST_SECONDS ||
		!are_merged(f, dir))
		return;
	iob_warning_add(w, "MERGED",
		"The kernel joined requests: the disk saw %.0f %ss for %.0f of ours, so it worked "
		"with larger blocks than --bs; use random offsets or larger blocks.",
		served, iob_dir_name((enum iob_dir)dir), own);
	iob_warning_evidence(w, "merges", (double)f->merges[dir]);
	iob_warning_evidence(w, "device_ios", served);
	iob_warning_evidence(w, "own_ios", own);
}

static void add_step(struct iob_warnings *w, const struct iob_verdict_facts *f,
	const struct iob_steady_verdict *v)
{
	char a[32], b[32];

	if (iob_limit_others_busy(f))
		iob_warning_add(w, "BURST",
			"The first %.1f s ran at %s IOPS, the rest at %s: something was used up "
			"(cache, burst allowance), or the programs that kept the CPUs busy came in "
			"between; run again on an idle machine.",
			v->step_s, iob_format_count(a, sizeof(a), v->before),
			iob_format_count(b, sizeof(b), v->after));
	else
		iob_warning_add(w, "BURST",
			"The first %.1f s ran at %s IOPS, the rest at %s: a cache, a burst "
			"allowance or the disk's quick blocks were used up; run longer, and count "
			"what comes after.",
			v->step_s, iob_format_count(a, sizeof(a), v->before),
			iob_format_count(b, sizeof(b), v->after));
	iob_warning_evidence(w, "seconds_before", v->step_s);
	iob_warning_evidence(w, "iops_before", v->before);
	iob_warning_evidence(w, "iops_after", v->after);
	iob_warning_evidence(w, "bytes_per_s_before", v->before_bw);
	iob_warning_evidence(w, "bytes_per_s_after", v->after_bw);
}

static void judge_course(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	struct iob_steady_verdict v;

	if (!f->steady)
		return;
	iob_steady_judge(&v, f->steady);
	double most = v.window_s < 1 ? VARIES_SHORT : VARIES_LONG;
	bool drifts = v.drift > DRIFTS || v.drift < -DRIFTS;
	if (!v.known)
		return;
	if (v.fell) {
		add_step(w, f, &v);
		return;
	}
	if (v.seconds < STEADY_SECONDS || (v.cv <= most && !drifts))
		return;
	iob_warning_add(w, "NOTSTEADY",
		"IOPS vary by %.0f %% (windows of %.1f s), %+.0f %% from start to end: no single "
		"figure stands for this; run longer, with --ramp_time, on an idle machine.",
		v.cv * 100, v.window_s, v.drift * 100);
	iob_warning_evidence(w, "cv", v.cv);
	iob_warning_evidence(w, "drift", v.drift);
	iob_warning_evidence(w, "window_seconds", v.window_s);
	iob_warning_evidence(w, "seconds", v.seconds);
}

static bool is_thin(const struct iob_segment_figures *t)
{
	uint64_t length = t->to_ms - t->from_ms, full = t->thin_ms - t->from_ms;

	return t->thin_ms > t->from_ms && (double)full < FULL_SHARE * (double)length;
}

/* Mean in flight = rate x latency: against the number that the workers were told to keep. */
static void judge_little(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	const struct iob_segment_figures *t = f->total;
	double asked = (double)f->depth;

	if (!f->constant || t->seconds < LEAST_SECONDS || asked < 1 || t->all.ios < 100)
		return;
	if (t->depth > DEPTH_ABOVE * asked)
		iob_warning_add(w, "LITTLE",
			"IOPS x mean latency make %.1f requests in flight, but at most %.0f were "
			"allowed: figures and clock contradict each other; do not trust this run.",
			t->depth, asked);
	else if (f->closed_loop && !f->null_engine && asked > 1 && !f->one_deep[0] &&
		 !f->around.aio_sync && !is_thin(t) && t->depth < DEPTH_BELOW * asked)
		iob_warning_add(w, "LITTLE",
			"%.0f in flight were asked for, but IOPS x mean latency make %.1f: submitting took "
			"longer than the I/O, so the queue was never full; lower --iodepth, or use "
			"more workers.",
			asked, t->depth);
	else
		return;
	iob_warning_evidence(w, "depth_asked", asked);
	iob_warning_evidence(w, "depth_by_little", t->depth);
	iob_warning_evidence(w, "iops", t->all.iops);
	iob_warning_evidence(w, "mean_latency_ns", t->all.lat.mean_ns);
}

static void judge_heat(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	const struct iob_surroundings *s = &f->around;
	bool hot = s->temp_limit_mc > 0 && s->temp_mc >= s->temp_limit_mc;

	if (!hot && s->cpu_throttles == 0)
		return;
	if (hot)
		iob_warning_add(w, "THERMAL",
			"The disk is at %.0f C, its limit is %.0f C: it slows itself down to cool; "
			"give it air, and run again when it is cool.",
			s->temp_mc / 1000.0, s->temp_limit_mc / 1000.0);
	else
		iob_warning_add(w, "THERMAL",
			"The CPU was slowed down by heat %" PRIu64
			" times during this run; see to its cooling, and run again.",
			s->cpu_throttles);
	iob_warning_evidence(w, "disk_celsius", s->temp_mc / 1000.0);
	iob_warning_evidence(w, "disk_limit_celsius", s->temp_limit_mc / 1000.0);
	iob_warning_evidence(w, "cpu_throttles", (double)s->cpu_throttles);
}

static void judge_cpus(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	const struct iob_surroundings *s = &f->around;

	if (s->cpus_fewest >= s->cpus)
		return;
	iob_warning_add(w, "CPULOST",
		"Workers could use %u CPUs at first, but only %u later: some were taken offline, or "
		"the cpuset became smaller, and the kernel moved what was there; run again with all "
		"of them.",
		s->cpus, s->cpus_fewest);
	iob_warning_evidence(w, "cpus", s->cpus);
	iob_warning_evidence(w, "fewest_cpus", s->cpus_fewest);
}

static void judge_link(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	const struct iob_surroundings *s = &f->around;

	if (!s->link_bps || f->total->all.bw <= ABOVE_LINK * (double)s->link_bps ||
		iob_warnings_have(w, "LINK"))
		return;
	iob_warning_add(w, "LINK",
		"%.3g GB/s are more than the link to the disk carries (%s, %.3g GB/s): a cache on "
		"this side of it answered; use --direct=1 and a larger region.",
		f->total->all.bw / 1e9, s->link, (double)s->link_bps / 1e9);
	iob_warning_evidence(w, "bytes_per_s", f->total->all.bw);
	iob_warning_evidence(w, "link_bytes_per_s", (double)s->link_bps);
}

static void judge_cgroup(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	const struct iob_surroundings *s = &f->around;
	double held = (double)s->cpu_held_ns / 1e9;
	struct iob_cap cap;

	if (s->cpu_quota > 0 && held > HELD_SHARE * f->total->seconds) {
		iob_warning_add(w, "THROTTLED",
			"The cgroup grants %.3g CPUs and stopped this program for %.2f s in all: the "
			"quota is part of every figure; raise cpu.max, or run outside of it.",
			s->cpu_quota, held);
		iob_warning_evidence(w, "cpu_quota", s->cpu_quota);
		iob_warning_evidence(w, "held_seconds", held);
	} else if (iob_cap_reached(&cap, f)) {
		iob_warning_add(w, "THROTTLED",
			"The cgroup's %s for %s were used to %.0f %%: the limit was measured, not the disk; "
			"raise io.max, or run outside of it.",
			cap.text, cap.what, cap.used * 100);
		iob_warning_evidence(w, "cap", cap.limit);
		iob_warning_evidence(w, "used_share", cap.used);
	}
}

void iob_verdict_course(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	judge_cpu(w, f);
	judge_merges(w, f);
	judge_course(w, f);
	judge_little(w, f);
	judge_heat(w, f);
	judge_cpus(w, f);
	judge_link(w, f);
	judge_cgroup(w, f);
}
