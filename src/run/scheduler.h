/* SPDX-License-Identifier: MIT */
/*
 * ioscheduler=: set the scheduler of a disk for the time of a run.  A small process of its own
 * holds the old value and writes it back when the run is over, however it ended: it waits for the
 * other end of a pipe to close, and for the last of those who rely on the setting.  A lock on the
 * attribute keeps other runs from changing it under this one, and from taking this one's choice for
 * the value to come back to: the keeper has it, too, until the old value is back.  Runs that want
 * the same, as the clones of a job do, share it.
 */
#ifndef IOB_RUN_SCHEDULER_H
#define IOB_RUN_SCHEDULER_H

#include <sys/types.h>

#include "base/error.h"
#include "target/ioscheduler.h"

/* Zeroed = nothing was asked for. */
struct iob_scheduler {
	int lock_fd; /* 0 = none */
	int pipe_fd; /* close-on-exec; closing it restores */
	pid_t keeper;
	int active; /* it was changed */
	char path[256];
	struct iob_ioscheduler found; /* what was active before */
};

/* disk: kernel name.  Usage error when the kernel does not offer the scheduler (names those it
 * does), run error when it may not be set, or when another run wants it otherwise and does not end
 * within a second.  root: "" = the real /sys. */
int iob_scheduler_set(struct iob_scheduler *, const char *root, const char *disk, const char *name,
	struct iob_error *);
/* Restore now and wait for it, or leave that to the last of those who share it.  Legal on a zeroed
 * object. */
void iob_scheduler_restore(struct iob_scheduler *);

#endif
