/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/run_log.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "run/shared.h"

int iob_run_log_open(struct iob_run_log *l, int fd, struct iob_error *err)
{
	*l = (struct iob_run_log){.fd = fd, .chunk = malloc(sizeof(*l->chunk))};
	int rc = l->chunk ? iob_shared_attach(&l->shared, fd, err)
			  : iob_fail(err, -ENOMEM, "reading I/O logs: %m");

	if (rc == 0 && l->shared->log_slots == 0)
		rc = iob_fail(err, -EINVAL, "shared memory: no room for logs");
	if (rc < 0)
		iob_run_log_close(l);
	return rc;
}

ssize_t iob_run_log_read(struct iob_run_log *l, unsigned worker, iob_log_visit *visit, void *arg)
{
	struct iob_log_place place = iob_shared_log(l->shared, l->fd, worker);

	return iob_log_read(&place, l->chunk, visit, arg);
}

uint64_t iob_run_log_from_ns(const struct iob_run_log *l, unsigned worker)
{
	return atomic_load(&l->shared->log[worker].from_ns);
}

uint64_t iob_run_log_room(const struct iob_run_log *l)
{
	return l->shared->log_slots * IOB_LOG_CHUNK;
}

uint64_t iob_run_log_lost(const struct iob_run_log *l, unsigned worker)
{
	return atomic_load(&l->shared->log[worker].lost);
}

void iob_run_log_close(struct iob_run_log *l)
{
	iob_shared_unmap(l->shared);
	if (l->fd >= 0)
		close(l->fd);
	free(l->chunk);
	*l = (struct iob_run_log){.fd = -1};
}
