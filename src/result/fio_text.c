/* SPDX-License-Identifier: MIT */
/* fio's normal output: the blocks of the jobs, of the groups, of the disks. */
#include <config.h>

#include "result/fio_text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

/* "(file:/dev/sdx, func=read, error=Input/output error)": the words of the error stand at the end,
 * and there only. */
static void put_error(const struct iob_fio_entry *e, FILE *f)
{
	char why[128], words[136];
	int shown = (int)strlen(e->error_where);

	errno = e->error;
	snprintf(why, sizeof(why), "%m");
	snprintf(words, sizeof(words), ": %s", why);
	const char *found = strstr(e->error_where, words);
	if (found)
		shown = (int)(found - e->error_where);
	fprintf(f, " (%.*s%serror=%s)", shown, e->error_where, shown ? ", " : "", why);
}

static void put_title(const struct iob_fio_entry *e, FILE *f)
{
	time_t when = (time_t)e->finished_s;
	char text[64] = "";
	struct tm tm;

	if (localtime_r(&when, &tm))
		strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm);
	fprintf(f, "%s: (groupid=%u, jobs=%u): err=%2d", e->jobname, e->groupid, e->members,
		e->error);
	if (e->error)
		put_error(e, f);
	fprintf(f, ": pid=%" PRId64 ": %s\n", e->pid, text);
	if (e->description[0])
		fprintf(f, "  Description  : [%s]\n", e->description);
}

static void put_levels(const char *title, const char *const names[IOB_FIO_LEVELS],
	const uint64_t count[IOB_DETAIL_LEVELS], uint64_t total, FILE *f)
{
	double share[IOB_FIO_LEVELS];

	iob_fio_levels(count, total, share);
	fputs(title, f);
	for (int i = 0; i < IOB_FIO_LEVELS; i++)
		fprintf(f, "%s%s=%3.1f%%", i ? ", " : "", names[i], share[i]);
	fputc('\n', f);
}

static void put_issued(const struct iob_fio_entry *e, FILE *f)
{
	uint64_t total[IOB_NDIR], shorts[IOB_NDIR];

	for (int i = 0; i < IOB_NDIR; i++) {
		total[i] = e->dir[i].d->issued;
		shorts[i] = e->dir[i].d->shorts;
	}
	if (e->unified == 1) {
		total[0] += total[1] + total[2];
		shorts[0] += shorts[1] + shorts[2];
		total[1] = total[2] = shorts[1] = shorts[2] = 0;
	}
	fprintf(f, "     issued rwts: total=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, total[0],
		total[1], total[2], e->detail->syncs_issued);
	fprintf(f, " short=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",0 dropped=0,0,0,0\n", shorts[0],
		shorts[1], shorts[2]);
}

static void put_sync(const struct iob_fio_entry *e, FILE *f)
{
	const struct iob_span *sync = &e->detail->sync;

	if (sync->moments.n == 0)
		return;
	fputs("  fsync/fdatasync/sync_file_range:\n", f);
	iob_fio_text_span("sync", sync, f);
	iob_fio_text_percentiles(e, "sync", sync, f);
}

/* Nothing was to be done, as with create_only: fio has no block for it. */
static bool is_idle(const struct iob_fio_entry *e)
{
	return e->job_runtime_ms == 0 && e->error == 0 && iob_fio_issued(e) == 0;
}

static void put_entry(const struct iob_fio_report *r, const struct iob_fio_entry *e, FILE *f)
{
	struct iob_fio_row rows[IOB_FIO_MAX_ROWS];
	unsigned n = iob_fio_rows(r, e, rows);
	const struct iob_detail *d = e->detail;

	put_title(e, f);
	for (unsigned i = 0; i < n; i++)
		iob_fio_text_row(e, &rows[i], f);
	iob_fio_text_latencies(e, f);
	put_sync(e, f);
	fprintf(f,
		"  cpu          : usr=%3.2f%%, sys=%3.2f%%, ctx=%" PRIu64 ", majf=%" PRIu64
		", minf=%" PRIu64 "\n",
		e->usr_cpu, e->sys_cpu, d->context_switches, d->major_faults, d->minor_faults);
	put_levels("  IO depths    : ", iob_fio_depth_names, d->depth, iob_fio_issued(e), f);
	put_levels(
		"     submit    : ", iob_fio_batch_names, d->submit, iob_fio_calls(d->submit), f);
	put_levels("     complete  : ", iob_fio_batch_names, d->complete,
		iob_fio_calls(d->complete), f);
	put_issued(e, f);
	errno = d->first_error;
	if (e->continue_on_error)
		fprintf(f, "     errors    : total=%" PRIu64 ", first_error=%d/<%m>\n",
			d->total_errors, d->first_error);
	fprintf(f,
		"     latency   : target=%" PRIu64 ", window=%" PRIu64
		", percentile=%.2f%%, depth=%u\n",
		e->latency_target_ns, e->latency_window_us, e->latency_percentile,
		e->latency_depth);
}

void iob_fio_text_idle_unit(const struct iob_idleness *idle, FILE *f)
{
	fprintf(f, "  unit work: mean=%3.2fus, stddev=%3.2f\n", idle->unit_mean_us,
		idle->unit_stddev_us);
}

static void put_idleness(const struct iob_idleness *idle, bool percpu, FILE *f)
{
	fprintf(f, "\n" IOB_FIO_IDLE_TITLE "  system: %3.2f%%\n", idle->system);
	if (percpu)
		fputs("  percpu: ", f);
	for (unsigned i = 0; percpu && i < idle->ncpus; i++)
		fprintf(f, "%3.2f%%%s", idle->cpu[i].idle, i + 1 < idle->ncpus ? ", " : "\n");
	iob_fio_text_idle_unit(idle, f);
}

int iob_fio_report_text(const struct iob_fio_report *r, FILE *f, struct iob_error *err)
{
	fputc('\n', f);
	for (size_t i = 0; i < r->nentries; i++)
		if (!is_idle(&r->entry[i]))
			put_entry(r, &r->entry[i], f);
	for (size_t i = 0; i < r->ngroups; i++)
		iob_fio_text_group(&r->group[i], f);
	if (r->ndisks)
		fputs("\nDisk stats (read/write):\n", f);
	for (size_t i = 0; i < r->ndisks; i++)
		iob_fio_text_disk(&r->disk[i], f);
	if (r->idleness)
		put_idleness(r->idleness, r->percpu, f);
	errno = 0;
	if (fflush(f) || ferror(f))
		return iob_fail(err, errno ? -errno : -EIO, "write the report: %m");
	return 0;
}
