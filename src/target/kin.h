/* SPDX-License-Identifier: MIT */
/*
 * Runs that belong together (the clones of a job file) share files and devices, but each has its
 * own process: a file that one of them made is no foreign file to the others, and a device that one
 * of them holds exclusively is not in use by others.  What a process knows is told to those that
 * come after it, through the front.
 */
#ifndef IOB_TARGET_KIN_H
#define IOB_TARGET_KIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#define IOB_KIN_MAX_FILES   512
#define IOB_KIN_MAX_DEVICES 32

/* A plain value.  What finds no room is left out: then consent is asked for, or the device is said
 * to be in use. */
struct iob_kin {
	uint32_t nfiles, ndevices;
	struct {
		uint64_t dev, ino;
	} file[IOB_KIN_MAX_FILES];
	uint64_t device[IOB_KIN_MAX_DEVICES];
};

void iob_kin_add(struct iob_kin *to, const struct iob_kin *from);
bool iob_kin_has_file(const struct iob_kin *, const struct stat *);
bool iob_kin_has_device(const struct iob_kin *, dev_t);

/* What this process knows; not for more than one thread. */
extern struct iob_kin iob_kin_own;
void iob_kin_note_file(const struct stat *);
/* The device was opened exclusively by fd: it stays so until the process ends. */
void iob_kin_hold_device(dev_t, int fd);
/* Does this process itself hold any? */
bool iob_kin_holds(void);

#endif
