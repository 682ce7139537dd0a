/* SPDX-License-Identifier: MIT */
/* Does a sync go on?  Seen from outside of the process that waits in it. */
#ifndef IOB_RUN_WRITEBACK_H
#define IOB_RUN_WRITEBACK_H

#include <stdbool.h>
#include <stdint.h>

struct iob_writeback {
	uint64_t least_kib; /* dirty or on its way to a disk: the least so far */
	bool begun;
};

/* Has the kernel less to write (/proc/meminfo) than at any time before?  root: "" for the real one.
 * What other programs write in the meantime cannot make it true for ever. */
bool iob_writeback_goes_on(struct iob_writeback *, const char *root);

#endif
