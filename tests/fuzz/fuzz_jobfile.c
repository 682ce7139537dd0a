/* SPDX-License-Identifier: MIT */
/* Any text as a job file: read, applied, and each job sound. */
#include <config.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "job/fio_jobs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(int truth)
{
	if (!truth)
		abort();
}

static void check_jobs(const struct iob_fio_jobs *jobs)
{
	for (size_t i = 0; i < jobs->njobs; i++) {
		const struct iob_fio_job *j = &jobs->job[i];

		demand(iob_job_check(&j->job, NULL) == 0);
		demand(memchr(j->jobname, '\0', sizeof(j->jobname)) != NULL);
		iob_fio_job_option(j, "filename");
	}
}

/* Includes would read files of this machine. */
static int includes(const uint8_t *data, size_t size)
{
	return memmem(data, size, "include", strlen("include")) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct iob_fio_rules rules = {.max_jobs = 1000, .allow_exec = true};
	struct iob_jobfile jf = {0};
	struct iob_fio_jobs jobs = {0};
	struct iob_error err = {0};

	if (includes(data, size))
		return 0;
	int rc = iob_jobfile_parse(&jf, "fuzz", (const char *)data, size, &err);
	if (rc == 0)
		rc = iob_fio_jobs_make(&jobs, &jf, &rules, &err);
	if (rc == 0)
		check_jobs(&jobs);
	else
		demand(err.kind == IOB_ERR_USAGE && err.text[0] != '\0');
	iob_fio_jobs_free(&jobs);
	iob_jobfile_free(&jf);
	return 0;
}
