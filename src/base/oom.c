/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/oom.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

#define FIRST "1000"

static const char file[] = "/proc/self/oom_score_adj";
static char before[16];

static void set(const char *value)
{
	IOB_FD int fd = open(file, O_WRONLY | O_CLOEXEC);

	if (fd >= 0)
		(void)!write(fd, value, strlen(value));
}

void iob_oom_go_first(void)
{
	IOB_FD int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || before[0])
		return;
	ssize_t n = read(fd, before, sizeof(before) - 1);
	before[n > 0 ? n : 0] = '\0';
	if (before[0])
		set(FIRST);
}

void iob_oom_go_in_turn(void)
{
	if (before[0])
		set(before);
}
