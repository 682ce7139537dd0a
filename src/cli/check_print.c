/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/check_print.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "result/text_page.h"

#define FOUR_KIB 4096

typedef char words[64];

void iob_check_alignment(struct iob_alignment *a, const struct iob_target_info *t)
{
	const struct iob_diskfacts *d = &t->facts;
	uint64_t at = d->start_bytes;

	a->start_sector = at / 512;
	a->four_kib = at % FOUR_KIB == 0;
	a->physical = d->alignment_offset == 0 &&
		      (t->physical_block_size == 0 || at % t->physical_block_size == 0);
	a->optimal = d->optimal_io == 0 || at % d->optimal_io == 0;
}

static const char *yes(bool value)
{
	return value ? "yes" : "NO";
}

static void print_identity(FILE *f, const struct iob_check *c)
{
	const struct iob_inspection *t = &c->target;
	const struct iob_blockdev *dev = &t->dev;
	words iec, si;

	iob_format_bytes(iec, sizeof(iec), t->info.size);
	iob_format_bytes_si(si, sizeof(si), t->info.size);
	switch (t->kind) {
	case IOB_INSPECTED_DEVICE:
		iob_page_field(f, "target", "%s, block device, %s\t(%s)", t->info.path, iec, si);
		break;
	case IOB_INSPECTED_FILE:
		iob_page_field(f, "target", "%s, file of\t%s\t(%s)", t->info.path, iec, si);
		break;
	case IOB_INSPECTED_NEW:
		iob_page_field(f, "target", "%s, does not exist: with --size=... a run makes it",
			t->info.path);
		break;
	case IOB_INSPECTED_DIRECTORY:
		iob_page_field(f, "target",
			"%s, directory: a run makes a scratch file in it and removes it",
			t->info.path);
		break;
	case IOB_INSPECTED_GENERIC:
		iob_page_field(f, "target", "%s, character device for commands", t->info.path);
		break;
	case IOB_INSPECTED_NOTHING:
		iob_page_field(f, "target", "%s", t->info.path);
		break;
	}
	if (t->info.filesystem[0])
		iob_page_field(
			f, "", "on %s, mounted at %s", t->info.filesystem, t->info.mount_point);
	if (t->has_dev)
		iob_page_field(f, "disk", "%s, %s%s%s, %s%s", dev->path, dev->kind,
			dev->model[0] ? ", " : "", dev->model,
			dev->rotational ? "rotational" : "no moving parts",
			dev->readonly ? ", set read-only" : "");
	else if (!t->info.has_disk && t->info.filesystem[0])
		iob_page_field(f, "disk", "none is known under this file system");
}

static void print_blocks(FILE *f, const struct iob_target_info *t)
{
	const struct iob_diskfacts *d = &t->facts;
	struct iob_alignment a;
	words logical, physical, optimal, smallest;

	if (!t->has_disk)
		return;
	iob_format_size_exact(optimal, sizeof(optimal), d->optimal_io);
	iob_page_field(f, "blocks", "logical %s, physical %s, I/O size least %s, optimal %s",
		iob_format_size_exact(logical, sizeof(logical), t->logical_block_size),
		iob_format_size_exact(physical, sizeof(physical), t->physical_block_size),
		iob_format_size_exact(smallest, sizeof(smallest), d->minimum_io),
		d->optimal_io ? optimal : "not told");
	iob_check_alignment(&a, t);
	if (d->start_bytes == 0)
		iob_page_field(f, "alignment", "begins at sector 0 of the disk: aligned");
	else
		iob_page_field(f, "alignment",
			"begins at sector %" PRIu64
			" of 512 bytes; 4 KiB: %s, physical block: %s, optimal I/O size: %s",
			a.start_sector, yes(a.four_kib), yes(a.physical),
			d->optimal_io ? yes(a.optimal) : "not told");
}

static void print_queue(FILE *f, const struct iob_target_info *t)
{
	static const char *const merges[] = {"all", "simple ones", "none"};
	const struct iob_diskfacts *d = &t->facts;
	words ahead, largest;

	if (!t->has_disk)
		return;
	iob_page_field(f, "queue",
		"scheduler %s, nr_requests %u, merges %s (nomerges), largest request %s, read-ahead "
		"%s, write cache: %s",
		t->scheduler[0] ? t->scheduler : "(has none)", t->nr_requests,
		d->nomerges >= 0 && d->nomerges <= 2 ? merges[d->nomerges] : "not told",
		iob_format_size_exact(largest, sizeof(largest), d->max_request),
		iob_format_size_exact(ahead, sizeof(ahead), d->read_ahead),
		d->write_cache[0] ? d->write_cache : "not told");
	if (d->link[0])
		iob_page_field(f, "link", "%s carries\t%.3g\tGB/s of at most\t%.3g\tGB/s", d->link,
			(double)d->link_bps / 1e9, (double)d->link_max_bps / 1e9);
	if (d->temp_mc)
		iob_page_field(f, "heat", "%.0f\tC, limit\t%.0f\tC", d->temp_mc / 1000.0,
			d->temp_limit_mc / 1000.0);
	if (d->numa_node >= 0)
		iob_page_field(f, "NUMA", "node %d", d->numa_node);
}

