/* SPDX-License-Identifier: MIT */
/* All that can be found out about a target without changing it.  For a process that may be given
 * up: each of the questions can hang on a sick device. */
#ifndef IOB_TARGET_INSPECT_H
#define IOB_TARGET_INSPECT_H

#include "target/blockdev.h"
#include "target/filesystem.h"
#include "target/openers.h"
#include "target/target.h"

enum iob_inspected {
	IOB_INSPECTED_NOTHING, /* see error */
	IOB_INSPECTED_DEVICE,
	IOB_INSPECTED_FILE,
	IOB_INSPECTED_NEW, /* does not exist: a run would make it */
	IOB_INSPECTED_DIRECTORY,
	IOB_INSPECTED_GENERIC, /* a character device for commands */
};

/* A plain value; text is cleaned. */
struct iob_inspection {
	enum iob_inspected kind;
	struct iob_target_info info; /* path, sizes, disk, file system, sparse_bytes, facts */
	struct iob_blockdev dev;     /* of the device, or of that under the file system */
	bool has_dev;
	enum iob_direct direct; /* of a file or directory */
	uint32_t direct_align;
	struct iob_extents extents; /* of the whole file */
	bool has_extents;
	struct iob_room room;
	bool has_room;
	struct iob_openers openers;
	struct iob_error write; /* why it would not be written; code 0 = it would */
	struct iob_error job;   /* why this very job would be refused; code 0 = it would not */
	struct iob_error error; /* why the target cannot be used at all; code 0 = it can */
};

void iob_target_inspect(struct iob_inspection *, const struct iob_plan *, const struct iob_job *);

#endif
