/* SPDX-License-Identifier: MIT */
/*
 * Runs that belong together (the clones of a job file) may write the same device, but each has its
 * own process, and the kernel gives a device away exclusively to one: to the others it is not in
 * use by strangers.  Who holds what is told to those that come later, through the front.
 */
#ifndef IOB_TARGET_KIN_H
#define IOB_TARGET_KIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define IOB_KIN_MAX_DEVICES 64

/* A plain value.  A device that finds no room is said to be in use. */
struct iob_kin {
	uint32_t ndevices;
	uint64_t device[IOB_KIN_MAX_DEVICES];
};

void iob_kin_add(struct iob_kin *to, const struct iob_kin *from);
bool iob_kin_has_device(const struct iob_kin *, dev_t);

/* What this process and those before it hold; not for more than one thread. */
extern struct iob_kin iob_kin_own;
/* The device was opened exclusively by fd: it stays so until the process ends. */
void iob_kin_hold_device(dev_t, int fd);
/* Does this process itself hold any? */
bool iob_kin_holds(void);

#endif
