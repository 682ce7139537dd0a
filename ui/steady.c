/* SPDX-License-Identifier: MIT */
#include "ui/steady.h"

#include <stdlib.h>

#include "base/clock.h"
#include "measure/sample.h"

#define CHUNK 500

double iob_stability_of(const struct iob_source *source, uint64_t from_ms, uint64_t to_ms)
{
	struct iob_stability s = {.from_ms = from_ms, .to_ms = to_ms};
	struct iob_interval *chunk = malloc(CHUNK * sizeof(*chunk));
	size_t at = from_ms / IOB_INTERVAL_MS, n;

	while (chunk && at * IOB_INTERVAL_MS < to_ms &&
		(n = source->timeline(source->self, at, chunk, CHUNK)) > 0) {
		iob_stability_add(&s, chunk, n, at);
		at += n;
	}
	free(chunk);
	return iob_stability_cv(&s);
}
