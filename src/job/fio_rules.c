/* SPDX-License-Identifier: MIT */
/* The rules across the options of one job, and between jobs. */
#include <config.h>

#include "job/fio_rules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cpulist.h"
#include "job/cmdprio.h"
#include "job/param.h"

#define MOST_PERCENTILES 20

static bool is_given(const struct iob_job *job, const char *name)
{
	const struct iob_param *p = iob_param_find(name);

	return p && iob_param_is_given(job, p);
}

#define warn(jobs, place, ...)                                                                     \
	iob_messages_add(&(jobs)->warning, &(jobs)->nwarnings, place, __VA_ARGS__)

/* fio puts the directory before each name, whatever it looks like. */
static int join_directory(struct iob_fio_job *j, struct iob_error *err)
{
	struct iob_job *job = &j->job;
	char *name = NULL;
	size_t size = 0;
	int directory = (int)strcspn(job->directory, ":");

	if (job->filename[0] == '\0' || job->directory[0] == '\0')
		return 0;
	FILE *out = open_memstream(&name, &size);
	if (!out)
		return iob_fail(err, -ENOMEM, "filename: %m");
	fprintf(out, "%.*s/", directory, job->directory);
	for (const char *c = job->filename; *c != '\0'; c++) {
		putc(*c, out);
		if (*c == ':' && c > job->filename && c[-1] != '\\')
			fprintf(out, "%.*s/", directory, job->directory);
	}
	bool ok = fclose(out) == 0 && size < sizeof(job->filename);
	if (ok) {
		memcpy(job->filename, name, size + 1);
		job->directory[0] = '\0';
	}
	free(name);
	return ok ? 0
		  : iob_fail_place(err, iob_fio_job_place(j, IOB_PARAM_NAME(filename)),
			    "filename: too long with the directory before it");
}

/* A section that is called like a device works on it. */
static void take_device(struct iob_fio_jobs *jobs, struct iob_fio_job *j)
{
	struct iob_job *job = &j->job;
	struct stat st;

	if (job->filename[0] != '\0' || job->directory[0] != '\0' || job->nrfiles != 1 ||
		j->section[0] != '/' || stat(j->section, &st) < 0 ||
		(!S_ISBLK(st.st_mode) && !S_ISCHR(st.st_mode)))
		return;
	snprintf(job->filename, sizeof(job->filename), "%s", j->section);
	warn(jobs, &j->place,
		"the job is called like the device %s and has no filename: it works "
		"on this device, as in fio",
		j->section);
}

static int check_rate(const struct iob_fio_job *j, struct iob_error *err)
{
	if (!is_given(&j->job, "rate") || !is_given(&j->job, IOB_PARAM_NAME(rate_iops)))
		return 0;
	return iob_fail_place(err, iob_fio_job_place(j, "rate"),
		"rate: rate_iops says the same in requests; leave one out");
}

static void clamp_batches(struct iob_job *job)
{
	if (job->iodepth_batch > job->iodepth)
		job->iodepth_batch = job->iodepth;
	if (job->iodepth_batch_complete > job->iodepth)
		job->iodepth_batch_complete = job->iodepth;
}

static void settle_time(struct iob_fio_jobs *jobs, struct iob_fio_job *j)
{
	struct iob_job *job = &j->job;

	if (job->time_based && job->runtime_ns == 0) {
		job->time_based = false;
		warn(jobs, iob_fio_job_place(j, IOB_PARAM_NAME(time_based)),
			"time_based: no effect without runtime, as in fio");
	}
	if (job->time_based && (job->io_size.bytes || job->io_size.percent_micro)) {
		job->io_size = (struct iob_amount){0};
		iob_messages_add(&jobs->note, &jobs->nnotes,
			iob_fio_job_place(j, IOB_PARAM_NAME(io_size)),
			"io_size: no effect with time_based");
	}
}

static void note_priorities(struct iob_fio_jobs *jobs, const struct iob_fio_job *j)
{
	const char *const names[] = {
		IOB_PARAM_NAME(cmdprio.prioclass), IOB_PARAM_NAME(cmdprio.level)};

	for (int i = 0; i < 2 && !iob_cmdprio_is_wanted(&j->job); i++)
		if (is_given(&j->job, names[i]))
			iob_messages_add(&jobs->note, &jobs->nnotes, iob_fio_job_place(j, names[i]),
				"%s: no effect without %s or %s", names[i],
				IOB_PARAM_NAME(cmdprio.percentage),
				IOB_PARAM_NAME(cmdprio.bssplit));
}

/* What a job gives but nothing makes use of. */
static void note_unused(
	struct iob_fio_jobs *jobs, const struct iob_fio_job *j, const char *name, const char *needs)
{
	if (is_given(&j->job, name))
		iob_messages_add(&jobs->note, &jobs->nnotes, iob_fio_job_place(j, name),
			"%s: no effect without %s", name, needs);
}

static void note_what_is_unused(struct iob_fio_jobs *jobs, const struct iob_fio_job *j)
{
	const struct iob_job *job = &j->job;

	note_priorities(jobs, j);
	if (!job->dedupe_percentage || job->dedupe_mode != IOB_DEDUPE_WORKING_SET)
		note_unused(jobs, j, IOB_PARAM_NAME(dedupe_global),
			"dedupe_percentage and dedupe_mode=working_set");
	if (!job->hipri)
		note_unused(jobs, j, IOB_PARAM_NAME(hipri_percentage), "hipri");
}

