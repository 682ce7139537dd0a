/* SPDX-License-Identifier: MIT */
/* What was measured, and on what: the target, the engine, the machine. */
#include <config.h>

#include "base/units.h"
#include "result/text_page.h"
#include "result/text_setting.h"

static const char *kind_words(const struct iob_target_info *t)
{
	switch (t->kind) {
	case IOB_TARGET_BLOCKDEV:
		return "block device";
	case IOB_TARGET_FILE:
		return t->files > 1 ? "files" : "file";
	case IOB_TARGET_CREATED:
		return "file made for this run, kept";
	case IOB_TARGET_SCRATCH:
		return "scratch file, removed";
	case IOB_TARGET_NULL:
		break;
	}
	return "nothing: the engine alone";
}

void iob_text_target(const struct iob_target_info *t, FILE *f)
{
	char size[16], si[16], region[16], from[16];

	if (t->kind == IOB_TARGET_NULL) {
		iob_page_field(f, "target", "%s", kind_words(t));
		return;
	}
	if (!t->path[0])
		return;
	iob_page_field(f, "target", "%s (%s), %s\t(%s)%s%s%s%s", t->path, kind_words(t),
		iob_format_bytes(size, sizeof(size), t->size),
		iob_format_bytes_si(si, sizeof(si), t->size), t->filesystem[0] ? " on " : "",
		t->filesystem, t->mount_point[0] ? " at " : "", t->mount_point);
	if (t->region_size != t->size || t->region_offset)
		iob_page_field(f, "", "of it %s from offset %s",
			iob_format_bytes(region, sizeof(region), t->region_size),
			iob_format_bytes(from, sizeof(from), t->region_offset));
	if (t->disk[0])
		iob_page_field(f, "device", "%s%s%s%s%s, %s, scheduler\t%s, sectors\t%u/%u",
			t->disk, t->partition[0] ? ", partition\t" : "", t->partition,
			t->model[0] ? ", " : "", t->model,
			t->rotational ? "rotating" : "not rotating",
			t->scheduler[0] ? t->scheduler : "unknown", t->logical_block_size,
			t->physical_block_size);
}

void iob_text_engine(const struct iob_result *r, FILE *f)
{
	const char *access = r->target.writable ? "opened for writing" : "read only";
	const char *cache = "direct I/O";
	bool has_flags = r->engine_flags[0];

	if (!r->engine[0])
		return;
	if (r->target.kind == IOB_TARGET_NULL) {
		iob_page_field(f, "engine", "%s%s%s%s", r->engine, has_flags ? " (" : "",
			r->engine_flags, has_flags ? ")" : "");
		return;
	}
	if (!r->target.direct)
		cache = r->target.direct_refused ? "buffered (the file system refuses direct I/O)"
						 : "buffered";
	iob_page_field(f, "engine", "%s%s%s%s; %s, %s", r->engine, has_flags ? " (" : "",
		r->engine_flags, has_flags ? ")" : "", cache, access);
}

void iob_text_host(const struct iob_host *h, FILE *f)
{
	char memory[16];

	iob_page_field(f, "host", "%s, Linux\t%s, %u\tx\t%s, %s memory", h->name, h->kernel,
		h->cpus, h->cpu[0] ? h->cpu : "CPU",
		iob_format_bytes(memory, sizeof(memory), h->memory));
	if (h->clock[0])
		iob_page_field(f, "", "clock\t%s, %u\tns a reading", h->clock, h->clock_ns);
}
