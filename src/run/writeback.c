/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/writeback.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

/* Dirty and Writeback together; false if the file does not say. */
static bool read_kib(const char *root, uint64_t *kib)
{
	IOB_FREE char *path = NULL;
	char line[128];
	unsigned found = 0;

	if (asprintf(&path, "%s/proc/meminfo", root) < 0)
		return false;
	IOB_FILE FILE *f = fopen(path, "re");
	*kib = 0;
	while (f && fgets(line, sizeof(line), f)) {
		unsigned long long value = 0;

		if (sscanf(line, "Dirty: %llu", &value) == 1 ||
			sscanf(line, "Writeback: %llu", &value) == 1) {
			*kib += value;
			found++;
		}
	}
	return found == 2;
}

bool iob_writeback_goes_on(struct iob_writeback *w, const char *root)
{
	uint64_t kib;

	if (!read_kib(root, &kib))
		return false;
	bool less = !w->begun || kib < w->least_kib;
	if (less)
		w->least_kib = kib;
	w->begun = true;
	return less;
}
