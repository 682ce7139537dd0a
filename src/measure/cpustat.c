/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "measure/hoststat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, NTIMES };

/* guest and guest_nice, the last two columns, are part of user and nice already. */
static int parse_times(const char *line, struct iob_cpustat *out)
{
	uint64_t t[NTIMES] = {0};
	const char *p = line + 4;
	int n = 0;

	if (strncmp(line, "cpu ", 4) != 0)
		return -EINVAL;
	for (; n < NTIMES; n++) {
		char *end;

		t[n] = strtoull(p, &end, 10);
		if (end == p)
			break;
		p = end;
	}
	if (n <= IDLE)
		return -EINVAL;
	for (int i = 0; i < NTIMES; i++) {
		out->total += t[i];
		if (i != IDLE && i != IOWAIT)
			out->busy += t[i];
	}
	return 0;
}

int iob_cpustat_read(const char *root, struct iob_cpustat *out)
{
	IOB_FREE char *path = NULL;
	IOB_FREE char *line = NULL;
	size_t room = 0;

	*out = (struct iob_cpustat){0};
	if (asprintf(&path, "%s/proc/stat", root) < 0)
		return -ENOMEM;
	IOB_FILE FILE *f = fopen(path, "re");
	if (!f)
		return -errno;
	/* The lines of CPUs come first; what follows can be long and is not read. */
	if (getline(&line, &room, f) < 0 || parse_times(line, out) < 0)
		return -EINVAL;
	while (getline(&line, &room, f) >= 0 && strncmp(line, "cpu", 3) == 0)
		out->cpus++;
	return 0;
}
