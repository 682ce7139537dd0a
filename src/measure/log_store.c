/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "measure/log_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

/* Not worth giving back. */
#define KEPT_SLOTS 256

size_t iob_log_record_size(enum iob_log_kind kind)
{
	static const size_t sizes[IOB_LOG_NKINDS] = {
		[IOB_LOG_RECORD] = sizeof(struct iob_io_record),
		[IOB_LOG_WINDOW] = sizeof(struct iob_log_window),
		[IOB_LOG_HIST] = sizeof(struct iob_log_hist),
	};

	return sizes[kind];
}

uint32_t iob_log_chunk_holds(enum iob_log_kind kind)
{
	return (uint32_t)(sizeof(((struct iob_log_chunk *)0)->bytes) / iob_log_record_size(kind));
}

/* What a chunk has in it, head and records. */
static size_t size_of(const struct iob_log_chunk *chunk)
{
	return offsetof(struct iob_log_chunk, bytes) +
	       chunk->count * iob_log_record_size((enum iob_log_kind)chunk->kind);
}

static off_t position(const struct iob_log_place *place, uint64_t slot)
{
	return (off_t)(place->offset + slot * sizeof(struct iob_log_chunk));
}

/* Where chunk n is to go; `slots` = nowhere. */
static uint64_t slot_for(const struct iob_log_place *place, uint64_t n)
{
	struct iob_log_counts *counts = place->counts;
	/* Pairs with the release of the reader: places are free again. */
	uint64_t waiting = n - atomic_load_explicit(&counts->read, memory_order_acquire);

	/* The reader looks at the base after `written`, and nothing that it has still to read lies
	 * by the old one. */
	if (waiting == 0)
		atomic_store_explicit(&counts->base, n, memory_order_relaxed);
	if (waiting >= place->slots)
		return place->slots;
	return (n - atomic_load_explicit(&counts->base, memory_order_relaxed)) % place->slots;
}

void iob_log_append(struct iob_log_chunk *chunk, const struct iob_log_place *place)
{
	struct iob_log_counts *counts = place->counts;
	uint64_t n = atomic_load_explicit(&counts->written, memory_order_relaxed);
	size_t size = size_of(chunk);
	ssize_t wrote = -1;

	if (chunk->count == 0)
		return;
	uint64_t slot = slot_for(place, n);
	if (slot < place->slots) {
		do
			wrote = pwrite(place->fd, chunk, size, position(place, slot));
		while (wrote < 0 && errno == EINTR);
	}
	if (wrote == (ssize_t)size)
		atomic_store_explicit(&counts->written, n + 1, memory_order_release);
	else
		atomic_fetch_add_explicit(&counts->lost, chunk->count, memory_order_relaxed);
	chunk->count = 0;
}

uint64_t iob_log_waiting(const struct iob_log_place *place)
{
	return atomic_load_explicit(&place->counts->written, memory_order_relaxed) -
	       atomic_load_explicit(&place->counts->read, memory_order_relaxed);
}

static int visit_all(const struct iob_log_chunk *chunk, iob_log_visit *visit, void *arg)
{
	enum iob_log_kind kind = (enum iob_log_kind)chunk->kind;
	size_t size = iob_log_record_size(kind);
	int rc = 0;

	for (uint32_t i = 0; i < chunk->count && rc == 0; i++)
		rc = visit(arg, kind, chunk->bytes + i * size);
	return rc;
}

static bool is_whole(const struct iob_log_chunk *chunk, ssize_t got)
{
	return got >= (ssize_t)offsetof(struct iob_log_chunk, bytes) &&
	       chunk->magic == IOB_LOG_MAGIC && chunk->kind < IOB_LOG_NKINDS &&
	       chunk->count <= iob_log_chunk_holds((enum iob_log_kind)chunk->kind) &&
	       got >= (ssize_t)size_of(chunk);
}

/* Before its place is free: the next chunk may come at once.  What cannot be given back is used
 * again all the same. */
static void give_back(const struct iob_log_place *place, uint64_t slot)
{
	if (slot >= KEPT_SLOTS)
		(void)!fallocate(place->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			position(place, slot), sizeof(struct iob_log_chunk));
}

ssize_t iob_log_read(const struct iob_log_place *place, struct iob_log_chunk *room,
	iob_log_visit *visit, void *arg)
{
	struct iob_log_counts *counts = place->counts;
	uint64_t from = atomic_load_explicit(&counts->read, memory_order_relaxed);
	uint64_t waiting = atomic_load_explicit(&counts->written, memory_order_acquire) - from;
	uint64_t base = atomic_load_explicit(&counts->base, memory_order_relaxed);
	int rc = 0;

	/* The other side is not to be trusted. */
	waiting = waiting < place->slots ? waiting : place->slots;
	for (uint64_t n = from; n < from + waiting && rc == 0; n++) {
		uint64_t slot = (n - base) % place->slots;
		ssize_t got = pread(place->fd, room, sizeof(*room), position(place, slot));

		if (got < 0)
			return -errno;
		if (is_whole(room, got))
			rc = visit_all(room, visit, arg);
		give_back(place, slot);
		atomic_store_explicit(&counts->read, n + 1, memory_order_release);
	}
	return rc ? rc : (ssize_t)waiting;
}
