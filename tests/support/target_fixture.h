/* SPDX-License-Identifier: MIT */
/* What the tests of target/ stand on: a folder of their own, files in it, loop devices. */
#ifndef TESTS_SUPPORT_TARGET_FIXTURE_H
#define TESTS_SUPPORT_TARGET_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job/plan.h"

/* A new folder under $TMPDIR or /tmp; the process chdirs nowhere. */
extern char fixture_dir[512];
void fixture_open(void);
/* Undoes everything: unmounts, swapoff, detaches loops, removes the folder. */
void fixture_close(void);

/* cr_skip_test does not run a suite's .fini (Criterion 2.4.1): undo first. */
#define fixture_skip(...)                                                                          \
	do {                                                                                       \
		fixture_close();                                                                   \
		cr_skip_test(__VA_ARGS__);                                                         \
	} while (0)

/* DIR/name; one of a few static buffers. */
const char *fixture_path(const char *name);
/* Make a file with its parent folders; name is relative to the folder. */
void fixture_write(const char *name, const char *text);
void fixture_link(const char *name, const char *target);
/* A file of `size` bytes that follow from their position. */
const char *fixture_data(const char *name, size_t size);
/* A number that changes when any byte of the file or device does. */
uint64_t fixture_digest(const char *path);
/* Entries of the folder or of /dev, not counting "." and "..". */
unsigned fixture_count(const char *folder);

/* Attach file to a free loop device.  NULL with the reason in *why if that cannot be done here. */
const char *fixture_loop(const char *file, unsigned sector_size, const char **why);
/* Run a tool quietly; its exit status, 127 if it is missing. */
int fixture_run(const char *const argv[]);
void fixture_mount(const char *device, const char *folder, const char *type, const char *options);
void fixture_swapon(const char *path);
void fixture_add_partition(const char *device, int number, uint64_t start, uint64_t size);

/* A plan of one stage: rw, 4k blocks, direct I/O off. */
void fixture_plan(struct iob_plan *, enum iob_rw rw, const char *filename);

#endif
