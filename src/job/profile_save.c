/* SPDX-License-Identifier: MIT */
/* A plan as a profile of the user's own. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/user_dir.h"
#include "job/param.h"
#include "job/profile.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

/* Where it runs is not part of what it does. */
static bool is_kept(const struct iob_job *job, const struct iob_param *p)
{
	static const char *const never[] = {"name", "filename", "directory", "randseed"};

	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		if (strcmp(p->name, never[i]) == 0)
			return false;
	/* One of two names for a field is enough. */
	return iob_param_is_given(job, p) && !(p->flags & (IOB_PF_COMPLEMENT | IOB_PF_JOBFILE));
}

static void write_stage(FILE *f, const struct iob_job *job, char *value)
{
	fprintf(f, "\n[%s]\n", job->name);
	for (size_t i = 0; i < iob_param_count(); i++) {
		if (!is_kept(job, iob_param_at(i)))
			continue;
		iob_param_get(job, iob_param_at(i), value, IOB_PATH_MAX);
		if (value[0])
			fprintf(f, "%s = %s\n", iob_param_at(i)->name, value);
	}
}

static int name_file(const char *name, char *path, size_t n, struct iob_error *err)
{
	char dir[IOB_PATH_MAX - 128];

	if (!name[0] || name[0] == '.' || name[strspn(name, LETTERS)] ||
		strlen(name) >= IOB_NAME_MAX)
		return iob_fail_usage(
			err, "profile %.64s: letters, digits, '.', '_' and '-' make a name", name);
	int rc = iob_user_dir(IOB_USER_CONFIG, dir, sizeof(dir), err);
	if (rc < 0)
		return rc;
	snprintf(path, n, "%s/profiles", dir);
	rc = iob_user_dir_make(path, err);
	if (rc < 0)
		return rc;
	snprintf(path, n, "%s/profiles/%s.ini", dir, name);
	if (access(path, F_OK) == 0)
		return iob_fail_usage(err, "%s exists already; choose another name", path);
	return 0;
}

int iob_profile_save(
	const struct iob_plan *plan, const char *name, char *path, size_t n, struct iob_error *err)
{
	IOB_FREE char *value = malloc(IOB_PATH_MAX);
	struct iob_atomic_file file = {0};

	if (!value)
		return iob_fail(err, -ENOMEM, "profile %s: %m", name);
	int rc = name_file(name, path, n, err);
	if (rc == 0)
		rc = iob_atomic_file_open(&file, path, err);
	if (rc < 0)
		return rc;
	fprintf(file.stream, "[profile]\nsummary = saved; from %s\n",
		plan->profile[0] ? plan->profile : "the defaults");
	for (unsigned i = 0; i < plan->nstages; i++)
		write_stage(file.stream, &plan->stage[i], value);
	return iob_atomic_file_commit(&file, err);
}
