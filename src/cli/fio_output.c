/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_output.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "cli/fio_eta.h"
#include "cli/fio_warnings.h"
#include "result/fio_build.h"

/* A report that is written again and again is to be seen while it grows. */
static int open_file(struct iob_fio_output *o, struct iob_error *err)
{
	const char *path = o->args->output;

	o->owned = true;
	o->atomic = o->args->status_interval_ns == 0;
	if (o->atomic) {
		int rc = iob_atomic_file_open(&o->file, path, err);
		o->stream = o->file.stream;
		return rc;
	}
	o->stream = fopen(path, "we");
	return o->stream ? 0 : iob_fail(err, -errno, "open %s: %m", path);
}

int iob_fio_output_open(
	struct iob_fio_output *o, const struct iob_fio_args *args, struct iob_error *err)
{
	*o = (struct iob_fio_output){.args = args, .stream = stdout};
	int rc = args->output ? open_file(o, err) : 0;
	if (rc < 0) {
		*o = (struct iob_fio_output){0};
		return rc;
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
	iob_fio_warnings_collect(&warnings, fleet);
	report.nwarnings = warnings.count;
	report.warning = (const char *const *)warnings.line;
	if (formats & IOB_FIO_TERSE)
		rc = iob_fio_report_terse(&report, o->args->terse_version, o->stream, err);
	if (rc == 0 && (formats & (IOB_FIO_JSON | IOB_FIO_JSON_PLUS)))
		rc = iob_fio_report_json(&report, formats & IOB_FIO_JSON_PLUS, o->stream, err);
	if (rc == 0 && (formats & IOB_FIO_NORMAL))
		rc = iob_fio_report_text(&report, o->stream, err);
	if (!interim)
		iob_fio_warnings_print(&warnings, stderr);
	iob_fio_warnings_free(&warnings);
	iob_fio_report_free(&report);
	return rc;
}

int iob_fio_output_close(struct iob_fio_output *o, bool keep, struct iob_error *err)
{
	int rc = 0;

	if (!o->stream)
		return 0;
	if (o->owned && o->atomic && !keep)
		iob_atomic_file_abort(&o->file);
	else if (o->owned && o->atomic)
		rc = iob_atomic_file_commit(&o->file, err);
	else if (o->owned && fclose(o->stream) != 0)
		rc = iob_fail(err, -errno, "write %s: %m", o->args->output);
	memset(o, 0, sizeof(*o));
	return rc;
}
