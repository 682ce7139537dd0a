/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_check.h"

#include <stdio.h>
#include <string.h>

#include "job/param.h"
#include "load/engine.h"

static int fail_engine(const struct iob_fio_job *j, struct iob_error *err)
{
	char list[240] = "";
	size_t used = 0;

	for (size_t i = 0; iob_engines[i] && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
			i > 0 ? ", " : "", iob_engines[i]->name);
	return iob_fail_place(err, iob_fio_job_place(j, "ioengine"),
		"ioengine=%.32s: no such engine; there are %s", j->job.ioengine, list);
}

/* The option that the engine does not know, for its place. */
static const struct iob_place *place_of_foreign(
	const struct iob_fio_job *j, const struct iob_engine *e)
{
	for (size_t i = 0; i < iob_param_count(); i++) {
		const struct iob_param *p = iob_param_at(i);

		if (strcmp(p->group, IOB_PARAM_GROUP_ENGINE) == 0 &&
			iob_param_is_given(&j->job, p) && !iob_engine_has_param(e, p->name))
			return iob_fio_job_place(j, p->name);
	}
	return &j->place;
}

static int check_engine(struct iob_fio_jobs *jobs, struct iob_fio_job *j, struct iob_error *err)
{
	const struct iob_engine *e = iob_engine_find(j->job.ioengine);
	char where[IOB_PLACE_MAX];

	if (!e)
		return fail_engine(j, err);
	int rc = iob_engine_check_params(e, &j->job, err);
	if (rc < 0) {
		iob_error_prefix(err,
			"%s: ", iob_place_format(where, sizeof(where), place_of_foreign(j, e)));
		return rc;
	}
	if (j->job.iodepth > 1 && !(e->caps & IOB_ENGINE_ASYNC)) {
		iob_messages_add(&jobs->note, &jobs->nnotes, iob_fio_job_place(j, "iodepth"),
			"iodepth=%llu: the engine %s has one request at a time: 1 is taken",
			(unsigned long long)j->job.iodepth, e->name);
		j->job.iodepth = 1;
		j->job.iodepth_batch = j->job.iodepth_batch > 1 ? 1 : j->job.iodepth_batch;
		if (j->job.iodepth_batch_complete > 1)
			j->job.iodepth_batch_complete = 1;
	}
	return 0;
}

/* What is given and has no effect is said. */
static void check_trimwrite(struct iob_fio_jobs *jobs, const struct iob_fio_job *j)
{
	const struct iob_range *trim = &j->job.bs[IOB_TRIM], *write = &j->job.bs[IOB_WRITE];

	if (!iob_rw_is_trimwrite(j->job.rw) || (trim->min == write->min && trim->max == write->max))
		return;
	iob_messages_add(&jobs->warning, &jobs->nwarnings, iob_fio_job_place(j, "bs"),
		"bs: the third size holds for both here: each write is as long as its trim");
}

int iob_fio_check_engines(struct iob_fio_jobs *jobs, struct iob_error *err)
{
	for (size_t i = 0; i < jobs->njobs; i++) {
		int rc = check_engine(jobs, &jobs->job[i], err);
		if (rc < 0)
			return rc;
		check_trimwrite(jobs, &jobs->job[i]);
	}
	return 0;
}

int iob_fio_check_readonly(const struct iob_fio_jobs *jobs, struct iob_error *err)
{
	char where[IOB_PLACE_MAX];

	for (size_t i = 0; i < jobs->njobs; i++) {
		const struct iob_fio_job *j = &jobs->job[i];

		if (iob_job_modifies(&j->job))
			return iob_fail_refused(err,
				"%s: [%.60s] writes or trims, and --readonly forbids it; leave one out",
				iob_place_format(where, sizeof(where), iob_fio_job_place(j, "rw")),
				j->jobname);
	}
	return 0;
}

int iob_fio_check_limits(const struct iob_fio_jobs *jobs, struct iob_error *err)
{
	const char *const names[] = {IOB_PARAM_NAME(numjobs), IOB_PARAM_NAME(nrfiles)};

	for (size_t i = 0; i < jobs->njobs; i++) {
		const struct iob_job *job = &jobs->job[i].job;
		const uint64_t value[] = {job->numjobs, job->nrfiles};

		for (int k = 0; k < 2; k++) {
			const struct iob_param *p = iob_param_find(names[k]);

			if (value[k] > p->max)
				return iob_fail_place(err,
					iob_fio_job_place(&jobs->job[i], names[k]),
					"%s=%llu: at most %llu can run", names[k],
					(unsigned long long)value[k], (unsigned long long)p->max);
		}
	}
	return 0;
}

int iob_fio_check_sizes(const struct iob_fio_jobs *jobs, struct iob_error *err)
{
	const struct iob_param *filesize = IOB_PARAM_OF(files.filesize);

	for (size_t i = 0; i < jobs->njobs; i++) {
		const struct iob_fio_job *j = &jobs->job[i];
		const struct iob_job *job = &j->job;

		if (job->size.bytes || job->filename[0] != '\0' || job->ctl.opendir[0] != '\0' ||
			(filesize && iob_param_is_given(job, filesize)))
			continue;
		return iob_fail_place(err, &j->place,
			"[%.60s] has no filename and no size: write size=, such as size=1g",
			j->jobname);
	}
	return 0;
}