static void print_use(FILE *f, const struct iob_inspection *t)
{
	if (t->kind == IOB_INSPECTED_DEVICE && t->has_dev) {
		iob_page_field(f, "contents", "%s", t->dev.contents);
		iob_page_field(f, "in use", "%s",
			t->dev.use == IOB_USE_FREE ? "no: not mounted, no swap, nothing holds it"
						   : t->dev.use_text);
	}
	if (t->kind == IOB_INSPECTED_DEVICE || t->kind == IOB_INSPECTED_FILE)
		iob_page_field(f, "open by", "%s%s", t->openers.count ? t->openers.text : "nobody",
			t->openers.unseen ? " that can be seen from here" : "");
}

static void print_file(FILE *f, const struct iob_inspection *t)
{
	words written, unwritten, holes, available, total;

	if (t->has_extents)
		iob_page_field(f, "filled",
			"%s written, %s reserved but never written, %s holes, in %" PRIu64
			" extent%s",
			iob_format_bytes(written, sizeof(written), t->extents.written),
			iob_format_bytes(unwritten, sizeof(unwritten), t->extents.unwritten),
			iob_format_bytes(holes, sizeof(holes), t->extents.holes), t->extents.count,
			t->extents.count == 1 ? "" : "s");
	else if (t->kind == IOB_INSPECTED_FILE)
		iob_page_field(f, "filled", "the file system does not tell (no FIEMAP)");
	if (t->has_room && t->room.total != UINT64_MAX)
		iob_page_field(f, "space", "%s free of %s; %d\t%% of it stay free",
			iob_format_bytes(available, sizeof(available), t->room.available),
			iob_format_bytes(total, sizeof(total), t->room.total),
			IOB_KEEP_FREE_PERCENT);
	if (t->direct != IOB_DIRECT_UNKNOWN)
		iob_page_field(f, "direct", "%s",
			t->direct == IOB_DIRECT_YES ? "direct I/O is possible"
						    : "direct I/O is refused here");
}

static void print_machine(FILE *f, const struct iob_check *c)
{
	const struct iob_cgroup *g = &c->cgroup;
	words r, w, ri, wi;
	bool capped = g->bps[0] || g->bps[1] || g->iops[0] || g->iops[1];

	iob_page_field(f, "CPU", "%u to run on, governor %s", c->cpu.cpus,
		c->cpu.governor[0] ? c->cpu.governor : "not told");
	if (g->cpu_quota > 0)
		iob_page_field(f, "cgroup", "%.3g CPUs (cpu.max)", g->cpu_quota);
	if (capped)
		iob_page_field(f, g->cpu_quota > 0 ? "" : "cgroup",
			"of this disk at most (0 = no limit): read %s, %s IOPS; write %s, %s IOPS "
			"(io.max)",
			iob_format_bandwidth(r, sizeof(r), (double)g->bps[0]),
			iob_format_count(ri, sizeof(ri), (double)g->iops[0]),
			iob_format_bandwidth(w, sizeof(w), (double)g->bps[1]),
			iob_format_count(wi, sizeof(wi), (double)g->iops[1]));
	if (g->cpu_quota <= 0 && !capped)
		iob_page_field(f, "cgroup", "no limits on CPU or on this disk");
}

static void print_answers(FILE *f, const struct iob_check *c)
{
	const struct iob_inspection *t = &c->target;

	if (t->error.code)
		iob_page_field(f, "ERROR", "%s", t->error.text);
	if (!t->error.code || t->write.code)
		iob_page_field(
			f, "write", "%s", t->write.code ? t->write.text : "would be allowed");
	if (t->job.code)
		iob_page_field(f, "this job", "%s", t->job.text);
	if (c->warnings.count == 0)
		iob_page_field(f, "warnings", "none before the start");
	else
		fputs("\nwarnings\n", f);
	for (unsigned i = 0; i < c->warnings.count; i++)
		iob_page_field(f, c->warnings.item[i].code, "%s", c->warnings.item[i].text);
}

void iob_check_print_text(FILE *f, const struct iob_check *c)
{
	print_identity(f, c);
	print_blocks(f, &c->target.info);
	print_queue(f, &c->target.info);
	print_use(f, &c->target);
	print_file(f, &c->target);
	print_machine(f, c);
	print_answers(f, c);
}
