/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cli/fio_log_paths.h"
#include "cli/fio_log_process.h"
#include "cli/fio_log_writer.h"
#include "result/fio_build.h"
#include "result/save.h"

#define KIB       1024
#define WINDOW_NS (IOB_NS_PER_S / 2)
#define WIDTH     ((size_t)(WINDOW_NS / IOB_INTERVAL_NS))
/* Intervals that may still grow, as far as can be waited for. */
#define YOUNG     ((size_t)(2 * IOB_NS_PER_S / IOB_INTERVAL_NS))

/* Of a window, whose number is from the start of the earliest job. */
static void make_line(
	struct iob_log_line *line, const struct iob_fio_bandwidth *b, size_t window, unsigned dir)
{
	uint64_t bytes = 0;

	for (size_t k = 0; k < WIDTH; k++)
		bytes += b[k].bytes[dir];
	line->dir = dir;
	snprintf(line->text, sizeof(line->text), "%" PRIu64 ", %" PRIu64 ", %u, 0, 0\n",
		(window + 1) * WINDOW_NS / IOB_NS_PER_MS, bytes * (IOB_NS_PER_S / WINDOW_NS) / KIB,
		dir);
}

/* What finds no room comes at the end, with all the others. */
void iob_fio_bandwidth_lines(struct iob_fleet *f, int socket, size_t *next)
{
	const struct iob_fio_members all = {.fleet = f, .count = f->count};
	IOB_FREE struct iob_fio_bandwidth *b = NULL;
	ssize_t n = iob_fio_build_bandwidth(&all, *next * WIDTH, &b, NULL);

	for (size_t k = 0; n > 0 && (k + 1) * WIDTH + YOUNG <= (size_t)n; k++, ++*next) {
		for (unsigned d = 0; d < IOB_NDIR; d++) {
			struct iob_log_line line = {0};

			make_line(&line, b + k * WIDTH, *next, d);
			if (send(socket, &line, sizeof(line), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
				return;
		}
	}
}

struct whole {
	const struct iob_fio_bandwidth *b;
	size_t windows;
	unsigned dir;
};

static int write_whole(const void *what, FILE *f, struct iob_error *err)
{
	const struct whole *w = what;
	struct iob_log_line line;

	(void)err;
	for (size_t k = 0; k < w->windows; k++) {
		make_line(&line, w->b + k * WIDTH, k, w->dir);
		fputs(line.text, f);
	}
	return 0;
}

int iob_fio_bandwidth_logs_write(
	struct iob_fleet *f, const char *prefix, bool hurry, struct iob_error *err)
{
	const struct iob_fio_members all = {.fleet = f, .count = f->count};
	IOB_FREE struct iob_fio_bandwidth *b = NULL;
	ssize_t n = iob_fio_build_bandwidth(&all, 0, &b, err);

	for (unsigned d = 0; d < IOB_NDIR && n >= 0; d++) {
		const struct whole whole = {b, (size_t)n / WIDTH, d};
		const struct iob_document document = {
			.write = write_whole, .what = &whole, .hurry = hurry};
		char path[PATH_MAX];
		int rc = iob_fio_bandwidth_path(path, sizeof(path), prefix, (int)d, err);

		if (rc == 0)
			rc = iob_document_save(&document, path, err);
		if (rc < 0) {
			iob_error_prefix(err, "the bandwidth log: ");
			return rc;
		}
	}
	return n < 0 ? (int)n : 0;
}
