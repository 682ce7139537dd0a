/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <unistd.h>

#include "tests/bench/raw_loop.h"

static unsigned turn(struct raw_file *f)
{
	if (pread(f->fd, f->buffers, RAW_BLOCK, (off_t)raw_offset(f)) != RAW_BLOCK)
		raw_fail("pread", errno);
	return 1;
}

int main(int argc, char **argv)
{
	struct raw_file f;

	raw_open(&f, argc, argv);
	return raw_run("psync QD1", &f, turn);
}
