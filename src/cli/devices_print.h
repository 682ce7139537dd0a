/* SPDX-License-Identifier: MIT */
/* How `devices` shows the list. */
#ifndef IOB_CLI_DEVICES_PRINT_H
#define IOB_CLI_DEVICES_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "target/blockdev.h"

/* A table of at most 80 cells (a wider terminal is used, and outside of a terminal nothing is cut),
 * partitions indented, and what may be written.  Needs setlocale. */
void iob_devices_print_text(FILE *, const struct iob_blockdevs *);
/* {"devices": [...]}, all fields.  0 or -ENOMEM. */
int iob_devices_print_json(FILE *, const struct iob_blockdevs *);

#endif
