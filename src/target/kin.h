/* SPDX-License-Identifier: MIT */
/*
 * Runs that belong together (the clones of a job file) may write the same device, but each has its
 * own process, and the kernel gives a device away exclusively to one: to the others it is not in
 * use by strangers.  Files with holes are promised the space that they will fill.  Who holds what,
 * and what is promised, is told to those that come later, through the front.
 */
#ifndef IOB_TARGET_KIN_H
#define IOB_TARGET_KIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define IOB_KIN_MAX_DEVICES  64
#define IOB_KIN_MAX_PROMISES 64

struct iob_kin_promise {
	uint64_t fs, ino, bytes;
};

/* A plain value.  A device that finds no room is said to be in use; a promise that finds none is
 * not kept. */
struct iob_kin {
	uint32_t ndevices, npromises;
	uint64_t device[IOB_KIN_MAX_DEVICES];
	struct iob_kin_promise promise[IOB_KIN_MAX_PROMISES];
};

void iob_kin_add(struct iob_kin *to, const struct iob_kin *from);
bool iob_kin_has_device(const struct iob_kin *, dev_t);

/* What this process and those before it hold; not for more than one thread. */
extern struct iob_kin iob_kin_own;
/* The device was opened exclusively by fd: it stays so until the process ends. */
void iob_kin_hold_device(dev_t, int fd);
/* The file will take that many bytes more than it has; once it is known, the largest counts. */
void iob_kin_promise(dev_t fs, ino_t ino, uint64_t bytes);
/* What the file was promised, and what all others on its file system were. */
uint64_t iob_kin_promised(dev_t fs, ino_t ino, uint64_t *others);
/* Does this process itself hold any? */
bool iob_kin_holds(void);

#endif
