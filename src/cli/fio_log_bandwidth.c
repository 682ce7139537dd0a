/* SPDX-License-Identifier: MIT */
/* The bandwidth logs while the run goes on.  Their lines come from the front, which has the course
 * of all jobs. */
#include <config.h>

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/fio_log_file.h"
#include "cli/fio_log_paths.h"
#include "cli/fio_log_process.h"

#define SYNC_NS (3 * IOB_NS_PER_S)
#define WAIT_MS 1000

struct iob_log_bandwidth {
	pthread_t thread;
	int socket;
	struct iob_log_file file[IOB_NDIR];
};

static void sync_all(struct iob_log_bandwidth *b)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		iob_log_file_flush(&b->file[d]);
		iob_log_file_sync(&b->file[d]);
	}
}

static void add_line(struct iob_log_bandwidth *b, const struct iob_log_line *line)
{
	char *at = line->dir < IOB_NDIR ? iob_log_file_next(&b->file[line->dir]) : NULL;

	if (!at)
		return;
	size_t n = strnlen(line->text, sizeof(line->text));
	memcpy(at, line->text, n);
	iob_log_file_add(&b->file[line->dir], at + n);
}

/* Until the other end is closed. */
static void *run(void *arg)
{
	struct iob_log_bandwidth *b = arg;
	struct pollfd p = {.fd = b->socket, .events = POLLIN};
	uint64_t sync_ns = iob_now_ns() + SYNC_NS;
	struct iob_log_line line;
	ssize_t got = 1;

	for (int d = 0; d < IOB_NDIR; d++)
		iob_log_file_open(&b->file[d]);
	while (got != 0) {
		if (poll(&p, 1, WAIT_MS) > 0)
			got = recv(b->socket, &line, sizeof(line), 0);
		if (p.revents && got == (ssize_t)sizeof(line))
			add_line(b, &line);
		if (iob_now_ns() < sync_ns)
			continue;
		sync_all(b);
		sync_ns = iob_now_ns() + SYNC_NS;
	}
	sync_all(b);
	for (int d = 0; d < IOB_NDIR; d++)
		iob_log_file_close(&b->file[d]);
	return NULL;
}

int iob_log_bandwidth_start(
	struct iob_log_bandwidth **out, const struct iob_log_process *p, int socket)
{
	struct iob_log_bandwidth *b = calloc(1, sizeof(*b));
	int rc = b ? 0 : -ENOMEM;

	for (int d = 0; d < IOB_NDIR && rc == 0; d++) {
		struct iob_log_file *f = &b->file[d];

		*f = (struct iob_log_file){.fd = -1,
			.page = p->page,
			.wait = &p->page->bandwidth.wait,
			.which = (unsigned)d,
			.room = sizeof(struct iob_log_line)};
		rc = iob_fio_bandwidth_path(f->path, sizeof(f->path), p->bandwidth, d, NULL);
	}
	if (rc == 0) {
		b->socket = socket;
		rc = -pthread_create(&b->thread, NULL, run, b);
	}
	if (rc < 0) {
		close(socket);
		free(b);
		return rc;
	}
	*out = b;
	return 0;
}

void iob_log_bandwidth_join(struct iob_log_bandwidth *b)
{
	if (!b)
		return;
	pthread_join(b->thread, NULL);
	close(b->socket);
	free(b);
}
