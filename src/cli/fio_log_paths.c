/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_log_paths.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *prefix_of(const struct iob_job_control *ctl, enum iob_fio_log kind)
{
	switch (kind) {
	case IOB_FIO_LOG_BW:
		return ctl->write_bw_log;
	case IOB_FIO_LOG_IOPS:
		return ctl->write_iops_log;
	case IOB_FIO_LOG_SLAT:
		return ctl->disable_slat ? "" : ctl->write_lat_log;
	case IOB_FIO_LOG_CLAT:
		return ctl->disable_clat ? "" : ctl->write_lat_log;
	case IOB_FIO_LOG_LAT:
		return ctl->disable_lat ? "" : ctl->write_lat_log;
	case IOB_FIO_LOG_HIST:
		return ctl->write_hist_log;
	case IOB_FIO_NLOGS:
		break;
	}
	return "";
}

int iob_fio_log_path_of(const struct iob_fleet_clone *c, enum iob_fio_log kind, char *path,
	size_t n, struct iob_error *err)
{
	const struct iob_job_control *ctl = &c->settings.ctl;
	const char *prefix = prefix_of(ctl, kind);

	if (prefix[0] == '\0')
		return 0;
	int rc = iob_fio_log_path(path, n, prefix, kind, ctl->per_job_logs ? c->thread : 0);
	return rc < 0 ? iob_fail(err, rc, "log %.100s: %m", prefix) : 1;
}

unsigned iob_fio_log_part(const struct iob_fleet *f, unsigned clone, enum iob_fio_log kind)
{
	const struct iob_job_control *own = &f->clone[clone].settings.ctl;
	unsigned before = 0;

	for (unsigned i = 0; i < clone && !own->per_job_logs; i++) {
		const struct iob_job_control *ctl = &f->clone[i].settings.ctl;

		before += !ctl->per_job_logs &&
			  strcmp(prefix_of(ctl, kind), prefix_of(own, kind)) == 0;
	}
	return before;
}

int iob_fio_log_part_path(const struct iob_fleet *f, unsigned clone, enum iob_fio_log kind,
	char *path, size_t n, struct iob_error *err)
{
	int rc = iob_fio_log_path_of(&f->clone[clone], kind, path, n, err);
	unsigned part = rc > 0 ? iob_fio_log_part(f, clone, kind) : 0;
	size_t used = strlen(rc > 0 ? path : "");

	if (part && snprintf(path + used, n - used, ".part%u", part + 1) >= (int)(n - used))
		return iob_fail(err, -ENAMETOOLONG, "log %.100s: %m", path);
	return rc;
}

int iob_fio_bandwidth_path(char *path, size_t n, const char *prefix, int dir, struct iob_error *err)
{
	static const char *const names[IOB_NDIR] = {"read", "write", "trim"};

	if (snprintf(path, n, "%s-%s_bw.log", prefix, names[dir]) >= (int)n)
		return iob_fail_usage(err, "--bandwidth-log=%.40s...: too long", prefix);
	return 0;
}
