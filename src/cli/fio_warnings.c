/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_warnings.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "job/messages.h"

#define SECTOR 512

struct seen {
	unsigned job;
	char code[sizeof(((struct iob_warning *)0)->code)];
};

struct work {
	struct iob_fio_warnings *out;
	struct seen *seen;
	size_t nseen;
};

/* What compares a clone with its disk is wrong when others use the disk as well. */
static bool is_about_the_disk(const char *code)
{
	static const char *const codes[] = {"FOREIGN", "CACHED", "ODIRECT"};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (strcmp(code, codes[i]) == 0)
			return true;
	return false;
}

static bool is_new(struct work *w, unsigned job, const char *code)
{
	for (size_t i = 0; i < w->nseen; i++)
		if (w->seen[i].job == job && strcmp(w->seen[i].code, code) == 0)
			return false;
	struct seen *grown = iob_array_extend(w->seen, w->nseen, sizeof(*grown));
	if (!grown)
		return false;
	w->seen = grown;
	struct seen *s = &w->seen[w->nseen++];
	s->job = job;
	snprintf(s->code, sizeof(s->code), "%s", code);
	return true;
}

#define NO_JOB UINT32_MAX

static void add(
	struct work *w, unsigned job, const char *subject, const char *code, const char *text)
{
	char name[256];

	if (is_new(w, job, code))
		iob_messages_add(&w->out->line, &w->out->count, NULL, "%s: %s: %s",
			iob_text_clean(name, sizeof(name), subject), code, text);
}

/* What the clones together did on one disk. */
struct disk {
	char name[64];
	unsigned major, minor, clones;
	struct iob_segment_figures own;
};

static void add_clone(struct disk *d, const struct iob_snapshot *snap)
{
	const struct iob_target_info *t = &snap->target;

	if (!t->has_disk || (d->clones && strcmp(d->name, t->disk) != 0))
		return;
	memcpy(d->name, t->disk, sizeof(d->name));
	d->major = t->major;
	d->minor = t->minor;
	d->clones++;
	for (int i = 0; i < IOB_NDIR; i++)
		d->own.dir[i].bytes += snap->view.total.dir[i].bytes;
}

/* Is all that the fleet did on disks known, and on one of them?  I/O of a ramp is not. */
static bool is_comparable(const struct iob_fleet *f, const struct disk *d)
{
	unsigned runs = 0;

	for (unsigned i = 0; i < f->count; i++) {
		if (f->clone[i].settings.ramp_time_ns)
			return false;
		runs += f->clone[i].run != NULL && !iob_job_needs_no_target(&f->clone[i].settings);
	}
	return d->clones > 1 && d->clones == runs;
}

/* Between the disk's counters and what all clones together moved. */
static void judge_disk(struct work *w, const struct iob_fleet *f, struct disk *d)
{
	struct iob_verdict_facts facts = {.total = &d->own, .has_disk = true};
	IOB_FREE struct iob_warnings *found = calloc(1, sizeof(*found));
	struct iob_diskset now = {0};
	struct iob_diskstat a, b, delta;

	if (!found || !is_comparable(f, d) || iob_diskset_read(&now, "") < 0)
		return;
	if (iob_diskset_find(&f->disks_before, d->major, d->minor, d->name, &a, NULL) &&
		iob_diskset_find(&now, d->major, d->minor, d->name, &b, NULL)) {
		iob_diskstat_delta(&delta, &a, &b);
		facts.device_read_bytes = delta.read_sectors * SECTOR;
		facts.device_write_bytes = delta.write_sectors * SECTOR;
		d->own.seconds = (double)(now.at_ns - f->disks_before.at_ns) / 1e9;
		iob_verdict(found, &facts);
	}
	iob_diskset_free(&now);
	for (unsigned i = 0; i < found->count; i++)
		if (is_about_the_disk(found->item[i].code))
			add(w, NO_JOB, d->name, found->item[i].code, found->item[i].text);
}

void iob_fio_warnings_collect(struct iob_fio_warnings *out, struct iob_fleet *f)
{
	IOB_FREE struct iob_snapshot *snap = malloc(sizeof(*snap));
	struct work w = {.out = out};
	struct disk disk = {0};

	for (unsigned i = 0; snap && i < f->count; i++) {
		const struct iob_fleet_clone *c = &f->clone[i];

		if (!c->run)
			continue;
		iob_run_snapshot(c->run, snap);
		add_clone(&disk, snap);
		for (unsigned k = 0; k < snap->warnings.count; k++) {
			const struct iob_warning *warning = &snap->warnings.item[k];

			if (f->count == 1 || !is_about_the_disk(warning->code))
				add(&w, c->job, c->source->jobname, warning->code, warning->text);
		}
		if (iob_fleet_overlaps(f, i))
			add(&w, c->job, c->source->jobname, "OVERLAP",
				"other jobs read or write the same range of the same file at the same "
				"time, as fio's clones do; offset_increment=, or files of their own, "
				"keep them apart");
	}
	judge_disk(&w, f, &disk);
	free(w.seen);
}

void iob_fio_warnings_print(const struct iob_fio_warnings *w, FILE *f)
{
	for (size_t i = 0; i < w->count; i++)
		fprintf(f, "iotop-bench: warning: %s\n", w->line[i]);
}

void iob_fio_warnings_free(struct iob_fio_warnings *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->line[i]);
	free(w->line);
	*w = (struct iob_fio_warnings){0};
}
