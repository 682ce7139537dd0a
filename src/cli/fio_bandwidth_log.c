/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "cli/fio_log_files.h"
#include "result/fio_build.h"

#define KIB       1024
#define WINDOW_NS (IOB_NS_PER_S / 2)

static void put_windows(FILE *f, const struct iob_fio_bandwidth *b, size_t n, int dir)
{
	const size_t width = WINDOW_NS / IOB_INTERVAL_NS;
	uint64_t bytes = 0;

	for (size_t k = 0; k < n; k++) {
		bytes += b[k].bytes[dir];
		if ((k + 1) % width != 0)
			continue;
		fprintf(f, "%" PRIu64 ", %" PRIu64 ", %d, 0, 0\n",
			(k + 1) * IOB_INTERVAL_NS / IOB_NS_PER_MS,
			bytes * (IOB_NS_PER_S / WINDOW_NS) / KIB, dir);
		bytes = 0;
	}
}

static int path_of(char *path, size_t room, const char *prefix, int dir, struct iob_error *err)
{
	static const char *const names[IOB_NDIR] = {"read", "write", "trim"};

	if (snprintf(path, room, "%s-%s_bw.log", prefix, names[dir]) >= (int)room)
		return iob_fail_usage(err, "--bandwidth-log=%.40s...: too long", prefix);
	return 0;
}

int iob_fio_bandwidth_logs_check(
	struct iob_fleet *f, const char *prefix, const char *output, struct iob_error *err)
{
	char path[PATH_MAX];
	int rc = 0;

	for (int d = 0; d < IOB_NDIR && rc == 0; d++) {
		rc = path_of(path, sizeof(path), prefix, d, err);
		if (rc == 0)
			rc = iob_fio_log_path_check(f, path, output, err);
	}
	return rc;
}

int iob_fio_bandwidth_logs_write(struct iob_fleet *f, const char *prefix, struct iob_error *err)
{
	const struct iob_fio_members all = {.fleet = f, .count = f->count};
	IOB_FREE struct iob_fio_bandwidth *b = NULL;
	ssize_t n = iob_fio_build_bandwidth(&all, &b, err);

	for (int d = 0; d < IOB_NDIR && n >= 0; d++) {
		char path[PATH_MAX];
		int rc = path_of(path, sizeof(path), prefix, d, err);

		if (rc < 0)
			return rc;
		FILE *out = iob_plain_file_open(path, false, err);
		if (!out)
			return iob_error_prefix(err, "open the log: "), err->code;
		put_windows(out, b, (size_t)n, d);
		if (fclose(out) != 0)
			return iob_fail(err, -errno, "write %s: %m", path);
	}
	return n < 0 ? (int)n : 0;
}
