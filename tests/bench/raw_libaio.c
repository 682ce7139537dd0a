/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <libaio.h>

#include "tests/bench/raw_loop.h"

static io_context_t context;
static struct iocb iocbs[RAW_DEPTH];
static struct iocb *idle[RAW_DEPTH];
static struct io_event events[RAW_DEPTH];
static unsigned nidle;

static unsigned turn(struct raw_file *f)
{
	for (unsigned i = 0; i < nidle; i++) {
		unsigned char *buf = f->buffers + (size_t)(idle[i] - iocbs) * RAW_BLOCK;

		io_prep_pread(idle[i], f->fd, buf, RAW_BLOCK, (long long)raw_offset(f));
	}
	if (nidle > 0 && io_submit(context, (long)nidle, idle) != (int)nidle)
		raw_fail("io_submit", EIO);
	int n = io_getevents(context, 1, RAW_DEPTH, events, NULL);
	nidle = 0;
	for (int i = 0; i < n; i++) {
		if (events[i].res != RAW_BLOCK)
			raw_fail("read", EIO);
		idle[nidle++] = events[i].obj;
	}
	return nidle;
}

int main(int argc, char **argv)
{
	struct raw_file f;

	raw_open(&f, argc, argv);
	int ret = io_setup(RAW_DEPTH, &context);
	if (ret < 0)
		raw_fail("io_setup", -ret);
	while (nidle < RAW_DEPTH) {
		idle[nidle] = &iocbs[nidle];
		nidle++;
	}
	return raw_run("libaio QD32", &f, turn);
}
