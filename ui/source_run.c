/* SPDX-License-Identifier: MIT */
#include "ui/source.h"

#include <string.h>

#include "result/result.h"
#include "run/sweep.h"

#define RECENT_INTERVALS 100

static void snapshot(void *self, struct iob_snapshot *out)
{
	iob_run_snapshot(self, out);
}

static size_t timeline(void *self, size_t from, struct iob_interval *out, size_t n)
{
	return iob_run_timeline(self, from, out, n);
}

static bool segment(void *self, uint32_t id, struct iob_segment_figures *figures,
	struct iob_segment_params *params)
{
	return iob_run_segment(self, id, figures, params);
}

static void recent(void *self, struct iob_segment_figures *out)
{
	iob_run_recent(self, RECENT_INTERVALS, out);
}

static size_t heat(void *self, size_t from, struct iob_heat *out, size_t n)
{
	return iob_run_heat(self, from, out, n);
}

static unsigned workers(void *self, struct iob_run_worker *out, unsigned n)
{
	return iob_run_workers(self, out, n);
}

static int tune(void *self, const struct iob_live *live, struct iob_error *err)
{
	return iob_run_tune(self, live, err);
}

static int follow(void *self, const struct iob_snapshot *snap, struct iob_error *err)
{
	return iob_sweep_follow(self, snap, err);
}

static void note_sweep(void *self, const struct iob_sweep *sweep)
{
	iob_run_note_sweep(self, sweep);
}

static void note_marks(void *self, const struct iob_marks *marks)
{
	iob_run_note_marks(self, marks);
}

static void stop(void *self)
{
	iob_run_stop(self);
}

/* The format whose suffix the name has; JSON, which can be read back, where there is none. */
static const struct iob_format *format_of(const char *path)
{
	size_t n = strlen(path);

	for (const struct iob_format *f = iob_formats; f->name; f++) {
		size_t suffix = strlen(f->suffix);

		if (suffix && n > suffix && strcmp(path + n - suffix, f->suffix) == 0 &&
			strcmp(f->suffix, ".json") != 0)
			return f;
	}
	return iob_format_find("json");
}

static int save(void *self, const char *path, bool fresh, struct iob_error *err)
{
	struct iob_result result = {.elapsed_ms = 0};
	int r = iob_result_build(&result, self, err);

	if (r == 0)
		r = fresh ? iob_result_write_new(&result, format_of(path), path, err)
			  : iob_result_write(&result, format_of(path), path, err);
	iob_result_free(&result);
	return r;
}

struct iob_source iob_source_of_run(struct iob_run *run)
{
	return (struct iob_source){run, snapshot, timeline, segment, recent, heat, workers, tune,
		follow, note_sweep, note_marks, stop, save};
}
