/* SPDX-License-Identifier: MIT */
/* Any bytes as a saved run: refused with words, or a result that every report can be written from
 * and that, written and read, is the same again. */
#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "result/result.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_bytes(struct iob_result *r, const void *data, size_t size, struct iob_error *err)
{
	char path[64];
	IOB_FD int fd = memfd_create("saved-run", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return iob_result_read(r, path, err);
}

static char *write_bytes(const struct iob_format *format, const struct iob_result *r, size_t *size)
{
	struct iob_error err = {0};
	char *text = NULL;
	FILE *f = open_memstream(&text, size);

	if (!f || format->write(r, f, &err) || fclose(f))
		abort();
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct iob_result first, second;
	struct iob_error err = {0};
	size_t n, m;

	if (read_bytes(&first, data, size, &err)) {
		if (err.text[0] == '\0')
			abort();
		return 0;
	}
	free(write_bytes(iob_format_find("text"), &first, &n));
	char *once = write_bytes(iob_format_find("json"), &first, &n);
	if (read_bytes(&second, once, n, &err))
		abort();
	char *twice = write_bytes(iob_format_find("json"), &second, &m);
	if (n != m || memcmp(once, twice, n) != 0)
		abort();
	free(once);
	free(twice);
	iob_result_free(&first);
	iob_result_free(&second);
	return 0;
}
