/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_log_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "cli/output.h"
#include "load/engine.h"
#include "result/fio_logs.h"

/* The files of one clone. */
struct logs {
	FILE *stream[IOB_FIO_NLOGS]; /* NULL = not wanted */
	struct iob_fio_log_options options;
	bool slat; /* the engine has one */
};

static const char *prefix_of(const struct iob_job_control *ctl, enum iob_fio_log kind)
{
	switch (kind) {
	case IOB_FIO_LOG_BW:
		return ctl->write_bw_log;
	case IOB_FIO_LOG_IOPS:
		return ctl->write_iops_log;
	case IOB_FIO_LOG_SLAT:
	case IOB_FIO_LOG_CLAT:
	case IOB_FIO_LOG_LAT:
		return ctl->write_lat_log;
	case IOB_FIO_LOG_HIST:
		return ctl->write_hist_log;
	case IOB_FIO_NLOGS:
		break;
	}
	return "";
}

static bool is_disabled(const struct iob_job_control *ctl, enum iob_fio_log kind)
{
	return (kind == IOB_FIO_LOG_SLAT && ctl->disable_slat) ||
	       (kind == IOB_FIO_LOG_CLAT && ctl->disable_clat) ||
	       (kind == IOB_FIO_LOG_LAT && ctl->disable_lat);
}

/* 1, or 0 if there is no such log. */
static int path_of(const struct iob_fleet_clone *c, enum iob_fio_log kind, char *path, size_t n,
	struct iob_error *err)
{
	const struct iob_job_control *ctl = &c->settings.ctl;
	const char *prefix = prefix_of(ctl, kind);

	if (prefix[0] == '\0' || is_disabled(ctl, kind))
		return 0;
	int rc = iob_fio_log_path(path, n, prefix, kind, ctl->per_job_logs ? c->thread : 0);
	return rc < 0 ? iob_fail(err, rc, "log %.100s: %m", prefix) : 1;
}

static int open_one(struct logs *l, const struct iob_fleet_clone *c, enum iob_fio_log kind,
	struct iob_error *err)
{
	char path[PATH_MAX];
	int rc = path_of(c, kind, path, sizeof(path), err);

	if (rc <= 0)
		return rc;
	/* The clones of a job share a file in turn. */
	bool append = !c->settings.ctl.per_job_logs && c->number > 0;
	l->stream[kind] = iob_plain_file_open(path, append, err);
	if (!l->stream[kind])
		return iob_error_prefix(err, "open the log: "), err->code;
	return 0;
}

int iob_fio_log_path_check(
	struct iob_fleet *f, const char *path, const char *output, struct iob_error *err)
{
	struct iob_fleet_config *config = &f->config;
	struct iob_atomic_file file;
	struct iob_error why;
	struct stat st;
	bool exists = stat(path, &st) == 0;

	if (exists && !S_ISREG(st.st_mode))
		return iob_fail_usage(
			err, "the log %s is no regular file; give it another name", path);
	if (iob_atomic_file_open(&file, path, &why) < 0)
		return iob_fail_usage(err, "log: %s; nothing was started", why.text);
	iob_atomic_file_abort(&file);
	if (output && iob_output_is_same_file(path, output))
		return iob_fail_usage(err,
			"the log %s is the file of --output as well, and one would replace the "
			"other; name two",
			path);
	if (!exists)
		return 0;
	if (config->nreports == IOB_MAX_REPORTS)
		return iob_fail_usage(err,
			"log %s: there are more than %d logs of earlier runs; remove them first",
			path, IOB_MAX_REPORTS);
	config->report[config->nreports++] =
		(struct iob_plan_report){.dev = st.st_dev, .ino = st.st_ino};
	return 0;
}

static int check_clone(struct iob_fleet *f, const struct iob_fleet_clone *c, const char *output,
	struct iob_error *err)
{
	char path[PATH_MAX];

