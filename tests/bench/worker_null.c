/* SPDX-License-Identifier: MIT */
/*
 * What the program itself costs per I/O: one worker on the null engine (or another one, with a
 * file), full statistics, no load process around it.
 *	worker_null [SECONDS [IODEPTH [ENGINE FILE [direct]]]]
 * With DETAIL in the environment: in the loop for fio's reports.
 */
#include <config.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "tests/support/worker_rig.h"

#define GIB (UINT64_C(1) << 30)

static struct rig rig;

static void open_file(const char *path, bool direct)
{
	rig.target.fd = open(path, O_RDONLY | O_CLOEXEC | (direct ? O_DIRECT : 0));
	if (rig.target.fd < 0) {
		fprintf(stderr, "worker_null: %s: %m\n", path);
		exit(1);
	}
	rig.target.size = (uint64_t)lseek(rig.target.fd, 0, SEEK_END);
	rig.region.size = rig.target.size;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 2;
	unsigned depth = argc > 2 ? (unsigned)atoi(argv[2]) : 32;
	const char *name = argc > 3 ? argv[3] : "null";
	const struct iob_engine *engine;
	struct iob_error err = {0};

	iob_clock_init();
	static struct iob_detail detail;
	rig_init(&rig, IOB_RW_RANDREAD, 100 * GIB, depth);
	if (getenv("DETAIL"))
		rig.detail = &detail;
	if (argc > 4)
		open_file(argv[4], argc > 5);
	if (iob_engine_get(&engine, name, &err) < 0 || rig_start(&rig, engine, depth, &err) < 0) {
		fprintf(stderr, "worker_null: %s\n", err.text);
		return 1;
	}
	uint64_t start = iob_now_ns();
	uint64_t end = start + (uint64_t)(seconds * 1e9);
	while (iob_now_ns() < end) {
		usleep(20000);
		rig_read(&rig);
	}
	rig_stop(&rig);
	rig_finish(&rig);
	double took = (double)(atomic_load(&rig.slot->ended_ns) - start);
	double ios = (double)rig_total(&rig, IOB_READ);
	printf("%s QD%u [%s]: %.0f IOPS, %.1f ns per I/O, CPU %.1f ns per I/O%s%s\n", name, depth,
		rig.slot->engine_flags, ios / took * 1e9, took / ios, (double)rig.cpu_ns / ios,
		rig.slot->error.code ? ", " : "", rig.slot->error.text);
	const struct iob_detail_dir *d = &detail.dir[IOB_READ];
	if (rig.detail)
		printf("slat %.0f clat %.0f lat %.0f ns\n", iob_moments_mean(&d->slat.moments),
			iob_moments_mean(&d->clat.moments), iob_moments_mean(&d->lat.moments));
	rig_free(&rig);
	return 0;
}
