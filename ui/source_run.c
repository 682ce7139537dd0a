/* SPDX-License-Identifier: MIT */
#include "ui/source.h"

#include "result/result.h"

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

static int tune(void *self, const struct iob_live *live, struct iob_error *err)
{
	return iob_run_tune(self, live, err);
}

static void stop(void *self)
{
	iob_run_stop(self);
}

static int save(void *self, const char *path, struct iob_error *err)
{
	struct iob_result result = {.elapsed_ms = 0};
	int r = iob_result_build(&result, self, err);

	if (r == 0)
		r = iob_result_save(&result, path, err);
	iob_result_free(&result);
	return r;
}

struct iob_source iob_source_of_run(struct iob_run *run)
{
	return (struct iob_source){run, snapshot, timeline, segment, tune, stop, save};
}
