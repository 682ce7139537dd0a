/* SPDX-License-Identifier: MIT */
/* Any bytes as a profile: refused with words, or loaded into stages that are in range. */
#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "job/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct iob_plan plan;
	struct iob_error err = {0};
	char path[64];
	IOB_FD int fd = memfd_create("profile", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	iob_plan_init(&plan);
	if (iob_profile_load(&plan, path, &err) < 0) {
		if (err.kind != IOB_ERR_USAGE || err.text[0] == '\0')
			abort();
		return 0;
	}
	if (plan.nstages < 1 || plan.nstages > IOB_MAX_STAGES)
		abort();
	iob_plan_finish(&plan, &err);
	return 0;
}
