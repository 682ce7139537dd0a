/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <string.h>

#include "run/fleet.h"
#include "run/private.h"

enum iob_phase iob_fleet_phase(struct iob_fleet *f, unsigned i, uint64_t *region)
{
	const struct iob_run *run = f->clone[i].run;

	*region = 0;
	if (!run)
		return IOB_PHASE_STARTING;
	if (iob_run_knows_target(run))
		*region = run->shared->target.region_size;
	return (enum iob_phase)atomic_load_explicit(&run->shared->phase, memory_order_acquire);
}

void iob_fleet_note_layout(
	struct iob_run *run, const struct iob_fleet_clone *c, struct iob_fleet_layout *out)
{
	struct iob_shared *sh = run->shared;

	out->bytes = atomic_load(&sh->layout.total);
	if (iob_gate_is_reached(sh, IOB_GATE_PREPARED, 0) && sh->ncreated > sh->nfound) {
		out->files = sh->ncreated - sh->nfound;
		/* Made, but without content. */
		if (out->bytes == 0)
			out->bytes = sh->target.size;
	} else {
		out->files = out->bytes ? iob_fleet_count_files(c) : 0;
	}
}

bool iob_fleet_layout(struct iob_fleet *f, unsigned i, struct iob_fleet_layout *out)
{
	struct iob_fleet_clone *c = &f->clone[i];

	*out = c->layout;
	if (out->files == 0 && (c->early || c->run))
		iob_fleet_note_layout(c->early ? c->early : c->run, c, out);
	return out->files > 0;
}

/* Were both at work at some time? */
static bool meet(const struct iob_fleet_clone *a, const struct iob_fleet_clone *b)
{
	if (!a->released_ns || !b->released_ns)
		return false;
	if (a->finished_ms && a->finished_ms <= b->started_ms)
		return false;
	return !(b->finished_ms && b->finished_ms <= a->started_ms);
}

bool iob_fleet_overlaps(const struct iob_fleet *f, unsigned i)
{
	const struct iob_fleet_clone *a = &f->clone[i];

	if (!a->run || !iob_run_knows_target(a->run))
		return false;
	const struct iob_target_info *t = &a->run->shared->target;
	if (t->kind == IOB_TARGET_NULL || t->kind == IOB_TARGET_SCRATCH)
		return false;
	for (unsigned k = 0; k < f->count; k++) {
		const struct iob_fleet_clone *b = &f->clone[k];

		if (k == i || !b->run || !iob_run_knows_target(b->run) || !meet(a, b))
			continue;
		const struct iob_target_info *u = &b->run->shared->target;
		if (strcmp(t->path, u->path) == 0 &&
			t->region_offset < u->region_offset + u->region_size &&
			u->region_offset < t->region_offset + t->region_size)
			return true;
	}
	return false;
}
