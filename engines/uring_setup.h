/* SPDX-License-Identifier: MIT */
/* What this kernel allows an io_uring to be, found out by asking for it. */
#ifndef IOB_ENGINES_URING_SETUP_H
#define IOB_ENGINES_URING_SETUP_H

#include <liburing.h>
#include <stdbool.h>
#include <stddef.h>

#include "load/engine.h"

#define IOB_URING_MAX_ENTRIES 32768 /* the kernel's IORING_MAX_ENTRIES */
#define IOB_URING_PIECE_BITS  30    /* one registered buffer holds at most 1 GiB */

struct iob_uring_features {
	unsigned setup; /* IORING_SETUP_* in force */
	bool files, buffers, ring_fd;
};

int iob_uring_probe(struct iob_error *);
/* A ring for `capacity` requests in flight, made in the thread that uses it. */
int iob_uring_setup(
	struct io_uring *, unsigned capacity, struct iob_uring_features *, struct iob_error *);
/* False: the kernel refused, go on without. */
bool iob_uring_register_targets(struct io_uring *, const struct iob_target *, unsigned n);
bool iob_uring_register_arena(struct io_uring *, void *arena, size_t size);
void iob_uring_describe(const struct iob_uring_features *, char *buf, size_t n);

#endif
