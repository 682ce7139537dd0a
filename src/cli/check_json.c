/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>

#include "cli/check_print.h"
#include "result/json_document.h"

static const char *kind_word(enum iob_inspected kind)
{
	static const char *const names[] = {
		"unknown", "blockdev", "file", "new", "directory", "character device"};

	return (size_t)kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "unknown";
}

/* A number below 0 means that nothing is told. */
static void put_known(struct iob_json out, const char *key, int value)
{
	if (value >= 0)
		iob_json_u64(out, key, (uint64_t)value);
}

static void put_disk(struct iob_json root, const struct iob_target_info *t)
{
	const struct iob_diskfacts *d = &t->facts;
	struct iob_json out;
	struct iob_alignment a;

	if (!t->has_disk)
		return;
	out = iob_json_object(root, "disk");
	iob_json_text(out, "name", t->disk);
	iob_json_text(out, "kind", t->disk_kind);
	iob_json_text(out, "model", t->model);
	iob_json_bool(out, "rotational", t->rotational);
	iob_json_u64(out, "logical_block_size", t->logical_block_size);
	iob_json_u64(out, "physical_block_size", t->physical_block_size);
	iob_json_u64(out, "minimum_io_size", d->minimum_io);
	iob_json_u64(out, "optimal_io_size", d->optimal_io);
	iob_check_alignment(&a, t);
	iob_json_u64(out, "start_sector", a.start_sector);
	iob_json_bool(out, "aligned_4k", a.four_kib);
	iob_json_bool(out, "aligned_physical", a.physical);
	iob_json_bool(out, "aligned_optimal", a.optimal);
	iob_json_text(out, "scheduler", t->scheduler);
	iob_json_u64(out, "nr_requests", t->nr_requests);
	put_known(out, "nomerges", d->nomerges);
	iob_json_text(out, "write_cache", d->write_cache);
	iob_json_u64(out, "read_ahead", d->read_ahead);
	iob_json_u64(out, "max_request", d->max_request);
	put_known(out, "numa_node", d->numa_node);
	if (d->link[0]) {
		iob_json_text(out, "link", d->link);
		iob_json_u64(out, "link_bytes_per_s", d->link_bps);
		iob_json_u64(out, "link_max_bytes_per_s", d->link_max_bps);
	}
	if (d->temp_mc) {
		iob_json_real(out, "celsius", d->temp_mc / 1000.0);
		iob_json_real(out, "limit_celsius", d->temp_limit_mc / 1000.0);
	}
}

static void put_use(struct iob_json root, const struct iob_inspection *t)
{
	struct iob_json out;

	if (t->has_dev && t->kind == IOB_INSPECTED_DEVICE) {
		iob_json_text(root, "contents", t->dev.contents);
		iob_json_text(root, "in_use", t->dev.use_text);
	}
	iob_json_u64(root, "open_by", t->openers.count);
	iob_json_text(root, "open_by_text", t->openers.text);
	iob_json_bool(root, "open_by_all", !t->openers.unseen);
	iob_json_text(root, "filesystem", t->info.filesystem);
	iob_json_text(root, "mount_point", t->info.mount_point);
	if (t->has_extents) {
		out = iob_json_object(root, "extents");
		iob_json_u64(out, "written", t->extents.written);
		iob_json_u64(out, "unwritten", t->extents.unwritten);
		iob_json_u64(out, "holes", t->extents.holes);
		iob_json_u64(out, "count", t->extents.count);
	}
	if (t->has_room && t->room.total != UINT64_MAX) {
		out = iob_json_object(root, "space");
		iob_json_u64(out, "free", t->room.available);
		iob_json_u64(out, "usable", t->room.usable);
		iob_json_u64(out, "total", t->room.total);
	}
}

static void put_machine(struct iob_json root, const struct iob_check *c)
{
	struct iob_json out = iob_json_object(root, "machine");

	iob_json_u64(out, "cpus", c->cpu.cpus);
	iob_json_text(out, "governor", c->cpu.governor);
	iob_json_real(out, "cpu_quota", c->cgroup.cpu_quota);
	iob_json_u64(out, "read_bytes_per_s", c->cgroup.bps[0]);
	iob_json_u64(out, "write_bytes_per_s", c->cgroup.bps[1]);
	iob_json_u64(out, "read_iops", c->cgroup.iops[0]);
	iob_json_u64(out, "write_iops", c->cgroup.iops[1]);
}

static void put_answer(struct iob_json root, const char *key, const struct iob_error *err)
{
	struct iob_json out = iob_json_object(root, key);

	iob_json_bool(out, "allowed", err->code == 0);
	if (err->code)
		iob_json_text(out, "why", err->text);
}

int iob_check_print_json(FILE *f, const struct iob_check *c, struct iob_error *err)
{
	bool failed = false;
	json_t *node = json_object();
	struct iob_json document = {node, &failed};
	struct iob_json root = iob_json_object(document, "check");

	iob_json_text(root, "path", c->target.info.path);
	iob_json_text(root, "kind", kind_word(c->target.kind));
	iob_json_u64(root, "size", c->target.info.size);
	put_disk(root, &c->target.info);
	put_use(root, &c->target);
	put_machine(root, c);
	put_answer(root, "usable", &c->target.error);
	put_answer(root, "write", c->target.write.code ? &c->target.write : &c->target.error);
	put_answer(root, "job", &c->target.job);
	iob_json_warnings(root, &c->warnings);
	int rc = !node || failed ? iob_fail(err, -ENOMEM, "check: %m")
				 : iob_json_print(node, "", f, err);
	json_decref(node);
	return rc;
}