	for (int i = 0; i < IOB_FIO_NLOGS; i++) {
		int rc = path_of(c, (enum iob_fio_log)i, path, sizeof(path), err);

		if (rc > 0)
			rc = iob_fio_log_path_check(f, path, output, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int iob_fio_log_files_check(struct iob_fleet *f, const char *output, struct iob_error *err)
{
	for (unsigned i = 0; i < f->count; i++) {
		const struct iob_fleet_clone *c = &f->clone[i];
		int rc = 0;

		if (c->settings.ctl.per_job_logs || c->number == 0)
			rc = check_clone(f, c, output, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int close_all(struct logs *l, struct iob_error *err)
{
	int rc = 0;

	for (int i = 0; i < IOB_FIO_NLOGS; i++) {
		if (!l->stream[i])
			continue;
		bool bad = ferror(l->stream[i]) != 0;
		errno = 0;
		if ((fclose(l->stream[i]) != 0 || bad) && rc == 0)
			rc = iob_fail(err, errno ? -errno : -EIO, "write a log: %m");
	}
	return rc;
}

static void put(
	const struct logs *l, enum iob_log_kind kind, enum iob_fio_log to, const void *record)
{
	FILE *f = l->stream[to];

	if (!f || (to == IOB_FIO_LOG_SLAT && !l->slat))
		return;
	if (kind == IOB_LOG_RECORD)
		iob_fio_log_record(f, to, &l->options, record);
	else
		iob_fio_log_window(f, to, &l->options, record);
}

static int visit(void *arg, enum iob_log_kind kind, const void *record)
{
	const struct logs *l = arg;

	if (kind == IOB_LOG_HIST) {
		if (l->stream[IOB_FIO_LOG_HIST])
			iob_fio_log_hist(l->stream[IOB_FIO_LOG_HIST], &l->options, record);
		return 0;
	}
	for (int i = 0; i < IOB_FIO_LOG_HIST; i++)
		put(l, kind, (enum iob_fio_log)i, record);
	return 0;
}

/* When the clone started, by the clock that its job names. */
static uint64_t epoch_ms(const struct iob_fleet_clone *c)
{
	const struct iob_job_control *ctl = &c->settings.ctl;
	uint64_t since = iob_wall_ms() - c->started_ms;
	struct timespec ts;

	if (!ctl->log_alternate_epoch)
		return 0;
	if (clock_gettime((clockid_t)ctl->log_alternate_epoch_clock_id, &ts) < 0)
		return c->started_ms;
	uint64_t now = (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / IOB_NS_PER_MS;
	return now > since ? now - since : 0;
}

static void set_options(struct iob_fio_log_options *o, const struct iob_fleet_clone *c)
{
	static const enum iob_fio_log_value values[] = {
		[IOB_LOG_VALUE_AVG] = IOB_FIO_LOG_MEAN,
		[IOB_LOG_VALUE_MAX] = IOB_FIO_LOG_MAX,
		[IOB_LOG_VALUE_BOTH] = IOB_FIO_LOG_BOTH,
	};
	const struct iob_job_control *ctl = &c->settings.ctl;

	*o = (struct iob_fio_log_options){
		.epoch_ms = epoch_ms(c),
		.window_ns = ctl->log_avg_msec * IOB_NS_PER_MS,
		.value = values[ctl->log_window_value],
		.offset = ctl->log_offset,
		.priority = ctl->log_prio,
		.coarseness = (unsigned)ctl->log_hist_coarseness,
	};
	for (int d = 0; d < IOB_NDIR; d++)
		if (iob_job_does(&c->settings, (enum iob_dir)d))
			o->directions |= 1u << d;
}

static int write_clone(const struct iob_fleet_clone *c, struct iob_error *err)
{
	struct logs l = {0};
	struct iob_error later;
	int rc = 0;

	set_options(&l.options, c);
	l.slat = !iob_engine_is_one_deep(&c->settings) && !c->settings.sqthread_poll;
	for (int i = 0; i < IOB_FIO_NLOGS && rc == 0; i++)
		rc = open_one(&l, c, (enum iob_fio_log)i, err);
	if (rc == 0 && c->run) {
		rc = iob_run_log(c->run, 0, visit, &l);
		if (rc < 0)
			iob_fail(err, rc, "read the log of %s: %m", c->source->jobname);
	}
	int close_rc = close_all(&l, &later);
	if (rc == 0 && close_rc < 0) {
		*err = later;
		rc = close_rc;
	}
	return rc;
}

static bool wants_logs(const struct iob_job_control *ctl)
{
	return ctl->write_bw_log[0] || ctl->write_iops_log[0] || ctl->write_lat_log[0] ||
	       ctl->write_hist_log[0];
}

int iob_fio_log_files_write(struct iob_fleet *f, struct iob_error *err)
{
	struct iob_error later;
	int rc = 0;

	for (unsigned i = 0; i < f->count; i++) {
		const struct iob_fleet_clone *c = &f->clone[i];

		if (!c->released_ns || !wants_logs(&c->settings.ctl) ||
			write_clone(c, &later) == 0 || rc < 0)
			continue;
		*err = later;
		rc = later.code;
	}
	return rc;
}
