/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/bench/raw_loop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"

#define TURNS_PER_LOOK 256

static double seconds = 2;

_Noreturn void raw_fail(const char *what, int code)
{
	errno = code;
	fprintf(stderr, "raw loop: %s: %m\n", what);
	exit(1);
}

void raw_open(struct raw_file *f, int argc, char **argv)
{
	bool direct = argc > 3 && strcmp(argv[3], "direct") == 0;

	if (argc < 2)
		raw_fail("FILE [SECONDS [direct]]", EINVAL);
	if (argc > 2)
		seconds = atof(argv[2]);
	f->fd = open(argv[1], O_RDONLY | O_CLOEXEC | (direct ? O_DIRECT : 0));
	if (f->fd < 0)
		raw_fail(argv[1], errno);
	f->blocks = (uint64_t)lseek(f->fd, 0, SEEK_END) / RAW_BLOCK;
	f->buffers = aligned_alloc(RAW_BLOCK, (size_t)RAW_BLOCK * RAW_DEPTH);
	if (!f->buffers || f->blocks == 0)
		raw_fail(argv[1], ENOMEM);
	memset(f->buffers, 0, (size_t)RAW_BLOCK * RAW_DEPTH);
	iob_rng_seed(&f->rng, 1, 0);
}

static double cpu_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

int raw_run(const char *name, struct raw_file *f, unsigned (*turn)(struct raw_file *))
{
	uint64_t start = iob_monotonic_ns();
	uint64_t end = start + (uint64_t)(seconds * 1e9);
	double cpu = cpu_seconds();
	uint64_t reads = 0;

	while (iob_monotonic_ns() < end)
		for (unsigned i = 0; i < TURNS_PER_LOOK; i++)
			reads += turn(f);
	double took = (double)(iob_monotonic_ns() - start);
	cpu = cpu_seconds() - cpu;
	printf("raw %s: %.0f IOPS, %.1f ns per I/O, CPU %.1f ns per I/O\n", name,
		(double)reads / took * 1e9, took / (double)reads, cpu * 1e9 / (double)reads);
	return 0;
}
