/* SPDX-License-Identifier: MIT */
/*
 * Runs that belong together (the clones of a job file) may write the same device, but each has its
 * own process, and the kernel gives a device away exclusively to one: to the others it is not in
 * use by strangers.  And each promises its files the space that they have yet to take, so that all
 * of them find it.  Who holds what, and what is promised, is told to those that come later, through
 * the front.
 */
#ifndef IOB_TARGET_KIN_H
#define IOB_TARGET_KIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define IOB_KIN_MAX_DEVICES  64
#define IOB_KIN_MAX_PROMISES 1024

/* A file that is yet to take space. */
struct iob_kin_promise {
	uint64_t fs;       /* see iob_filesystem_id */
	uint64_t dev, ino; /* of the file; dev 0 = many files that found no place of their own */
	uint64_t most;     /* bytes that it may come to have */
	uint64_t has;      /* bytes that it had when it was last looked at */
	uint64_t cap;      /* all files of this owner on this file system take no more together */
	uint32_t owner;    /* number of the clone */
	int32_t pid, fd;   /* its process, and the file there; pid 0 = none has it open */
};

/* A plain value.  A device that finds no room is said to be in use; promises that find none are
 * added up, one sum for each file system. */
struct iob_kin {
	uint32_t ndevices, npromises;
	uint64_t device[IOB_KIN_MAX_DEVICES];
	struct iob_kin_promise promise[IOB_KIN_MAX_PROMISES];
};

void iob_kin_add(struct iob_kin *to, const struct iob_kin *from);
/* Only what is used of it is written: it lies in memory that costs nothing else. */
void iob_kin_set(struct iob_kin *to, const struct iob_kin *from);
/* The half of it. */
void iob_kin_add_devices(struct iob_kin *to, const struct iob_kin *from);
void iob_kin_add_promises(struct iob_kin *to, const struct iob_kin *from);
/* Those of `ended` will take no more: what their files have is what others that promised the same
 * files need not take. */
void iob_kin_note_end(struct iob_kin *, const struct iob_kin *ended);
bool iob_kin_has_device(const struct iob_kin *, dev_t);

/* What this process holds, the devices of those before it, too; not for more than one thread. */
extern struct iob_kin iob_kin_own;
/* What those before it hold, which stays where it is; and their promises, NULL = none. */
void iob_kin_meet(const struct iob_kin *before);
const struct iob_kin *iob_kin_before(void);
/* The device was opened exclusively by fd: it stays so until the process ends. */
void iob_kin_hold_device(dev_t, int fd);
/* Add one of this process. */
void iob_kin_promise(const struct iob_kin_promise *);
/* Its files are closed. */
void iob_kin_forget_promises(void);
/* Does this process itself hold any device? */
bool iob_kin_holds(void);

#endif
