/* SPDX-License-Identifier: MIT */
/* What this kernel allows an io_uring to be, found out by asking for it. */
#ifndef IOB_ENGINES_URING_SETUP_H
#define IOB_ENGINES_URING_SETUP_H

#include <liburing.h>
#include <stdbool.h>
#include <stddef.h>

#include "load/engine.h"

#define IOB_URING_MAX_ENTRIES  32768 /* of the submission ring: the kernel's IORING_MAX_ENTRIES */
#define IOB_URING_MAX_CAPACITY 65536 /* the completion ring has twice as many */
#define IOB_URING_PIECE_BITS   30    /* one registered buffer holds at most 1 GiB */

/* What is asked of a ring beyond what each gets. */
struct iob_uring_wish {
	unsigned capacity; /* requests in flight */
	unsigned extra;    /* IORING_SETUP_IOPOLL, SQPOLL, SQ_AFF, SQE128, CQE32: not left out */
	unsigned cpu;      /* with SQ_AFF */
};

struct iob_uring_features {
	unsigned setup; /* IORING_SETUP_* in force */
	bool files, buffers, ring_fd;
	bool memlock; /* the buffers are not registered because the limit on locked memory is
			 too small */
};

/* io_uring_queue_init_params, or what a test puts in its place. */
typedef int iob_uring_init_fn(unsigned entries, struct io_uring *, struct io_uring_params *);

/* Flags newest first; each set is tried when the one before was answered EINVAL. */
int iob_uring_make(
	struct io_uring *, const struct iob_uring_wish *, unsigned *setup, iob_uring_init_fn *);

/* What the job's parameters ask for, and `extra` of the engine's own. */
struct iob_uring_wish iob_uring_wish_of(const struct iob_engine_env *, unsigned extra);

/* As in struct iob_engine. */
int iob_uring_probe(struct iob_error *);
/* A ring made in the thread that uses it. */
int iob_uring_setup(struct io_uring *, const struct iob_uring_wish *, struct iob_uring_features *,
	struct iob_error *);
/* Without success: the kernel refused, go on without. */
void iob_uring_register_targets(
	struct io_uring *, struct iob_uring_features *, const struct iob_target *, unsigned n);
void iob_uring_register_arena(
	struct io_uring *, struct iob_uring_features *, void *arena, size_t size);
/* Number of the registered piece that holds the whole buffer of the request, or -1.  arena: what is
 * registered, NULL with size 0 = nothing. */
static inline int iob_uring_piece_of(
	const unsigned char *arena, size_t size, const struct iob_req *req)
{
	size_t at = (size_t)((const unsigned char *)req->buf - arena);

	if (at >= size || req->length > size - at)
		return -1;
	size_t piece = at >> IOB_URING_PIECE_BITS;
	return (at + req->length - 1) >> IOB_URING_PIECE_BITS == piece ? (int)piece : -1;
}
/* With nothing in flight the files that were registered are let go before it returns: by itself the
 * kernel does so later, and file systems and devices would be busy after the run. */
void iob_uring_close(struct io_uring *, const struct iob_uring_features *);
void iob_uring_describe(const struct iob_uring_features *, char *buf, size_t n);

/* IORING_OP_READ and WRITE; without them there are the ones with vectors (before 5.6). */
bool iob_uring_knows_reads(struct io_uring *);
/* One polled read tells what no table does: whether file system and driver poll. */
int iob_uring_try_polling(struct io_uring *, const struct iob_target *, struct iob_error *);

/* Words for what io_uring_setup answered (uring_explain.c); returns code. */
int iob_uring_explain(int code, const struct iob_uring_wish *, struct iob_error *);
/* A remark when the limit on locked memory keeps buffers from being registered, else "". */
void iob_uring_remark_memlock(struct io_uring *, char *buf, size_t n);

#endif
