/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "job/param.h"
#include "result/result.h"
#include "result/sweep_points.h"
#include "result/text_figures.h"
#include "result/text_graph.h"
#include "result/text_page.h"

static void print_title(const struct iob_result *r, FILE *f)
{
	time_t start = (time_t)r->started_s;
	char left[64], right[64] = "";
	struct tm tm;

	snprintf(left, sizeof(left), "%s%s", iob_result_is_foreign(r) ? "" : "iotop-bench ",
		r->version);
	if (r->started_s && localtime_r(&start, &tm))
		strftime(right, sizeof(right), "%Y-%m-%d %H:%M:%S %Z", &tm);
	fprintf(f, "%s%*s\n\n", left, IOB_PAGE_WIDTH - (int)strlen(left), right);
}

static const char *kind_words(const struct iob_target_info *t)
{
	switch (t->kind) {
	case IOB_TARGET_BLOCKDEV:
		return "block device";
	case IOB_TARGET_FILE:
		return t->files > 1 ? "files" : "file";
	case IOB_TARGET_CREATED:
		return "file made for this run, kept";
	case IOB_TARGET_SCRATCH:
		return "scratch file, removed";
	case IOB_TARGET_NULL:
		break;
	}
	return "nothing: the engine alone";
}

static void print_target(const struct iob_target_info *t, FILE *f)
{
	char size[16], si[16], region[16], from[16];

	if (t->kind == IOB_TARGET_NULL) {
		iob_page_field(f, "target", "%s", kind_words(t));
		return;
	}
	if (!t->path[0])
		return;
	iob_page_field(f, "target", "%s (%s), %s\t(%s)%s%s%s%s", t->path, kind_words(t),
		iob_format_bytes(size, sizeof(size), t->size),
		iob_format_bytes_si(si, sizeof(si), t->size), t->filesystem[0] ? " on " : "",
		t->filesystem, t->mount_point[0] ? " at " : "", t->mount_point);
	if (t->region_size != t->size || t->region_offset)
		iob_page_field(f, "", "of it %s from offset %s",
			iob_format_bytes(region, sizeof(region), t->region_size),
			iob_format_bytes(from, sizeof(from), t->region_offset));
	if (t->disk[0])
		iob_page_field(f, "device", "%s%s%s, %s, scheduler\t%s, sectors\t%u/%u", t->disk,
			t->model[0] ? ", " : "", t->model,
			t->rotational ? "rotating" : "not rotating",
			t->scheduler[0] ? t->scheduler : "unknown", t->logical_block_size,
			t->physical_block_size);
}

static void print_engine(const struct iob_result *r, FILE *f)
{
	const char *access = r->target.writable ? "opened for writing" : "read only";
	const char *cache = "direct I/O";
	bool has_flags = r->engine_flags[0];

	if (!r->engine[0])
		return;
	if (r->target.kind == IOB_TARGET_NULL) {
		iob_page_field(f, "engine", "%s%s%s%s", r->engine, has_flags ? " (" : "",
			r->engine_flags, has_flags ? ")" : "");
		return;
	}
	if (!r->target.direct)
		cache = r->target.direct_refused ? "buffered (the file system refuses direct I/O)"
						 : "buffered";
	iob_page_field(f, "engine", "%s%s%s%s; %s, %s", r->engine, has_flags ? " (" : "",
		r->engine_flags, has_flags ? ")" : "", cache, access);
}

static void print_host(const struct iob_result *r, FILE *f)
{
	const struct iob_host *h = &r->host;
	char memory[16];

	iob_page_field(f, "host", "%s, Linux\t%s, %u\tx\t%s, %s memory", h->name, h->kernel,
		h->cpus, h->cpu[0] ? h->cpu : "CPU",
		iob_format_bytes(memory, sizeof(memory), h->memory));
}

