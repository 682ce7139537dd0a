/* SPDX-License-Identifier: MIT */
/* How `check` shows what it found. */
#ifndef IOB_CLI_CHECK_PRINT_H
#define IOB_CLI_CHECK_PRINT_H

#include <stdio.h>

#include "run/check.h"

void iob_check_print_text(FILE *, const struct iob_check *);
/* One document; 0 or a negative errno. */
int iob_check_print_json(FILE *, const struct iob_check *, struct iob_error *);

/* Does the partition begin where blocks of 4 KiB and of the disk's best size do?  Sectors of 512
 * bytes, as fdisk -lu has them. */
struct iob_alignment {
	uint64_t start_sector;
	bool four_kib, optimal, physical;
};
void iob_check_alignment(struct iob_alignment *, const struct iob_target_info *);

#endif
