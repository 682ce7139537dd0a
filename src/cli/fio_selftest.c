/* SPDX-License-Identifier: MIT */
/* --crctest, --cpuclock-test and --idle-prof=calibrate: what the machine itself can do. */
#include <config.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "cli/command.h"
#include "cli/fio_help.h"
#include "measure/idle_prof.h"
#include "result/fio_text.h"

#define CHUNK       (128 * 1024)
#define TEST_NS     (50 * IOB_NS_PER_MS)
#define MIB         (1024.0 * 1024.0)
#define CLOCK_READS 1000000

static void measure(const struct iob_checksum *c, const uint8_t *data)
{
	uint8_t result[IOB_CHECKSUM_MAX];
	uint64_t start = iob_now_ns(), now;
	double bytes = 0;

	do {
		c->compute(result, data, CHUNK);
		bytes += CHUNK;
		now = iob_now_ns();
	} while (now - start < TEST_NS);
	printf("%s:\t%s%9.2f MiB/sec\n", c->name, strlen(c->name) < 7 ? "\t" : "",
		bytes / MIB / ((double)(now - start) / (double)IOB_NS_PER_S));
}

static int list_checksums(void)
{
	for (const struct iob_checksum *c = iob_checksums; c->name; c++)
		puts(c->name);
	return 0;
}

int iob_fio_print_crctest(const char *kind, struct iob_error *err)
{
	IOB_FREE uint8_t *data = malloc(CHUNK);

	if (strcmp(kind, "help") == 0)
		return list_checksums();
	if (*kind != '\0' && !iob_checksum_find(kind))
		return iob_fail_usage(
			err, "--crctest=%.40s: no such checksum; --crctest=help lists them", kind);
	if (!data)
		return iob_fail(err, -ENOMEM, "crctest: %m");
	for (size_t i = 0; i < CHUNK; i++)
		data[i] = (uint8_t)(i * 31);
	iob_clock_init();
	for (const struct iob_checksum *c = iob_checksums; c->name; c++)
		if (*kind == '\0' || strcmp(kind, c->name) == 0)
			measure(c, data);
	return 0;
}

int iob_fio_print_cpuclock_test(void)
{
	uint64_t last, backwards = 0;

	iob_clock_init();
	uint64_t start = last = iob_now_ns();
	for (int i = 0; i < CLOCK_READS; i++) {
		uint64_t now = iob_now_ns();

		backwards += now < last;
		last = now;
	}
	printf("clock: %s, %.1f ns per reading\n",
		iob_clock_scale.tsc ? "the CPU's own (invariant TSC)" : "the kernel's (monotonic)",
		(double)(last - start) / CLOCK_READS);
	printf("clock: %d readings, %llu went backwards: %s\n", CLOCK_READS,
		(unsigned long long)backwards, backwards == 0 ? "pass" : "fail");
	return backwards == 0 ? IOB_EXIT_OK : IOB_EXIT_FAILED;
}

int iob_fio_print_idle_unit(struct iob_error *err)
{
	struct iob_idle_prof *prof;

	iob_clock_init();
	int rc = iob_idle_prof_new(&prof, err);
	if (rc < 0)
		return rc;
	fputs(IOB_FIO_IDLE_TITLE, stdout);
	iob_fio_text_idle_unit(iob_idle_prof_read(prof), stdout);
	iob_idle_prof_free(prof);
	return 0;
}