/* What was understood, in the words of the parameter table; the target has its own line. */
static bool is_wanted(const struct iob_job *job, const struct iob_param *p)
{
	static const char *const always[] = {"rw", "bs", "iodepth", "numjobs", "runtime"};
	static const char *const never[] = {"name", "filename", "directory", "bsrange"};

	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		if (strcmp(p->name, always[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		if (strcmp(p->name, never[i]) == 0)
			return false;
	return iob_param_is_given(job, p);
}

static void print_params(const struct iob_job *job, FILE *f)
{
	IOB_FREE char *line = NULL;
	IOB_FREE char *value = malloc(IOB_LIST_MAX);
	size_t size = 0;
	FILE *text = value ? open_memstream(&line, &size) : NULL;

	if (!text)
		return;
	for (size_t i = 0; i < iob_nparams; i++)
		if (is_wanted(job, &iob_params[i]))
			fprintf(text, "%s=%s ", iob_params[i].name,
				iob_param_get(job, &iob_params[i], value, IOB_LIST_MAX));
	if (fclose(text) == 0)
		iob_page_field(f, "", "%s", line);
}

static bool has_rate(const struct iob_job *job)
{
	struct iob_live live;

	iob_live_from_job(&live, job);
	return iob_live_has_rate(&live);
}

static bool has_rate_of(const struct iob_job *job, enum iob_dir dir)
{
	return job->rate_iops[dir] || job->ctl.rate[dir];
}

/* "random reads and writes (70% reads) of 4k" */
static void describe_io(const struct iob_job *job, char *buf, size_t n)
{
	static const char *const rw[] = {"sequential reads", "sequential writes",
		"sequential reads and writes", "random reads", "random writes",
		"random reads and writes", "sequential trims", "random trims",
		"sequential trims,\teach\tthen\twritten,", "random trims,\teach\tthen\twritten,"};
	char low[16], high[16], mix[32] = "", other[40] = "", size[16];
	const struct iob_range *w = &job->bs[IOB_WRITE];
	enum iob_dir dir = IOB_READ;

	while (dir < IOB_TRIM && !iob_job_uses_bs(job, dir))
		dir++;
	iob_format_size_exact(low, sizeof(low), job->bs[dir].min);
	iob_format_size_exact(high, sizeof(high), job->bs[dir].max);
	/* Rates make the mix themselves. */
	if ((job->rw == IOB_RW_RW || job->rw == IOB_RW_RANDRW) && !has_rate(job))
		snprintf(mix, sizeof(mix), " (%llu%%\treads)", (unsigned long long)job->rwmixread);
	if (dir == IOB_READ && iob_job_does(job, IOB_WRITE) &&
		(w->min != job->bs[dir].min || w->max != job->bs[dir].max))
		snprintf(other, sizeof(other), " (writes\tup\tto\t%s)",
			iob_format_size_exact(size, sizeof(size), w->max));
	snprintf(buf, n, "%s%s of %s%s%s%s",
		job->rw < sizeof(rw) / sizeof(rw[0]) ? rw[job->rw] : "I/O", mix, low,
		job->bs[dir].min != job->bs[dir].max ? " to " : "",
		job->bs[dir].min != job->bs[dir].max ? high : "", other);
}

/* "at 500 IOPS" */
static const char *rate_words(const struct iob_job *job, enum iob_dir dir, char *buf, size_t n)
{
	char count[32];

	if (job->rate_iops[dir])
		snprintf(buf, n, "at\t%s\tIOPS",
			iob_format_count(count, sizeof(count), (double)job->rate_iops[dir]));
	else if (job->ctl.rate[dir])
		snprintf(buf, n, "at\t%s/s",
			iob_format_bytes(count, sizeof(count), job->ctl.rate[dir]));
	else
		snprintf(buf, n, "as\tfast\tas\tthey\tgo");
	return buf;
}

/* ", at 500 IOPS per worker", "" without a rate. */
static const char *describe_rate(const struct iob_job *job, char *buf, size_t n)
{
	const char *random = job->rate_process == IOB_RATE_POISSON ? " (at\trandom)" : "";
	char one[48], other[48];
	enum iob_dir dir = IOB_READ;

	buf[0] = '\0';
	if (!has_rate(job))
		return buf;
	while (!iob_job_does(job, dir))
		dir++;
	/* What holds for trims or for writes alone holds for both. */
	if (iob_rw_is_trimwrite(job->rw) && has_rate_of(job, IOB_TRIM))
		dir = IOB_TRIM;
	bool both = dir != IOB_TRIM || has_rate_of(job, IOB_WRITE);
	if (dir != IOB_WRITE && iob_job_does(job, IOB_WRITE) && both) {
		snprintf(buf, n, ", %s %s and writes %s per\tworker%s",
			dir == IOB_READ ? "reads" : "trims", rate_words(job, dir, one, sizeof(one)),
			rate_words(job, IOB_WRITE, other, sizeof(other)), random);
		return buf;
	}
	snprintf(buf, n, ", %s per\tworker%s", rate_words(job, dir, one, sizeof(one)), random);
	return buf;
}

static void print_job(const struct iob_result *r, unsigned stage, FILE *f)
{
	const struct iob_job *job = &r->plan->stage[stage];
	bool named = stage == 0 && r->plan->profile[0];
	char io[128], depth[96], rate[160], run[64] = "", time[16];

	describe_io(job, io, sizeof(io));
	if (job->numjobs > 1)
		snprintf(depth, sizeof(depth), "%llu in flight in each of %llu\tworkers",
			(unsigned long long)job->iodepth, (unsigned long long)job->numjobs);
	else
		snprintf(depth, sizeof(depth), "%llu in flight", (unsigned long long)job->iodepth);
	if (job->runtime_ns)
		snprintf(run, sizeof(run), ", %s%s", job->time_based ? "for\t" : "at\tmost\t",
			iob_format_time_exact(time, sizeof(time), job->runtime_ns));
	iob_page_field(f, "job", "%s%s%s%s, %s%s%s", named ? "profile " : "",
		named ? r->plan->profile : "", named ? ": " : "", io, depth,
		describe_rate(job, rate, sizeof(rate)), run);
	print_params(job, f);
}

/* A pass over the target that the run time cut short: caches may have hidden the rest. */
static const char *coverage(const struct iob_result *r, char *buf, size_t n)
{
	const struct iob_job *job = &r->plan->stage[0];
	uint64_t bytes = r->total.all.bytes, size = r->target.region_size;
	char moved[16], whole[16];

	if (r->nstages != 1 || job->time_based || job->number_ios || bytes >= size)
		return "";
	snprintf(buf, n, "; %s of %s (%.1f\t%%)", iob_format_bytes(moved, sizeof(moved), bytes),
		iob_format_bytes(whole, sizeof(whole), size), 100 * (double)bytes / (double)size);
	return buf;
}

/* fio tells the options that were given, from version 3 on. */
static bool knows_job(const struct iob_result *r, unsigned stage)
{
	return !iob_result_is_foreign(r) ||
	       iob_param_is_given(&r->plan->stage[stage], iob_param_find("rw"));
}

static void print_status(const struct iob_result *r, FILE *f)
{
	const char *words[] = {
		[IOB_OUTCOME_NONE] = "not over yet: the figures up to now",
		[IOB_OUTCOME_COMPLETE] = "complete",
		[IOB_OUTCOME_STOPPED] = "stopped before its end; the figures are good",
		[IOB_OUTCOME_FAILED] = "FAILED; the figures up to then",
		[IOB_OUTCOME_LOST] = "FAILED: the load process died; the figures up to then",
		[IOB_OUTCOME_ABANDONED] = "FAILED: I/O never came back; the figures up to then",
	};
	char covered[80];
	bool good = r->outcome == IOB_OUTCOME_COMPLETE || r->outcome == IOB_OUTCOME_STOPPED;

	if (r->error.code)
		iob_page_field(f, "error", "%s", r->error.text);
	if (r->total.all.errors)
		iob_page_field(f, good && !r->error.code ? "error" : "",
			"%llu I/Os failed; they are in no other figure",
			(unsigned long long)r->total.all.errors);
	if (r->total.all.zeros)
		iob_page_field(f, "", "%llu I/Os moved nothing; they are in no other figure",
			(unsigned long long)r->total.all.zeros);
	if (r->total.all.shorts)
		iob_page_field(f, "",
			"%llu I/Os moved less than was asked; their bytes count as moved",
			(unsigned long long)r->total.all.shorts);
	iob_text_failures(&r->failures, f);
	if (r->unfinished && !r->error.code) /* the error's words have the number */
		iob_page_field(
			f, "", "%llu I/Os never came back", (unsigned long long)r->unfinished);
	iob_page_field(f, "status", "%s, %.1f\ts%s", words[r->outcome],
		(double)r->elapsed_ms / 1000, coverage(r, covered, sizeof(covered)));
}

static void print_stage(const struct iob_result *r, unsigned stage, FILE *f)
{
	const struct iob_segment_figures *s = &r->stage[stage].figures;

	if (r->nstages > 1) {
		fprintf(f, "\nstage %u of %u: %s\n", stage + 1, r->nstages,
			r->plan->stage[stage].name);
		if (knows_job(r, stage))
			print_job(r, stage, f);
	}
	fputc('\n', f);
	if (s->seconds <= 0 || (!s->all.ios && !s->all.errors && !s->all.zeros)) {
		fputs("No I/O was measured.\n", f);
		return;
	}
	iob_text_headline(s, f);
	iob_text_graph(r, s->from_ms, s->to_ms, f);
	iob_text_latencies(s, f);
	fputc('\n', f);
	if (knows_job(r, stage))
		iob_text_depth(r, stage, f);
	iob_text_disk(r, stage, f);
}

/* What was still in the cache when the last write returned belongs to the bill. */
static void print_end_sync(const struct iob_result *r, FILE *f)
{
	const struct iob_figures *w = &r->total.dir[IOB_WRITE];
	double seconds = r->total.seconds + (double)r->usage.end_sync_ns / 1e9;
	char took[16], rate[48];

	if (!r->usage.end_sync_ns || !w->bytes)
		return;
	iob_page_field(f, "sync", "%s at the end, in no figure above; with it writes are\t%s",
		iob_format_latency(took, sizeof(took), r->usage.end_sync_ns),
		iob_format_bandwidth(rate, sizeof(rate), (double)w->bytes / seconds));
}

/* Of the load process, set-up and layout included: it is accounted as a whole. */
static void print_usage(const struct iob_run_usage *u, FILE *f)
{
	unsigned long long switches = u->voluntary + u->involuntary;

	if (u->user_s <= 0 && u->system_s <= 0)
		return;
	fputc('\n', f);
	iob_page_field(f, "process",
		"%.2f\ts user, %.2f\ts system, %llu context switches, %llu major faults", u->user_s,
		u->system_s, switches, (unsigned long long)u->major_faults);
}

static void print_marks(const struct iob_marks *marks, FILE *f)
{
	char at[24];

	if (marks->count)
		fputs("\nmarks\n", f);
	for (size_t i = 0; i < marks->count; i++)
		iob_page_field(f,
			iob_format_clock(at, sizeof(at), marks->item[i].ms * IOB_NS_PER_MS), "%s",
			marks->item[i].text[0] ? marks->item[i].text : "(no text)");
}

static void print_limit(const struct iob_limit *limit, FILE *f)
{
	if (limit->what[0])
		iob_page_field(f, "limit", "%s", limit->text);
}

static void print_warnings(const struct iob_warnings *w, FILE *f)
{
	if (w->count)
		fputs("\nwarnings\n", f);
	for (unsigned i = 0; i < w->count; i++)
		iob_page_field(f, w->item[i].code, "%s", w->item[i].text);
}

static void print_own(const struct iob_result *r, FILE *f)
{
	print_target(&r->target, f);
	print_engine(r, f);
	print_host(r, f);
	if (r->nstages == 1)
		print_job(r, 0, f);
	iob_page_field(f, "seed", "%llu (--randseed=%llu repeats it)",
		(unsigned long long)r->plan->seed, (unsigned long long)r->plan->seed);
}

static void print_foreign(const struct iob_result *r, FILE *f)
{
	if (r->target.path[0])
		iob_page_field(f, "target", "%s", r->target.path);
	if (r->target.disk[0])
		iob_page_field(f, "device", "%s", r->target.disk);
	if (knows_job(r, 0))
		print_engine(r, f);
	if (r->nstages == 1 && knows_job(r, 0))
		print_job(r, 0, f);
}

int iob_report_text(const struct iob_result *r, FILE *f, struct iob_error *err)
{
	print_title(r, f);
	if (iob_result_is_foreign(r))
		print_foreign(r, f);
	else
		print_own(r, f);
	print_status(r, f);
	for (unsigned i = 0; i < r->nstages; i++)
		print_stage(r, i, f);
	print_end_sync(r, f);
	if (iob_sweep_is_on(&r->plan->sweep))
		iob_text_sweep(r, f);
	else if (!iob_result_is_foreign(r))
		iob_text_segments(r, f);
	print_marks(&r->marks, f);
	print_usage(&r->usage, f);
	print_limit(&r->limit, f);
	print_warnings(&r->warnings, f);
	if (ferror(f))
		return iob_fail(err, errno ? -errno : -EIO, "write the report: %m");
	return 0;
}
