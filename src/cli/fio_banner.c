/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_banner.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "job/param.h"
#include "result/fio_entry.h"
#include "result/fio_number.h"

#define MIB     (UINT64_C(1) << 20)
#define DECIMAL 1000

static void put_sizes(const struct iob_job *job, FILE *f)
{
	static const char letters[IOB_NDIR] = {'R', 'W', 'T'};
	const unsigned digits = (unsigned)job->ctl.significant_figures;
	const bool binary = job->ctl.kb_base != DECIMAL;
	char low[IOB_FIO_NUMBER_MAX], high[IOB_FIO_NUMBER_MAX];

	for (int d = 0; d < IOB_NDIR; d++)
		fprintf(f, "%s(%c) %s-%s, ", d ? "" : "bs=", letters[d],
			iob_fio_number(
				low, sizeof(low), job->bs[d].min, digits, binary, IOB_FIO_BYTES),
			iob_fio_number(
				high, sizeof(high), job->bs[d].max, digits, binary, IOB_FIO_BYTES));
}

static void put_job(const struct iob_fleet_clone *c, FILE *f)
{
	const struct iob_job *job = &c->settings;
	char rw[64], name[sizeof(c->source->jobname)];

	iob_param_get(job, IOB_PARAM_OF(rw), rw, sizeof(rw));
	/* fio does not show what stands behind the colon. */
	rw[strcspn(rw, ":")] = '\0';
	fprintf(f, "%s: (g=%u): rw=%s, ", iob_text_clean(name, sizeof(name), c->source->jobname),
		c->group, rw);
	put_sizes(job, f);
	fprintf(f, "ioengine=%s, iodepth=%" PRIu64 "\n", job->ioengine, c->source->asked_iodepth);
}

static void put_count(unsigned n, const char *one, const char *many, FILE *f)
{
	fprintf(f, "%u %s", n, n > 1 ? many : one);
}

void iob_fio_banner(const struct iob_fleet *fleet, FILE *f)
{
	unsigned threads = 0;

	for (unsigned i = 0; i < fleet->count; i++) {
		const struct iob_fleet_clone *c = &fleet->clone[i];

		threads += c->settings.thread;
		if (c->number == 0)
			put_job(c, f);
		else if (c->number == 1)
			fputs("...\n", f);
	}
	fputs(IOB_FIO_VERSION "\nStarting ", f);
	if (threads)
		put_count(threads, "thread", "threads", f);
	if (threads && threads < fleet->count)
		fputs(" and ", f);
	if (threads < fleet->count)
		put_count(fleet->count - threads, "process", "processes", f);
	fputc('\n', f);
	fflush(f);
}

void iob_fio_banner_layouts(struct iob_fio_said *said, struct iob_fleet *fleet, FILE *f)
{
	for (unsigned i = 0; i < fleet->count; i++) {
		const struct iob_fleet_clone *c = &fleet->clone[i];
		char name[sizeof(c->source->jobname)];
		struct iob_fleet_layout l;

		if (said->layout[i] || !iob_fleet_layout(fleet, i, &l))
			continue;
		said->layout[i] = true;
		fprintf(f, "%s: Laying out IO file%s (%u file%s / %s%" PRIu64 "MiB)\n",
			iob_text_clean(name, sizeof(name), c->source->jobname),
			l.files > 1 ? "s" : "", l.files, l.files > 1 ? "s" : "",
			l.files > 1 ? "total " : "", l.bytes / MIB);
		fflush(f);
	}
}

void iob_fio_banner_depths(struct iob_fio_said *said, const struct iob_fleet *fleet, FILE *f)
{
	for (unsigned i = 0; i < fleet->count; i++) {
		const struct iob_fleet_clone *c = &fleet->clone[i];

		if (said->depth[i] || !c->released_ns)
			continue;
		said->depth[i] = true;
		if (c->source->asked_iodepth > c->settings.iodepth)
			fputs("note: both iodepth >= 1 and synchronous I/O engine are selected, "
			      "queue depth will be capped at 1\n",
				f);
	}
	fflush(f);
}
