/* SPDX-License-Identifier: MIT */
/* --crctest, --cpuclock-test and --idle-prof=calibrate: what the machine itself can do. */
#include <config.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
#define FNV_BASIS   UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME   UINT64_C(0x100000001b3)

struct checksum {
	const char *name;
	unsigned width; /* bits of a reflected CRC; 0 = FNV-1a */
	uint64_t polynomial;
};

static const struct checksum checksums[] = {
	{"crc64", 64, UINT64_C(0xc96c5795d7870f42)},
	{"crc32", 32, 0xedb88320},
	{"crc32c", 32, 0x82f63b78},
	{"crc16", 16, 0xa001},
	{"fnv", 0, 0},
};
#define NCHECKSUMS (sizeof(checksums) / sizeof(checksums[0]))

static void fill_table(uint64_t table[256], uint64_t polynomial)
{
	for (unsigned i = 0; i < 256; i++) {
		uint64_t value = i;

		for (int bit = 0; bit < 8; bit++)
			value = value & 1 ? value >> 1 ^ polynomial : value >> 1;
		table[i] = value;
	}
}

static uint64_t compute(
	const struct checksum *c, const uint64_t table[256], const uint8_t *data, size_t n)
{
	uint64_t value = c->width == 0 ? FNV_BASIS : 0;

	for (size_t i = 0; i < n; i++)
		value = c->width == 0 ? (value ^ data[i]) * FNV_PRIME
				      : value >> 8 ^ table[(value ^ data[i]) & 0xff];
	return value;
}

static void measure(const struct checksum *c, const uint8_t *data)
{
	uint64_t table[256];
	uint64_t start = iob_now_ns(), now;
	volatile uint64_t sink;
	double bytes = 0;

	fill_table(table, c->polynomial);
	do {
		sink = compute(c, table, data, CHUNK);
		bytes += CHUNK;
		now = iob_now_ns();
	} while (now - start < TEST_NS);
	(void)sink;
	printf("%s:\t%s%9.2f MiB/sec\n", c->name, strlen(c->name) < 7 ? "\t" : "",
		bytes / MIB / ((double)(now - start) / (double)IOB_NS_PER_S));
}

int iob_fio_print_crctest(const char *kind, struct iob_error *err)
{
	IOB_FREE uint8_t *data = malloc(CHUNK);
	bool found = false;

	if (!data)
		return iob_fail(err, -ENOMEM, "crctest: %m");
	for (size_t i = 0; i < CHUNK; i++)
		data[i] = (uint8_t)(i * 31);
	for (size_t i = 0; i < NCHECKSUMS; i++) {
		if (*kind != '\0' && strcmp(kind, checksums[i].name) != 0)
			continue;
		found = true;
		measure(&checksums[i], data);
	}
	if (!found)
		return iob_fail_usage(err,
			"--crctest=%.40s: none of crc64, crc32, crc32c, crc16, fnv; the others come "
			"with verification",
			kind);
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
