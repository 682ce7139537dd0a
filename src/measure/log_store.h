/* SPDX-License-Identifier: MIT */
/*
 * Where the records of I/O logs lie between the worker that keeps them and the process that makes
 * lines of them: behind the shared memory, in its memfd, a ring of chunks for each worker.  Nothing
 * is mapped: a chunk is one write, and no memory is allocated in the loop.  A log takes the memory
 * of what waits to be read, however long the run: the first places are used again and again, and
 * those further on are given back to the kernel when they have been read.
 *
 * One writer and one reader, in different processes; numbers run freely, and places begin anew when
 * nothing waits.  A full ring never blocks the worker: the records are lost, and counted.
 */
#ifndef IOB_MEASURE_LOG_STORE_H
#define IOB_MEASURE_LOG_STORE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "measure/io_log.h"
#include "measure/ring.h"

#define IOB_LOG_CHUNK (UINT32_C(1) << 16) /* bytes, with its head */
#define IOB_LOG_MAGIC UINT32_C(0x676f6c31)

enum iob_log_kind { IOB_LOG_RECORD, IOB_LOG_WINDOW, IOB_LOG_HIST, IOB_LOG_NKINDS };

struct iob_log_chunk {
	uint32_t magic;
	uint32_t kind;  /* enum iob_log_kind */
	uint32_t count; /* records in it */
	uint32_t unused;
	_Alignas(8) unsigned char bytes[IOB_LOG_CHUNK - 16];
};
_Static_assert(sizeof(struct iob_log_chunk) == IOB_LOG_CHUNK, "chunks lie side by side");

/* Of one worker, in the shared memory; zeroed = empty. */
struct iob_log_counts {
	/* The worker writes. */
	alignas(IOB_CACHELINE) _Atomic uint64_t written; /* chunks that may be read */
	_Atomic uint64_t lost;                           /* records for which there was no room */
	_Atomic uint64_t base;    /* the chunk that lies at place 0; set before `written` */
	_Atomic uint64_t from_ns; /* when measuring began: 0 of all times; likewise */
	/* The reader writes. */
	alignas(IOB_CACHELINE) _Atomic uint64_t read; /* chunks whose places are free again */
};

/* The ring of one worker. */
struct iob_log_place {
	int fd;
	uint64_t offset; /* of place 0 */
	uint64_t slots;
	struct iob_log_counts *counts;
};

size_t iob_log_record_size(enum iob_log_kind);
/* Records that fit into a chunk. */
uint32_t iob_log_chunk_holds(enum iob_log_kind);

/* Worker: hand the chunk over, and empty it.  When that fails (the ring is full, no memory, a
 * limit) its records count as lost. */
void iob_log_append(struct iob_log_chunk *, const struct iob_log_place *);

/* Worker: chunks that wait to be read. */
uint64_t iob_log_waiting(const struct iob_log_place *);

/* Called for each record of the kind, in order; not 0 ends the reading with it. */
typedef int iob_log_visit(void *arg, enum iob_log_kind, const void *record);

/* Reader: all that was handed over until now, into `room` one after another.  How many chunks that
 * were, what `visit` said, or a negative errno.  Chunks that make no sense are passed over. */
ssize_t iob_log_read(
	const struct iob_log_place *, struct iob_log_chunk *room, iob_log_visit *visit, void *arg);

#endif
