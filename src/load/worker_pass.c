/* SPDX-License-Identifier: MIT */
/*
 * Passes over the files.  fio drops the page cache anew before each further one: when it opens the
 * files for another loop, and where a run of a given time comes to the end of what it covers.  So a
 * buffered job of its kind reads from the disk each time.
 */
#include <config.h>

#include "load/worker_private.h"
#include "target/open.h"

static bool drops_cache(const struct iob_worker *w)
{
	const struct iob_job *job = w->config.job;
	const struct iob_pattern *p = &w->pattern;

	if (!job->files.fio || !job->invalidate || job->files.pre_read ||
		w->config.targets->info.direct)
		return false;
	/* What is drawn anew each time comes to no end. */
	return !job->time_based || !p->random || (p->map && !job->pattern.random_distribution);
}

void iob_worker_pass_init(struct iob_worker *w)
{
	struct iob_worker_detail *s = &w->detail;

	s->pass_bytes = 0;
	for (unsigned i = 0; i < w->config.nregions && drops_cache(w); i++)
		s->pass_bytes += w->config.regions[i].size;
	if (s->pass_bytes == 0)
		s->pass_bytes = UINT64_MAX;
	s->pass_left = s->pass_bytes;
}

void iob_worker_pass_next(struct iob_worker *w)
{
	const struct iob_targets *targets = w->config.targets;

	/* Dirty pages stay: writing them back here would be work that nobody asked for. */
	for (unsigned i = 0; i < targets->count; i++) {
		const struct iob_target *t = &targets->item[i];

		(void)iob_target_invalidate(t->fd, &t->region, false, t->block_size != 0);
	}
	w->detail.pass_left = w->detail.pass_bytes;
}
