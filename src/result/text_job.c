/* SPDX-License-Identifier: MIT */
/* What a stage was asked to do, in words and as parameters. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "job/param.h"
#include "result/text_page.h"
#include "result/text_setting.h"

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
	for (size_t i = 0; i < iob_param_count(); i++)
		if (is_wanted(job, iob_param_at(i)))
			fprintf(text, "%s=%s ", iob_param_at(i)->name,
				iob_param_get(job, iob_param_at(i), value, IOB_LIST_MAX));
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

void iob_text_job(const struct iob_result *r, unsigned stage, FILE *f)
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
