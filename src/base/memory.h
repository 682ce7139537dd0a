/* SPDX-License-Identifier: MIT */
/* How much memory this process may still take: the least of what the machine has, what its control
 * groups allow, and the limits of the process. */
#ifndef IOB_BASE_MEMORY_H
#define IOB_BASE_MEMORY_H

#include <stdint.h>

struct iob_memory {
	uint64_t available; /* bytes of memory; UINT64_MAX = not known */
	const char *limit;  /* what sets it, for a message: "MemAvailable" */
	uint64_t space;     /* bytes of address space; UINT64_MAX = no limit */
	const char *space_limit;
};

/* root: "" or the folder that stands in for /, for tests. */
void iob_memory_look(struct iob_memory *, const char *root);

#endif
