/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/units.h"
#include "job/param.h"
#include "result/result.h"
#include "result/sweep_points.h"
#include "result/text_figures.h"
#include "result/text_graph.h"
#include "result/text_page.h"
#include "result/text_setting.h"

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
	       iob_param_is_given(&r->plan->stage[stage], IOB_PARAM_OF(rw));
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
			iob_text_job(r, stage, f);
	}
	fputc('\n', f);
	if (s->seconds <= 0 || (!s->all.ios && !s->all.errors && !s->all.zeros)) {
		fputs("No I/O was measured.\n", f);
		return;
	}
	iob_text_headline(s, knows_job(r, stage) ? &r->plan->stage[stage] : NULL, f);
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
	iob_text_target(&r->target, f);
	iob_text_engine(r, f);
	iob_text_host(&r->host, f);
	if (r->nstages == 1)
		iob_text_job(r, 0, f);
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
		iob_text_engine(r, f);
	if (r->nstages == 1 && knows_job(r, 0))
		iob_text_job(r, 0, f);
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
	if (iob_sweep_is_on(&r->sweep))
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
