/* SPDX-License-Identifier: MIT */
/*
 * Where the records of I/O logs lie during a run: behind the shared memory, in its memfd, in chunks
 * that workers append as they fill up.  Nothing is mapped: a chunk is one write, and no memory is
 * allocated in the loop.  The reader walks the chunks when the run is over.
 */
#ifndef IOB_MEASURE_LOG_STORE_H
#define IOB_MEASURE_LOG_STORE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "measure/io_log.h"

#define IOB_LOG_CHUNK (UINT32_C(1) << 16) /* bytes, with its head */
#define IOB_LOG_MAGIC UINT32_C(0x676f6c31)

enum iob_log_kind { IOB_LOG_RECORD, IOB_LOG_WINDOW, IOB_LOG_HIST, IOB_LOG_NKINDS };

struct iob_log_chunk {
	uint32_t magic;
	uint32_t worker;
	uint32_t kind;  /* enum iob_log_kind */
	uint32_t count; /* records in it */
	_Alignas(8) unsigned char bytes[IOB_LOG_CHUNK - 16];
};
_Static_assert(sizeof(struct iob_log_chunk) == IOB_LOG_CHUNK, "chunks lie side by side");

/* In the shared memory; zeroed = empty.  All workers write. */
struct iob_log_counts {
	_Atomic uint64_t chunks; /* that were begun */
	_Atomic uint64_t lost;   /* records for which there was no room */
};

size_t iob_log_record_size(enum iob_log_kind);
/* Records that fit into a chunk. */
uint32_t iob_log_chunk_holds(enum iob_log_kind);

/* Append the chunk to fd, whose chunks begin at `offset`, and empty it.  When that fails (no
 * memory, a limit) its records count as lost. */
void iob_log_append(struct iob_log_chunk *, int fd, uint64_t offset, struct iob_log_counts *);

/* Called for each record of the kind, in order; not 0 ends the walk with it. */
typedef int iob_log_visit(void *arg, enum iob_log_kind, const void *record);

/* All records of one worker.  0, what `visit` said, or a negative errno.  Chunks that make no sense
 * are passed over. */
int iob_log_walk(int fd, uint64_t offset, const struct iob_log_counts *, uint32_t worker,
	iob_log_visit *visit, void *arg);

#endif
