/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_output.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "cli/fio_eta.h"
#include "cli/fio_warnings.h"
#include "result/fio_build.h"

int iob_fio_output_open(
	struct iob_fio_output *o, const struct iob_fio_args *args, struct iob_error *err)
{
	*o = (struct iob_fio_output){.args = args, .stream = stdout};
	if (args->output) {
		int rc = iob_atomic_file_open(&o->file, args->output, err);

		if (rc < 0) {
			*o = (struct iob_fio_output){0};
			return rc;
		}
		o->owned = true;
		o->stream = o->file.stream;
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
	if (!interim && !o->warned)
		iob_fio_warnings_print(&warnings, stderr);
	o->warned |= !interim;
	iob_fio_warnings_free(&warnings);
	iob_fio_report_free(&report);
	return rc;
}

void iob_fio_output_spare(struct iob_fio_output *o)
{
	if (!o->owned || o->shown)
		return;
	iob_atomic_file_abort(&o->file);
	o->owned = false;
	o->stream = stdout;
	if (o->talk)
		o->talk = stdout;
}

int iob_fio_output_show(struct iob_fio_output *o, struct iob_error *err)
{
	if (!o->owned || o->shown || o->args->status_interval_ns == 0)
		return 0;
	o->shown = true;
	return iob_atomic_file_show(&o->file, err);
}

int iob_fio_output_close(struct iob_fio_output *o, bool keep, struct iob_error *err)
{
	int rc = 0;

	if (!o->stream)
		return 0;
	if (o->owned && !keep)
		iob_atomic_file_abort(&o->file);
	else if (o->owned)
		rc = iob_atomic_file_commit(&o->file, err);
	memset(o, 0, sizeof(*o));
	return rc;
}
