/* SPDX-License-Identifier: MIT */
/*
 * What engine.h promises, on a real disk, all of which is overwritten: for the guest (run.sh)
 * alone. IOB_TEST_ENGINE and IOB_ENGINE_OPTIONS say how, IOB_TEST_DEVICE is what the engine opens,
 * IOB_TEST_DISK the block device of the same medium, by which the content is laid down and looked
 * at.
 */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/support/engine_drive.h"

#define CONTENT  (BLOCKS * BLOCK)
#define PATIENCE 120 /* seconds; an emulated processor is slow */

static int disk;
static uint64_t size;
static uint32_t sector;
static bool commands;

static const char *setting(const char *name)
{
	const char *value = getenv(name);

	cr_assert_not_null(value, "%s is not set", name);
	return value;
}

static unsigned engine_index(void)
{
	const char *name = setting("IOB_TEST_ENGINE");
	unsigned i = 0;

	while (iob_engines[i] && strcmp(iob_engines[i]->name, name) != 0)
		i++;
	cr_assert_not_null(iob_engines[i], "no engine %s", name);
	return i;
}

static void look(void)
{
	disk = open(setting("IOB_TEST_DISK"), O_RDWR | O_CLOEXEC);
	cr_assert(disk >= 0, "%m");
	cr_assert_eq(ioctl(disk, BLKGETSIZE64, &size), 0);
	cr_assert_eq(ioctl(disk, BLKSSZGET, &sector), 0);
}

static void start(void)
{
	unsigned index = engine_index();

	look();
	commands = iob_engines[index]->caps & IOB_ENGINE_COMMANDS;
	iob_job_defaults(&d.job);
	d.direct = true;
	d.ntargets = 1;
	drive_target(0,
		open(setting("IOB_TEST_DEVICE"), O_RDWR | O_CLOEXEC | (commands ? 0 : O_DIRECT)));
	cr_assert_geq(d.target[0].fd, 0);
	d.target[0].size = size;
	d.target[0].block_size = sector;
	drive_open(index, SLOTS);
}

static void finish(void)
{
	drive_finish();
	close(disk);
}

/* What lies on the disk is put there, or looked at, past the page cache's memory of it. */
static void lay_down(uint64_t at, size_t length, uint64_t salt)
{
	static unsigned char content[CONTENT];

	drive_fill(content, length, at, salt);
	cr_assert_eq(pwrite(disk, content, length, (off_t)at), (ssize_t)length);
	cr_assert_eq(fsync(disk), 0);
}

static const unsigned char *lies_at(uint64_t at, size_t length)
{
	static unsigned char content[CONTENT];

	cr_assert_eq(ioctl(disk, BLKFLSBUF, 0), 0);
	cr_assert_eq(pread(disk, content, length, (off_t)at), (ssize_t)length, "%m");
	return content;
}

Test(device, reads_what_lies_at_the_start_and_at_the_end, .timeout = PATIENCE)
{
	start();
	lay_down(0, CONTENT, 3);
	lay_down(size - CONTENT, CONTENT, 3);
	drive_all_blocks(IOB_OP_READ, 0, 3);
	drive_all_blocks(IOB_OP_READ, size - CONTENT, 3);
	finish();
}

Test(device, writes_land_at_their_place_and_nowhere_else, .timeout = PATIENCE)
{
	start();
	lay_down(0, BLOCK, 9);
	lay_down(BLOCK + CONTENT, BLOCK, 9);
	drive_all_blocks(IOB_OP_WRITE, BLOCK, 0);
	cr_assert_eq(drive_perform(IOB_OP_FSYNC, 0, 0, 0), 0);
	drive_expect(lies_at(BLOCK, CONTENT), CONTENT, BLOCK, 5);
	drive_expect(lies_at(0, BLOCK), BLOCK, 0, 9);
	drive_expect(lies_at(BLOCK + CONTENT, BLOCK), BLOCK, BLOCK + CONTENT, 9);
	finish();
}

Test(device, lengths_from_one_sector_to_all_slots, .timeout = PATIENCE)
{
	start();
	lay_down(0, CONTENT, 3);
	for (uint32_t length = sector; length <= SLOTS * BLOCK; length *= 2) {
		uint64_t at = 3 * (uint64_t)sector;

		cr_assert_eq(drive_perform(IOB_OP_READ, at, length, 0), length, "%u bytes", length);
		drive_expect(d.req[0].buf, length, at, 3);
		drive_fill(d.req[0].buf, length, at, length);
		cr_assert_eq(
			drive_perform(IOB_OP_WRITE, at, length, 0), length, "%u bytes", length);
		drive_expect(lies_at(at, length), length, at, length);
		lay_down(0, CONTENT, 3);
	}
	finish();
}

Test(device, beyond_the_end_there_is_nothing, .timeout = PATIENCE)
{
	start();
	int64_t reads = drive_perform(IOB_OP_READ, size, BLOCK, 0);
	int64_t writes = drive_perform(IOB_OP_WRITE, size, BLOCK, 0);
	cr_expect_eq(reads, commands ? -ENXIO : 0, "%lld", (long long)reads);
	cr_expect_eq(writes, commands ? -ENXIO : -ENOSPC, "%lld", (long long)writes);
	finish();
}

Test(device, parts_of_sectors_are_refused, .timeout = PATIENCE)
{
	start();
	cr_expect_eq(drive_perform(IOB_OP_READ, 0, sector / 2, 0), -EINVAL);
	cr_expect_eq(drive_perform(IOB_OP_READ, sector / 2, sector, 0), -EINVAL);
	cr_expect_eq(drive_perform(IOB_OP_READ, 0, sector, 0), sector);
	finish();
}

Test(device, trimmed_blocks_are_empty_and_their_neighbours_stay, .timeout = PATIENCE)
{
	static const unsigned char zeros[2 * BLOCK];

	start();
	lay_down(0, 4 * BLOCK, 3);
	int64_t result = drive_perform(IOB_OP_TRIM, BLOCK, 2 * BLOCK, 0);
	cr_assert_eq(result, 2 * BLOCK, "%lld", (long long)result);
	cr_expect_eq(memcmp(lies_at(BLOCK, 2 * BLOCK), zeros, 2 * BLOCK), 0);
	drive_expect(lies_at(0, BLOCK), BLOCK, 0, 3);
	drive_expect(lies_at(3 * BLOCK, BLOCK), BLOCK, 3 * BLOCK, 3);
	finish();
}

Test(device, syncs, .timeout = PATIENCE)
{
	start();
	cr_expect_eq(drive_perform(IOB_OP_FSYNC, 0, 0, 0), 0);
	cr_expect_eq(drive_perform(IOB_OP_FDATASYNC, 0, 0, 0), 0);
	finish();
}

Test(device, closes_with_requests_in_flight, .timeout = PATIENCE)
{
	struct iob_req *batch[SLOTS], *done[SLOTS];

	start();
	for (unsigned i = 0; i < d.capacity; i++) {
		batch[i] = &d.req[i];
		d.req[i].op = IOB_OP_READ;
		d.req[i].offset = (uint64_t)i * BLOCK;
	}
	drive_queue(batch, d.capacity);
	if (d.engine->submit)
		d.engine->submit(d.state);
	drive_reap(done, 0, 1, 0);
	d.in_flight = 0;
	finish();
}
