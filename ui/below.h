/* SPDX-License-Identifier: MIT */
/* The disks that a dm, md or loop device stands on, with their own counters of the kernel. */
#ifndef IOB_UI_BELOW_H
#define IOB_UI_BELOW_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/hoststat.h"

#define IOB_BELOW_MOST 8

struct iob_below_disk {
	char name[64];
	struct iob_diskstat_reader reader;
	struct iob_diskstat last;
	uint64_t last_ns; /* 0 = not read yet */
	struct iob_iostat figures;
	bool valid; /* figures were made */
};

/* Zeroed = nothing. */
struct iob_below {
	char of[64]; /* the device on top */
	unsigned count;
	struct iob_below_disk disk[IOB_BELOW_MOST];
	uint64_t due_ns;
};

/* Look what is below the disk if it is a new one; read the counters if a second has passed.  root:
 * "" = the real machine. */
void iob_below_update(struct iob_below *, const char *root, const char *disk, uint64_t now_ns);
void iob_below_close(struct iob_below *);

#endif
