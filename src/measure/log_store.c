/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "measure/log_store.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"

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

void iob_log_append(
	struct iob_log_chunk *chunk, int fd, uint64_t offset, struct iob_log_counts *counts)
{
	if (chunk->count == 0)
		return;
	uint64_t n = atomic_fetch_add_explicit(&counts->chunks, 1, memory_order_relaxed);
	ssize_t wrote;

	do
		wrote = pwrite(fd, chunk, sizeof(*chunk), (off_t)(offset + n * sizeof(*chunk)));
	while (wrote < 0 && errno == EINTR);
	if (wrote != (ssize_t)sizeof(*chunk))
		atomic_fetch_add_explicit(&counts->lost, chunk->count, memory_order_relaxed);
	chunk->count = 0;
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

static bool is_whole(const struct iob_log_chunk *chunk)
{
	return chunk->magic == IOB_LOG_MAGIC && chunk->kind < IOB_LOG_NKINDS &&
	       chunk->count <= iob_log_chunk_holds((enum iob_log_kind)chunk->kind);
}

int iob_log_walk(int fd, uint64_t offset, const struct iob_log_counts *counts, uint32_t worker,
	iob_log_visit *visit, void *arg)
{
	IOB_FREE struct iob_log_chunk *chunk = malloc(sizeof(*chunk));
	uint64_t n = atomic_load_explicit(&counts->chunks, memory_order_relaxed);
	const size_t head = offsetof(struct iob_log_chunk, bytes);
	int rc = 0;

	if (!chunk)
		return -ENOMEM;
	for (uint64_t i = 0; i < n && rc == 0; i++) {
		off_t at = (off_t)(offset + i * sizeof(*chunk));
		ssize_t got = pread(fd, chunk, head, at);

		if (got == 0)
			break; /* the last ones found no room */
		if (got < 0)
			return -errno;
		if (got != (ssize_t)head || !is_whole(chunk) || chunk->worker != worker)
			continue;
		if (pread(fd, chunk, sizeof(*chunk), at) == (ssize_t)sizeof(*chunk) &&
			is_whole(chunk))
			rc = visit_all(chunk, visit, arg);
	}
	return rc;
}
