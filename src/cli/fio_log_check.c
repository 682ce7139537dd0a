/* SPDX-License-Identifier: MIT */
/* May there be a log?  In the process that writes them: the place may hang. */
#include <config.h>

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "cli/fio_log_paths.h"
#include "cli/fio_log_process.h"
#include "cli/output.h"

static int note_existing(
	struct iob_log_page *page, const char *path, const struct stat *st, struct iob_error *err)
{
	if (page->nlogs == IOB_MAX_REPORTS)
		return iob_fail_usage(err,
			"log %s: there are more than %d logs of earlier runs; remove them first",
			path, IOB_MAX_REPORTS);
	page->log[page->nlogs++] = (struct iob_plan_report){.dev = st->st_dev, .ino = st->st_ino};
	return 0;
}

static int check_path(const struct iob_log_process *p, const char *path, struct iob_error *err)
{
	struct iob_atomic_file file;
	struct iob_error why;
	struct stat st;
	bool exists = stat(path, &st) == 0;

	if (exists && !S_ISREG(st.st_mode))
		return iob_fail_usage(
			err, "the log %s is no regular file; give it another name", path);
	if (!exists && lstat(path, &st) == 0)
		return iob_fail_usage(err,
			"the log %s is a symbolic link to nothing; remove it, or give the log another name",
			path);
	if (iob_atomic_file_open(&file, path, &why) < 0)
		return iob_fail_usage(err, "log: %s; nothing was started", why.text);
	iob_atomic_file_abort(&file);
	if (p->output && iob_output_is_same_file(path, p->output))
		return iob_fail_usage(err,
			"the log %s is the file of --output as well, and one would replace the "
			"other; name two",
			path);
	return exists ? note_existing(p->page, path, &st, err) : 0;
}

static int check_clone(
	const struct iob_log_process *p, unsigned clone, char *path, struct iob_error *err)
{
	struct iob_log_wait *wait = &p->page->clone[clone].wait;

	for (int i = 0; i < IOB_FIO_NLOGS; i++) {
		int rc = iob_fio_log_part_path(
			p->fleet, clone, (enum iob_fio_log)i, path, PATH_MAX, err);

		iob_log_wait_begin(wait, (unsigned)i);
		if (rc > 0)
			rc = check_path(p, path, err);
		iob_log_wait_end(wait);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int iob_fio_log_check(const struct iob_log_process *p, struct iob_error *err)
{
	char path[PATH_MAX];
	int rc = 0;

	for (unsigned i = 0; i < p->fleet->count && rc == 0; i++)
		rc = check_clone(p, i, path, err);
	for (int d = 0; d < IOB_NDIR && rc == 0 && p->bandwidth; d++) {
		rc = iob_fio_bandwidth_path(path, sizeof(path), p->bandwidth, d, err);
		iob_log_wait_begin(&p->page->bandwidth.wait, (unsigned)d);
		if (rc == 0)
			rc = check_path(p, path, err);
		iob_log_wait_end(&p->page->bandwidth.wait);
	}
	return rc;
}