/* A bare option means the name of the job. */
static void name_log(struct iob_fio_job *j, const char *name, char *prefix, size_t n)
{
	if (prefix[0] == '\0' && is_given(&j->job, name))
		snprintf(prefix, n, "%s", j->jobname);
}

static void name_logs(struct iob_fio_job *j)
{
	struct iob_job_control *c = &j->job.ctl;

	name_log(j, IOB_PARAM_NAME(ctl.write_bw_log), c->write_bw_log, sizeof(c->write_bw_log));
	name_log(j, IOB_PARAM_NAME(ctl.write_lat_log), c->write_lat_log, sizeof(c->write_lat_log));
	name_log(j, IOB_PARAM_NAME(ctl.write_iops_log), c->write_iops_log,
		sizeof(c->write_iops_log));
	name_log(j, IOB_PARAM_NAME(ctl.write_hist_log), c->write_hist_log,
		sizeof(c->write_hist_log));
}

static int check_percentiles(const struct iob_fio_job *j, struct iob_error *err)
{
	const struct iob_place *place = iob_fio_job_place(j, IOB_PARAM_NAME(ctl.percentile_list));
	const char *list = j->job.ctl.percentile_list;
	unsigned count = 0;

	for (const char *at = list; *at != '\0'; count++) {
		char *end;
		double value = strtod(at, &end);

		if (end == at || (*end != '\0' && *end != ':') || strspn(at, "0123456789.") == 0)
			return iob_fail_place(err, place,
				"percentile_list=%.60s: not a list of numbers; write 50:99:99.9",
				list);
		if (!(value > 0 && value <= 100))
			return iob_fail_place(err, place,
				"percentile_list=%.60s: percentiles lie above 0 and up to 100",
				list);
		at = end + (*end == ':');
	}
	if (count > MOST_PERCENTILES)
		return iob_fail_place(err, place, "percentile_list: %u percentiles; at most %d",
			count, MOST_PERCENTILES);
	return 0;
}

static int check_cpus(const struct iob_fio_job *j, struct iob_error *err)
{
	const char *list = j->job.cpus_allowed;
	const char *why;
	cpu_set_t set;

	if (list[0] == '\0' || iob_cpulist_parse(&set, list, &why) == 0)
		return 0;
	return iob_fail_place(err, iob_fio_job_place(j, IOB_PARAM_NAME(cpus_allowed)),
		"cpus_allowed=%.100s: %s; write a list such as 0-3,8 (fio takes what it "
		"understands of it and says nothing)",
		list, why);
}

int iob_fio_job_settle(struct iob_fio_jobs *jobs, struct iob_fio_job *j, struct iob_error *err)
{
	char where[IOB_PLACE_MAX];

	snprintf(j->job.name, sizeof(j->job.name), "%.63s", j->jobname);
	clamp_batches(&j->job);
	settle_time(jobs, j);
	name_logs(j);
	note_what_is_unused(jobs, j);
	take_device(jobs, j);
	int rc = join_directory(j, err);
	if (rc == 0)
		rc = check_rate(j, err);
	if (rc == 0)
		rc = check_percentiles(j, err);
	if (rc == 0)
		rc = check_cpus(j, err);
	if (rc < 0)
		return rc;
	rc = iob_job_check(&j->job, err);
	if (rc < 0)
		iob_error_prefix(err, "%s: [%.60s] ",
			iob_place_format(where, sizeof(where), &j->place), j->jobname);
	return rc;
}

/* It waits for an earlier job, and it must be clear for which. */
static int check_wait(const struct iob_fio_jobs *jobs, size_t at, struct iob_error *err)
{
	const struct iob_fio_job *j = &jobs->job[at];
	const char *name = j->job.ctl.wait_for;
	unsigned found = 0;

	if (name[0] == '\0')
		return 0;
	for (size_t i = 0; i < at; i++)
		found += strcmp(jobs->job[i].jobname, name) == 0;
	if (found == 1)
		return 0;
	return iob_fail_place(err, iob_fio_job_place(j, IOB_PARAM_NAME(ctl.wait_for)),
		found == 0
			? "wait_for=%.60s: no job of this name stands before [%.60s]"
			: "wait_for=%.60s: several jobs before [%.60s] have this name; give them "
			  "names of their own",
		name, j->jobname);
}

int iob_fio_jobs_check(
	const struct iob_fio_jobs *jobs, const struct iob_fio_rules *rules, struct iob_error *err)
{
	uint64_t workers = 0;

	for (size_t i = 0; i < jobs->njobs; i++) {
		const struct iob_fio_job *j = &jobs->job[i];
		int rc = check_wait(jobs, i, err);

		if (rc < 0)
			return rc;
		workers += j->job.numjobs;
		if (rules->max_jobs && workers > rules->max_jobs)
			return iob_fail_place(err, iob_fio_job_place(j, IOB_PARAM_NAME(numjobs)),
				"[%.60s] makes it %llu jobs; --max-jobs=%zu allows fewer",
				j->jobname, (unsigned long long)workers, rules->max_jobs);
	}
	return 0;
}
