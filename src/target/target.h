/* SPDX-License-Identifier: MIT */
/*
 * What I/O goes to: a block device, a regular file, a scratch file of ours, or nothing (null
 * engine). All of this runs in the load process only (or in tests): any of these calls may hang on
 * a sick device.
 */
#ifndef IOB_TARGET_TARGET_H
#define IOB_TARGET_TARGET_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "job/plan.h"
#include "target/diskfacts.h"
#include "target/region.h"

/* The code of a refusal: a report would replace the target. */
#define IOB_TARGET_IS_REPORT (-ENOTUNIQ)

enum iob_target_kind {
	IOB_TARGET_BLOCKDEV,
	IOB_TARGET_FILE,    /* existed before us: never unlinked, truncated or filled */
	IOB_TARGET_CREATED, /* a path that the user named and that we laid out: it stays, and says
			       so */
	IOB_TARGET_SCRATCH, /* ours, without a name of the user's: removed at the end */
	IOB_TARGET_NULL,    /* no target at all */
};

/* A plain value for the front and the reports. Text is cleaned. */
struct iob_target_info {
	char path[IOB_PATH_MAX]; /* of the file or device; scratch: the directory */
	enum iob_target_kind kind;
	uint64_t size;                       /* bytes of the target (sum over files) */
	uint64_t region_offset, region_size; /* what the job covers, bytes: where it starts in each
						file, and its sum over the files (equal parts) */
	uint32_t files;
	uint32_t logical_block_size, physical_block_size;
	bool direct;         /* O_DIRECT is in force */
	bool direct_refused; /* it was wanted, and the file system refused it (scratch only) */
	bool writable;       /* opened for writing */
	bool rotational;
	bool has_disk; /* major and minor name a whole disk in /proc/diskstats */
	unsigned major, minor;
	char disk[64]; /* "nvme0n1", "" = none known */
	/* All of the target lies on this partition of the disk, whose own counters are watched; ""
	 * = on the disk itself, or on several. */
	char partition[64];
	unsigned partition_major, partition_minor;
	char model[80];
	char scheduler[32];
	char filesystem[32]; /* of a file: "ext4" */
	char mount_point[256];
	uint32_t nr_requests;
	uint64_t sparse_bytes; /* of the region: holes and unwritten extents (FIEMAP), 0 if unknown
				*/
	uint64_t layout_bytes; /* that we wrote before the run */
	dev_t file_dev;        /* of the first file, so that no report replaces it */
	ino_t file_ino;        /* 0 = it is none */
	/* For the verdicts, not for the reports. */
	char disk_kind[16]; /* as struct iob_blockdev's */
	struct iob_diskfacts facts;
	bool no_scheduler; /* ioscheduler= was given, and not all of the target has one */
	bool cache_kept;   /* the page cache of it could not be dropped before the run */
	bool in_memory;    /* the file system has no disk: tmpfs, ramfs */
	/* The disk is memory: "zram", "ram", or "tmpfs" (a loop device on it); "" = it is none */
	char memory_disk[16];
	bool cached_loop; /* a loop device that goes through the page cache of what it stands on */
	char writer[64];  /* who else has the file open for writing; "" = nobody is known */
};

/* Whose counters are watched. */
static inline const char *iob_target_counted(const struct iob_target_info *t)
{
	return t->partition[0] ? t->partition : t->disk;
}

/* One open file or device.  The engine uses fd, size and block_size, and path in messages. */
struct iob_target {
	int fd;
	int claim;                       /* what is held exclusively beside it; 0 = nothing */
	uint32_t block_size;             /* logical block of a device; 0 = a file */
	uint64_t size;                   /* of this file or device */
	struct iob_target_region region; /* what the job covers of it */
	bool made;                       /* by this run, with a name that stays */
	bool ours;                       /* what is in it is ours alone: see mark.h */
	bool remove;                     /* when it is closed */
	char path[IOB_PATH_MAX];
	dev_t dev; /* identity, checked again through the fd: st_rdev for a device, st_dev for a
		      file */
	ino_t ino;
};

/* All files of a stage. */
struct iob_targets {
	struct iob_target_info info;
	struct iob_target *item;
	unsigned count;
};

/* Progress of the layout, in shared memory. */
struct iob_layout_progress {
	_Atomic uint64_t done, total; /* bytes */
};

/*
 * Everything before the measuring: find out what the target is, ask the guard, create and lay out
 * what is missing, open (O_DIRECT, O_EXCL for devices that are written, read-only for read jobs),
 * check the identity again through the fd, check alignment and sizes against the job, drop the page
 * cache of the region (invalidate). stop: looked at while laying out; -ECANCELED when it became
 * true. Usage errors (bs not a multiple of the logical block size, region beyond the end, missing
 * path of a read job), refusals (kind IOB_ERR_REFUSED) and run errors (no space, no permission) are
 * told apart in *err; each text names the field, the value and the remedy.  On failure nothing is
 * left behind.
 *
 * Rules: TARGET block device -> as is.  Existing regular file -> as is.  Path that does not exist:
 * a file is made with size= (a read job needs size= too: "no such file; give --size=... to have it
 * made"), never under /dev. Directory -> scratch files in it, nrfiles of them, each size / nrfiles.
 * A character device for commands
 * (/dev/ng0n1, /dev/sg0) -> as is, with the engine that sends them.
 * No target -> scratch of 1 GiB (or size=; less if less than 10 % of the space would be left, with
 * a floor of 64 MiB) in $TMPDIR or /var/tmp, never on tmpfs if another is writable.
 */
int iob_targets_prepare(struct iob_targets *, const struct iob_plan *, const struct iob_job *,
	bool needs_target, struct iob_layout_progress *, const _Atomic unsigned *stop,
	struct iob_error *);

/*
 * Before the first of several runs that belong together prepares: what will be refused whatever
 * those before it make (space, consent) is refused now, and the space that its files will take is
 * promised (iob_kin_own) until iob_targets_prepare.  Only for lists of files.
 */
int iob_targets_survey(const struct iob_plan *, const struct iob_job *, struct iob_error *);

/* fsync all that was opened for writing.  Returns the first error (text names the file). */
int iob_targets_sync(struct iob_targets *, struct iob_error *);
/* Close all, check the close of written files; scratch files are gone then (they have no name).
 * Legal on a zeroed object; idempotent. */
int iob_targets_close(struct iob_targets *, struct iob_error *);

#endif
