/* SPDX-License-Identifier: MIT */
/* What an engine says it has moved by direct I/O is what the kernel counted at the device. */
#include <config.h>

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/engine_drive.h"
#include "tests/support/target_fixture.h"

#define SECTOR 512u

struct counts {
	uint64_t read_ios, read_sectors, write_ios, write_sectors;
};

/* Merged requests count as the ones that they were. */
static struct counts count(const char *device)
{
	uint64_t n[7] = {0};
	char path[64];

	snprintf(path, sizeof(path), "/sys/block/%s/stat", strrchr(device, '/') + 1);
	FILE *f = fopen(path, "re");
	cr_assert_not_null(f, "%s: %m", path);
	for (unsigned i = 0; i < 7; i++)
		cr_assert_eq(fscanf(f, "%" SCNu64, &n[i]), 1);
	fclose(f);
	return (struct counts){n[0] + n[1], n[2], n[4] + n[5], n[6]};
}

/* msync flushes the device's cache after each write; the kernel counts that as a write of nothing.
 */
static uint64_t flushes(const struct counts *before, const struct counts *after)
{
	uint64_t ios = after->write_ios - before->write_ios;

	return strcmp(d.engine->name, "mmap") == 0 && ios == 2 * BLOCKS ? BLOCKS : 0;
}

/* BLOCKS requests, in an order that jumps; the bytes that came back as moved. */
static uint64_t move(enum iob_op op)
{
	struct iob_req *batch[SLOTS], *done[SLOTS];
	uint64_t bytes = 0;

	for (unsigned next = 0; next < BLOCKS;) {
		unsigned n = 0;

		for (; n < d.capacity && next < BLOCKS; n++, next++) {
			batch[n] = &d.req[n];
			d.req[n].op = (uint8_t)op;
			d.req[n].offset = (uint64_t)(next * 37 % BLOCKS) * BLOCK;
		}
		drive_queue(batch, n);
		while (d.in_flight) {
			n = drive_reap(done, 1, d.in_flight, TIMEOUT_NS);
			for (unsigned i = 0; i < n; i++) {
				cr_assert_gt(done[i]->result, 0);
				bytes += (uint64_t)done[i]->result;
			}
		}
	}
	return bytes;
}

static struct criterion_test_params engines_with_target(void)
{
	unsigned n = 0, all = 0;

	while (iob_engines[all])
		all++;
	unsigned *index = cr_malloc(all * sizeof(*index));
	for (unsigned i = 0; i < all; i++)
		if (!(iob_engines[i]->caps & (IOB_ENGINE_NO_TARGET | IOB_ENGINE_COMMANDS)))
			index[n++] = i;
	return cr_make_param_array(unsigned, index, n, NULL);
}

ParameterizedTestParameters(counts, agree_with_the_device)
{
	return engines_with_target();
}

ParameterizedTest(const unsigned *index, counts, agree_with_the_device, .timeout = 60)
{
	const char *why = "no such device";
	const char *name = iob_engines[*index]->name;
	bool reads_agree = false, writes_agree = false;
	struct counts a, b, c;
	uint64_t bytes = 0;

	fixture_open();
	const char *loop = fixture_loop(fixture_data("disk", BLOCKS * BLOCK), 4096, &why);
	if (!loop)
		fixture_skip("%s", why);
	int fd = open(loop, O_RDWR | O_DIRECT | O_CLOEXEC);
	cr_assert_geq(fd, 0, "%s: %m", loop);
	d.direct = true;
	drive_start_with(*index, SLOTS, fd, -1);
	/* Somebody else may look at a new device at the same moment. */
	for (unsigned attempt = 0; attempt < 5 && !(reads_agree && writes_agree); attempt++) {
		a = count(loop);
		bytes = move(IOB_OP_READ);
		b = count(loop);
		cr_assert_eq(move(IOB_OP_WRITE), bytes);
		c = count(loop);
		reads_agree |= (b.read_sectors - a.read_sectors) * SECTOR == bytes &&
			       b.read_ios - a.read_ios == BLOCKS;
		writes_agree |= (c.write_sectors - b.write_sectors) * SECTOR == bytes &&
				c.write_ios - b.write_ios - flushes(&b, &c) == BLOCKS;
	}
	drive_finish();
	fixture_close();
	cr_assert_eq(bytes, (uint64_t)BLOCKS * BLOCK);
	cr_assert(reads_agree, "%s: read %" PRIu64 " bytes, the device %" PRIu64 " by %" PRIu64,
		name, bytes, (b.read_sectors - a.read_sectors) * SECTOR, b.read_ios - a.read_ios);
	cr_assert(writes_agree, "%s: wrote %" PRIu64 " bytes, the device %" PRIu64 " by %" PRIu64,
		name, bytes, (c.write_sectors - b.write_sectors) * SECTOR,
		c.write_ios - b.write_ios);
}
