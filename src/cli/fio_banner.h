/* SPDX-License-Identifier: MIT */
/* The lines that come before anything runs, as fio writes them. */
#ifndef IOB_CLI_FIO_BANNER_H
#define IOB_CLI_FIO_BANNER_H

#include <stdio.h>

#include "run/fleet.h"

/* A line for each job, the version, how many start. */
void iob_fio_banner(const struct iob_fleet *, FILE *);

/* Zeroed = nothing said yet. */
struct iob_fio_layouts {
	bool said[IOB_FLEET_MAX_CLONES];
};

/* "NAME: Laying out IO file (1 file / 8MiB)" for each clone that began to since the last call. */
void iob_fio_banner_layouts(struct iob_fio_layouts *, struct iob_fleet *, FILE *);

#endif
