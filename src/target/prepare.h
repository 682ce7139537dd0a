/* SPDX-License-Identifier: MIT */
/* The cases of iob_targets_prepare: one function for each.  Internal to target/. */
#ifndef IOB_TARGET_PREPARE_H
#define IOB_TARGET_PREPARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"
#include "job/plan.h"
#include "target/region.h"
#include "target/target.h"

struct iob_prepare {
	struct iob_targets *targets; /* filled; closed by the caller on failure */
	const struct iob_plan *plan;
	const struct iob_job *job;
	struct iob_layout_progress *progress; /* may be NULL */
	const _Atomic unsigned *stop;         /* may be NULL */
	bool write;                           /* the job writes or trims */
	bool ahead;                           /* see iob_targets_survey */
};

int iob_prepare_device(
	const struct iob_prepare *, const char *path, const struct stat *, struct iob_error *);
int iob_prepare_existing(
	const struct iob_prepare *, const char *path, const struct stat *, struct iob_error *);
/* A character device for commands, with the engine that sends them. */
int iob_prepare_generic(
	const struct iob_prepare *, const char *path, const struct stat *, struct iob_error *);
/* Make the file, lay it out, give it its name. */
int iob_prepare_created(const struct iob_prepare *, const char *path, struct iob_error *);
/* nrfiles nameless files in directory.  may_buffer: go on with buffered I/O where direct is
 * refused. */
int iob_prepare_scratch(
	const struct iob_prepare *, const char *directory, bool may_buffer, struct iob_error *);

/* job->files.fio: the files of the list, made where they are missing. */
int iob_prepare_list(const struct iob_prepare *, struct iob_error *);
/* The same up to where something would be made. */
int iob_prepare_survey(const struct iob_prepare *, struct iob_error *);
/* Is none of the reports to replace the target?  st: NULL for one that is going to be made. */
int iob_prepare_check_reports(
	const struct iob_plan *, const char *path, const struct stat *, struct iob_error *);

/* Who else has a file that was just opened open for writing, into the description.  No refusal. */
void iob_prepare_note_writer(
	struct iob_target_info *, int fd, const struct stat *, bool ours_writes);

/* What the job may come to write of an existing file's region that the file does not have: 0 where
 * it writes nothing.  And what all its writes together come to at most, on whichever file. */
uint64_t iob_prepare_holes(const struct iob_prepare *, const char *path,
	const struct iob_target_region *, uint64_t length);
uint64_t iob_prepare_most(const struct iob_prepare *, uint64_t covered, uint64_t unit);
/* Is there room for all that I/O to an existing file of so many bytes may take? */
int iob_prepare_check_holes(const struct iob_prepare *, const char *path,
	const struct iob_target_region *, uint64_t length, struct iob_error *);

/* Room for count items, none of them open. */
int iob_targets_allocate(struct iob_targets *, unsigned count, struct iob_error *);
/* Bytes of a device's region that what it stands on was never given, 0 = none are known. */
uint64_t iob_targets_hollow(const struct iob_target_info *, uint64_t offset, uint64_t size);
/* Takes fd, also on failure. */
int iob_targets_add(struct iob_targets *, int fd, const char *path, uint64_t size,
	const struct iob_target_region *, struct iob_error *);
/* Disk, file system, block sizes of an open file or device. */
void iob_targets_describe(struct iob_target_info *, int fd, bool device);

#endif
