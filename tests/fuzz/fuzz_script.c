/* SPDX-License-Identifier: MIT */
/* Any bytes as a --script: refused with words, or lines of which each is a command or an error. */
#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "ui/command.h"
#include "ui/script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct iob_script script;
	struct iob_command command;
	struct iob_error err = {0};
	char path[64], line[600];
	size_t lines = 0;
	IOB_FD int fd = memfd_create("script", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (iob_script_read(&script, path, &err) < 0) {
		if (err.text[0] == '\0')
			abort();
		return 0;
	}
	while (iob_script_next(&script, line, sizeof(line))) {
		if (++lines > size + 1)
			abort();
		if (iob_command_parse(&command, line, &err) < 0 &&
			(err.kind != IOB_ERR_USAGE || err.text[0] == '\0'))
			abort();
	}
	iob_script_free(&script);
	return 0;
}
