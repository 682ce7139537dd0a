/* SPDX-License-Identifier: MIT */
/* The lines that come before anything runs, as fio writes them. */
#ifndef IOB_CLI_FIO_BANNER_H
#define IOB_CLI_FIO_BANNER_H

#include <stdio.h>

#include "run/fleet.h"

/* A line for each job, the version, how many start. */
void iob_fio_banner(const struct iob_fleet *, FILE *);

/* What was said of each clone.  Zeroed = nothing yet. */
struct iob_fio_said {
	bool layout[IOB_FLEET_MAX_CLONES];
	bool depth[IOB_FLEET_MAX_CLONES];
};

/* "NAME: Laying out IO file (1 file / 8MiB)" for each clone that began to since the last call. */
void iob_fio_banner_layouts(struct iob_fio_said *, struct iob_fleet *, FILE *);

/* fio's note for each clone that started since the last call with an iodepth that its engine does
 * not have. */
void iob_fio_banner_depths(struct iob_fio_said *, const struct iob_fleet *, FILE *);

#endif
