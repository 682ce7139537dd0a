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
#include "result/fio_build.h"
#include "result/save.h"

static bool is_stream(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* Can it be written?  A file is made only once all of it is there. */
static int open_file(struct iob_fio_output *o, struct iob_error *err)
{
	const char *path = o->args->output;
	bool grows = o->args->status_interval_ns != 0 || is_stream(path);
	int rc = iob_atomic_file_open(&o->file, path, err);

	if (rc < 0 || grows) {
		o->stream = o->file.stream;
		return rc;
	}
	iob_atomic_file_abort(&o->file);
	o->stream = open_memstream(&o->text, &o->length);
	return o->stream ? 0 : iob_fail(err, -errno, "making the report: %m");
}

int iob_fio_output_open(
	struct iob_fio_output *o, const struct iob_fio_args *args, struct iob_error *err)
{
	*o = (struct iob_fio_output){.args = args, .stream = stdout};
	if (args->output) {
		int rc = open_file(o, err);

		if (rc < 0) {
			*o = (struct iob_fio_output){0};
			return rc;
		}
		o->owned = true;
	}
	if (args->formats & IOB_FIO_NORMAL)
		o->talk = o->stream;
	return 0;
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

static void forget(struct iob_fio_output *o)
{
	if (o->owned && o->file.stream)
		iob_atomic_file_abort(&o->file);
	else if (o->owned)
		fclose(o->stream);
	free(o->text);
	o->text = NULL;
	o->owned = false;
}

void iob_fio_output_spare(struct iob_fio_output *o)
{
	if (!o->owned || o->shown)
		return;
	forget(o);
	o->stream = stdout;
	if (o->talk)
		o->talk = stdout;
}

int iob_fio_output_show(struct iob_fio_output *o, struct iob_error *err)
{
	if (!o->file.stream || o->shown || o->args->status_interval_ns == 0)
		return 0;
	o->shown = true;
	return iob_atomic_file_show(&o->file, err);
}

static int write_text(const void *what, FILE *f, struct iob_error *err)
{
	const struct iob_fio_output *o = what;

	return fwrite(o->text, 1, o->length, f) == o->length ? 0
							     : iob_fail(err, -errno, "write: %m");
}

static int save_text(struct iob_fio_output *o, bool hurry, struct iob_error *err)
{
	const struct iob_document d = {.write = write_text, .what = o, .hurry = hurry};
	int rc = fflush(o->stream) != 0 || ferror(o->stream)
			 ? iob_fail(err, -ENOMEM, "making the report: %m")
			 : 0;

	return rc < 0 ? rc : iob_document_save(&d, o->args->output, err);
}

int iob_fio_output_keep(struct iob_fio_output *o, bool hurry, struct iob_error *err)
{
	int rc = 0;

	if (o->owned && o->file.stream) {
		rc = iob_atomic_file_commit(&o->file, err);
	} else if (o->owned) {
		rc = save_text(o, hurry, err);
		forget(o);
	}
	memset(o, 0, sizeof(*o));
	return rc;
}

void iob_fio_output_drop(struct iob_fio_output *o)
{
	forget(o);
	memset(o, 0, sizeof(*o));
}
