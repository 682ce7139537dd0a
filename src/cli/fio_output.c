/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "cli/fio_eta.h"
#include "cli/fio_warnings.h"
#include "cli/output.h"
#include "result/fio_build.h"
#include "result/save.h"

static void set_stream(struct iob_fio_output *o, FILE *stream)
{
	o->stream = stream;
	o->talk = o->args->formats & IOB_FIO_NORMAL ? stream : NULL;
}

static int begin_text(struct iob_fio_output *o, struct iob_error *err)
{
	FILE *stream = open_memstream(&o->text, &o->size);

	if (!stream)
		return iob_fail(err, -ENOMEM, "making the report: %m");
	set_stream(o, stream);
	return 0;
}

static void drop_text(struct iob_fio_output *o)
{
	fclose(o->stream);
	free(o->text);
	o->text = NULL;
}

int iob_fio_output_check(
	const struct iob_fio_args *args, struct iob_fleet_config *config, struct iob_error *err)
{
	struct iob_output_files files = {
		.count = &config->nreports,
		.report = config->report,
		.ninputs = args->jobs.nfiles,
		.input = (const char *const *)args->jobs.file,
		.what = "job file",
	};

	return args->output ? iob_output_check_file(&files, "--output", args->output, err) : 0;
}

int iob_fio_output_open(struct iob_fio_output *o, const struct iob_fio_args *args, bool is_stream,
	struct iob_error *err)
{
	int rc = 0;

	*o = (struct iob_fio_output){.args = args};
	set_stream(o, stdout);
	if (!args->output)
		return 0;
	if (is_stream)
		rc = iob_atomic_file_open(&o->file, args->output, err);
	else
		rc = begin_text(o, err);
	if (rc < 0)
		*o = (struct iob_fio_output){0};
	else if (is_stream)
		set_stream(o, o->file.stream);
	o->in_memory = rc == 0 && !is_stream;
	return rc;
}

/* One for all, as in fio: until the last of them has ended. */
static void set_eta(struct iob_fio_report *report, struct iob_fleet *fleet)
{
	static struct iob_fio_live live;

	iob_fio_live_look(&live, fleet, iob_now_ns());
	for (size_t i = 0; i < report->nentries; i++)
		report->entry[i].eta_s = live.eta_s;
}

int iob_fio_output_report(
	struct iob_fio_output *o, struct iob_fleet *fleet, bool interim, struct iob_error *err)
{
	unsigned formats = o->args->formats;
	struct iob_fio_warnings warnings = {0};
	struct iob_fio_report report;
	int rc = iob_fio_build(&report, fleet, interim, err);

	if (rc < 0)
		return rc;
	if (interim)
		set_eta(&report, fleet);
	if (o->idle)
		report.idleness = iob_idle_prof_read(o->idle);
	report.percpu = o->args->idle_prof == IOB_FIO_IDLE_PERCPU;
	iob_fio_warnings_collect(&warnings, fleet);
	report.nwarnings = warnings.count;
	report.warning = (const char *const *)warnings.line;
	if (formats & IOB_FIO_TERSE)
		rc = iob_fio_report_terse(&report, o->args->terse_version, o->stream, err);
	if (rc == 0 && (formats & (IOB_FIO_JSON | IOB_FIO_JSON_PLUS)))
		rc = iob_fio_report_json(&report, formats & IOB_FIO_JSON_PLUS, o->stream, err);
	if (rc == 0 && (formats & IOB_FIO_NORMAL))
		rc = iob_fio_report_text(&report, o->stream, err);
	errno = 0;
	if (rc == 0 && (fflush(o->stream) != 0 || ferror(o->stream)))
		rc = iob_fail(err, errno ? -errno : -EIO, "write the report: %m");
	iob_fio_warnings_free(&warnings);
	iob_fio_report_free(&report);
	return rc;
}

void iob_fio_output_warn(struct iob_fleet *fleet)
{
	struct iob_fio_warnings warnings = {0};

	iob_fio_warnings_collect(&warnings, fleet);
	iob_fio_warnings_print(&warnings, stderr);
	iob_fio_warnings_free(&warnings);
}

static int write_text(const void *what, FILE *f, struct iob_error *err)
{
	const struct iob_fio_output *o = what;

	if (fwrite(o->text, 1, o->size, f) == o->size)
		return 0;
	return iob_fail(err, -errno, "%.200s could not be written: %m", o->args->output);
}

/* A piece that does not get there is lost, the rest goes on. */
static int save_text(struct iob_fio_output *o, bool more, bool hurry, struct iob_error *err)
{
	const struct iob_document d = {
		.write = write_text, .what = o, .hurry = hurry || o->hung, .more = more};
	int rc;

	if (fflush(o->stream) != 0)
		return iob_fail(err, -ENOMEM, "making the report: %m");
	if (o->shown)
		rc = iob_document_append(&d, o->args->output, err);
	else
		rc = iob_document_save(&d, o->args->output, err);
	o->shown |= rc == 0;
	o->hung |= rc == -ETIMEDOUT;
	return rc;
}

void iob_fio_output_spare(struct iob_fio_output *o)
{
	if (!o->in_memory || o->shown)
		return;
	drop_text(o);
	o->in_memory = false;
	set_stream(o, stdout);
}

int iob_fio_output_pass(struct iob_fio_output *o, struct iob_error *err)
{
	int rc = 0;

	if (!o->in_memory)
		return fflush(o->stream) == 0 ? 0 : iob_fail(err, -errno, "write: %m");
	/* Whoever waits for what hangs does not look after the run. */
	if (!o->hung)
		rc = save_text(o, true, true, err);
	drop_text(o);
	o->in_memory = false;
	set_stream(o, stdout);
	int later = begin_text(o, err);
	o->in_memory = later == 0;
	return rc < 0 ? rc : later;
}

int iob_fio_output_show(struct iob_fio_output *o, struct iob_error *err)
{
	if (!o->in_memory || o->begun || o->args->status_interval_ns == 0)
		return 0;
	o->begun = true;
	return iob_fio_output_pass(o, err);
}

int iob_fio_output_finish(struct iob_fio_output *o, bool hurry, struct iob_error *err)
{
	int rc = 0;

	if (o->file.stream)
		rc = iob_atomic_file_commit(&o->file, err);
	else if (o->in_memory)
		rc = save_text(o, false, hurry, err);
	iob_fio_output_free(o);
	return rc;
}

void iob_fio_output_free(struct iob_fio_output *o)
{
	if (o->in_memory)
		drop_text(o);
	iob_atomic_file_abort(&o->file);
	memset(o, 0, sizeof(*o));
}
