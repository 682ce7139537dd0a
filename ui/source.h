/* SPDX-License-Identifier: MIT */
/* Where the screens get their data from: a run, or a scripted one in the tests. */
#ifndef IOB_UI_SOURCE_H
#define IOB_UI_SOURCE_H

#include "run/run.h"
#include "run/snapshot.h"

struct iob_source {
	void *self;
	/* As the calls of run/run.h. */
	void (*snapshot)(void *self, struct iob_snapshot *);
	size_t (*timeline)(void *self, size_t from, struct iob_interval *out, size_t n);
	bool (*segment)(
		void *self, uint32_t id, struct iob_segment_figures *, struct iob_segment_params *);
	/* The last ten seconds. */
	void (*recent)(void *self, struct iob_segment_figures *);
	size_t (*heat)(void *self, size_t from, struct iob_heat *out, size_t n);
	unsigned (*workers)(void *self, struct iob_run_worker *out, unsigned n);
	int (*tune)(void *self, const struct iob_live *, struct iob_error *);
	/* As iob_sweep_follow: drives the sweep that the run was started with. */
	int (*follow)(void *self, const struct iob_snapshot *, struct iob_error *);
	/* As iob_run_note_sweep. */
	void (*note_sweep)(void *self, const struct iob_sweep *);
	void (*note_marks)(void *self, const struct iob_marks *);
	void (*stop)(void *self);
	/* Write the result as it is now; fresh: not over a file that is there (-EEXIST). */
	int (*save)(void *self, const char *path, bool fresh, struct iob_error *);
};

/* The real one; the run stays the caller's. */
struct iob_source iob_source_of_run(struct iob_run *);

#endif
