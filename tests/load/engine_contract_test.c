/* SPDX-License-Identifier: MIT */
/* One suite for all engines: what engine.h promises. */
#include <config.h>

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/engine_drive.h"
#include "tests/support/target_fixture.h"

/* Indices of all engines that lack these capabilities. */
static struct criterion_test_params engines_without(unsigned caps)
{
	unsigned n = 0, all = 0;

	while (iob_engines[all])
		all++;
	unsigned *index = cr_malloc(all * sizeof(*index));
	for (unsigned i = 0; i < all; i++)
		if (!(iob_engines[i]->caps & caps))
			index[n++] = i;
	return cr_make_param_array(unsigned, index, n, NULL);
}

#define ENGINE_TEST_WITHOUT(unwanted, name)                                                        \
	ParameterizedTestParameters(engine, name)                                                  \
	{                                                                                          \
		return engines_without(unwanted);                                                  \
	}                                                                                          \
	ParameterizedTest(const unsigned *index, engine, name, .timeout = 30)

/* Of every engine that a file will do for, and of those that do I/O. */
#define ENGINE_TEST(name) ENGINE_TEST_WITHOUT(IOB_ENGINE_COMMANDS, name)
#define IO_TEST(name)     ENGINE_TEST_WITHOUT(IOB_ENGINE_COMMANDS | IOB_ENGINE_NO_TARGET, name)

IO_TEST(reads_return_the_content_at_their_offset)
{
	drive_start(*index);
	drive_all_blocks(IOB_OP_READ, 0, 0);
	drive_finish();
}

/* A job may cover less of a file than there is: what an engine tries out must not move the rest. */
IO_TEST(opening_changes_nothing_in_a_file_that_is_longer_than_its_target)
{
	static unsigned char content[BLOCKS * BLOCK + TAIL];
	int fd = drive_file(0);

	drive_target(0, fd);
	d.target[0].size = 7 * BLOCK;
	d.ntargets = 1;
	drive_open(*index, SLOTS);
	cr_assert_eq(pread(fd, content, sizeof(content), 0), (ssize_t)sizeof(content));
	drive_expect(content, sizeof(content), 0, 0);
	drive_finish();
}

/* As the loop with detailed statistics does it: one by one, and what is there is taken alone. */
IO_TEST(requests_that_were_submitted_come_back_each_once)
{
	struct iob_req *done[SLOTS];
	unsigned n = 0;

	drive_start(*index);
	for (unsigned i = 0; i < d.capacity; i++) {
		struct iob_req *req = &d.req[i];

		req->op = IOB_OP_READ;
		req->offset = (uint64_t)i * BLOCK;
		drive_queue(&req, 1);
		if (d.engine->submit)
			d.engine->submit(d.state);
	}
	if (d.engine->submit)
		d.engine->submit(d.state);
	for (; d.in_flight > 0; n++) {
		cr_assert_eq(drive_reap(done, 1, 1, TIMEOUT_NS), 1);
		cr_assert_eq(done[0]->result, BLOCK);
		drive_expect(done[0]->buf, BLOCK, done[0]->offset, 0);
	}
	cr_assert_eq(n, d.capacity);
	drive_finish();
}

IO_TEST(writes_land_at_their_offset)
{
	static unsigned char content[BLOCKS * BLOCK];

	drive_start(*index);
	drive_all_blocks(IOB_OP_WRITE, 0, 0);
	cr_assert_eq(pread(d.target[0].fd, content, sizeof(content), 0), (ssize_t)sizeof(content));
	drive_expect(content, sizeof(content), 0, 5);
	drive_finish();
}

IO_TEST(the_second_file_is_another_one)
{
	drive_start(*index);
	cr_assert_eq(drive_perform(IOB_OP_READ, 3 * BLOCK, BLOCK, 1), BLOCK);
	drive_expect(d.req[0].buf, BLOCK, 3 * BLOCK, 77);
	drive_finish();
}

IO_TEST(the_end_of_the_file_is_short_then_zero)
{
	drive_start(*index);
	cr_assert_eq(drive_perform(IOB_OP_READ, (uint64_t)BLOCKS * BLOCK, BLOCK, 0), TAIL);
	drive_expect(d.req[0].buf, TAIL, (uint64_t)BLOCKS * BLOCK, 0);
	cr_assert_eq(drive_perform(IOB_OP_READ, (uint64_t)(BLOCKS + 8) * BLOCK, BLOCK, 0), 0);
	drive_finish();
}

IO_TEST(errors_come_back_as_their_number)
{
	drive_start_with(*index, SLOTS, open("/", O_RDONLY | O_CLOEXEC), -1);
	int64_t bad = drive_perform(IOB_OP_READ, 0, BLOCK, 1);
	cr_assert_eq(bad, -EBADF, "closed descriptor: %lld", (long long)bad);
	bad = drive_perform(IOB_OP_READ, 0, BLOCK, 0);
	cr_assert(bad == -EISDIR || bad == -EINVAL || bad == -ENODEV, "directory: %lld",
		(long long)bad);
	drive_finish();
}

IO_TEST(an_error_in_a_batch_leaves_the_others_alone)
{
	struct iob_req *batch[SLOTS], *done[SLOTS];
	unsigned good = 0, bad = 0;

	drive_start_with(*index, SLOTS, drive_file(0), -1);
	for (unsigned i = 0; i < d.capacity; i++) {
		d.req[i].file = i % 3 == 1;
		batch[i] = &d.req[i];
	}
	drive_queue(batch, d.capacity);
	while (d.in_flight) {
		unsigned n = drive_reap(done, 1, d.in_flight, TIMEOUT_NS);

		for (unsigned i = 0; i < n; i++) {
			good += done[i]->result == BLOCK;
			bad += done[i]->result == -EBADF && done[i]->file == 1;
		}
	}
	cr_assert_eq(bad, (d.capacity + 1) / 3);
	cr_assert_eq(good + bad, d.capacity);
	drive_finish();
}

ENGINE_TEST(all_slots_may_be_in_flight_and_each_comes_back_once)
{
	struct iob_req *batch[SLOTS], *done[SLOTS];
	bool io = !(iob_engines[*index]->caps & IOB_ENGINE_NO_TARGET);

	drive_start_with(*index, SLOTS, io ? drive_file(0) : -1, -1);
	for (unsigned round = 0; round < 50; round++) {
		for (unsigned i = 0; i < d.capacity; i++)
			batch[i] = &d.req[(i * 7 + round) % d.capacity];
		drive_queue(batch, d.capacity);
		/* Once one by one, once all together. */
		if (round % 2)
			cr_assert_eq(
				drive_reap(done, d.capacity, d.capacity, TIMEOUT_NS), d.capacity);
		while (d.in_flight)
			cr_assert_eq(drive_reap(done, 1, 1, TIMEOUT_NS), 1);
	}
	drive_finish();
}

IO_TEST(without_a_minimum_reap_submits_and_does_not_wait)
{
	struct iob_req *req = &d.req[0], *done[SLOTS];

	drive_start(*index);
	drive_queue(&req, 1);
	uint64_t give_up = iob_now_ns() + TIMEOUT_NS;
	while (d.in_flight && iob_now_ns() < give_up)
		drive_reap(done, 0, 1, 0);
	cr_assert_eq(d.in_flight, 0, "what was queued was never submitted");
	cr_assert_eq(drive_reap(done, 0, 1, 0), 0);
	drive_finish();
}

ENGINE_TEST(a_wait_for_nothing_ends_at_its_timeout)
{
	struct iob_req *done[SLOTS];

	drive_start_with(*index, SLOTS, -1, -1);
	uint64_t before = iob_now_ns();
	cr_assert_eq(drive_reap(done, 1, 1, 20 * IOB_NS_PER_MS), 0);
	cr_assert_lt(iob_now_ns() - before, 5 * IOB_NS_PER_S);
	drive_finish();
}

ENGINE_TEST(syncs_succeed_or_say_why)
{
	int pipe_fd[2];

	cr_assert_eq(pipe(pipe_fd), 0);
	if (!(iob_engines[*index]->caps & IOB_ENGINE_SYNC_OPS))
		cr_skip_test("%s cannot sync", iob_engines[*index]->name);
	drive_start_with(*index, SLOTS, drive_file(0), pipe_fd[1]);
	cr_assert_eq(drive_perform(IOB_OP_WRITE, 0, BLOCK, 0), BLOCK);
	cr_assert_eq(drive_perform(IOB_OP_FSYNC, 0, 0, 0), 0);
	cr_assert_eq(drive_perform(IOB_OP_FDATASYNC, 0, 0, 0), 0);
	if (!(d.engine->caps & IOB_ENGINE_NO_TARGET))
		cr_assert_eq(drive_perform(IOB_OP_FSYNC, 0, 0, 1), -EINVAL);
	drive_finish();
	close(pipe_fd[0]);
}

ENGINE_TEST(a_range_is_synced_or_the_engine_says_that_it_cannot)
{
	int pipe_fd[2];

	cr_assert_eq(pipe(pipe_fd), 0);
	if (!(iob_engines[*index]->caps & IOB_ENGINE_SYNC_RANGE))
		cr_skip_test("%s has no sync_file_range", iob_engines[*index]->name);
	drive_start_with(*index, SLOTS, drive_file(0), pipe_fd[1]);
	cr_assert_eq(drive_perform(IOB_OP_WRITE, 0, BLOCK, 0), BLOCK);
	d.req[0].sync_flags = SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
	cr_assert_eq(drive_perform(IOB_OP_SYNC_FILE_RANGE, 0, BLOCK, 0), 0);
	cr_assert_eq(drive_perform(IOB_OP_SYNC_FILE_RANGE, BLOCK, 0, 0), 0);
	if (!(d.engine->caps & IOB_ENGINE_NO_TARGET)) {
		cr_assert_eq(drive_perform(IOB_OP_SYNC_FILE_RANGE, 0, BLOCK, 1), -ESPIPE);
		d.req[0].sync_flags = 1u << 20;
		cr_assert_eq(drive_perform(IOB_OP_SYNC_FILE_RANGE, 0, BLOCK, 0), -EINVAL);
	}
	drive_finish();
	close(pipe_fd[0]);
}

IO_TEST(trims_leave_zeros)
{
	static const unsigned char zeros[BLOCK];

	drive_start(*index);
	int64_t result = drive_perform(IOB_OP_TRIM, 4 * BLOCK, BLOCK, 0);
	if (result == -EOPNOTSUPP) {
		drive_finish();
		cr_skip_test("the file system of the temporary folder cannot punch holes");
	}
	cr_assert_eq(result, BLOCK, "trim: %lld", (long long)result);
	cr_assert_eq(drive_perform(IOB_OP_READ, 4 * BLOCK, BLOCK, 0), BLOCK);
	cr_assert_eq(memcmp(d.req[0].buf, zeros, BLOCK), 0);
	cr_assert_eq(drive_perform(IOB_OP_READ, 5 * BLOCK, BLOCK, 0), BLOCK);
	drive_expect(d.req[0].buf, BLOCK, 5 * BLOCK, 0);
	drive_finish();
}

IO_TEST(the_arena_may_move)
{
	struct iob_error err = {0};

	drive_start(*index);
	cr_assert_eq(drive_perform(IOB_OP_READ, 0, BLOCK, 0), BLOCK);
	unsigned char *moved = aligned_alloc(BLOCK, (size_t)BLOCK * SLOTS * 2);
	if (d.engine->arena)
		cr_assert_eq(d.engine->arena(d.state, moved, (size_t)BLOCK * SLOTS * 2, &err), 0);
	free(d.arena);
	d.arena = moved;
	for (unsigned i = 0; i < SLOTS; i++)
		d.req[i].buf = moved + (size_t)i * BLOCK * 2;
	drive_all_blocks(IOB_OP_READ, 0, 0);
	drive_finish();
}

IO_TEST(each_of_several_files_has_its_own_content)
{
	iob_job_defaults(&d.job);
	d.ntargets = FILES;
	for (unsigned i = 0; i < FILES; i++)
		drive_target(i, drive_file(i * 1000));
	drive_open(*index, SLOTS);
	for (unsigned i = 0; i < 3 * FILES; i++) {
		uint16_t file = (uint16_t)(i * 3 % FILES);
		uint64_t offset = (uint64_t)(i * 5) * BLOCK;

		cr_assert_eq(drive_perform(IOB_OP_READ, offset, BLOCK, file), BLOCK);
		drive_expect(d.req[0].buf, BLOCK, offset, file * 1000u);
		drive_fill(d.req[0].buf, BLOCK, offset, file + 1u);
		cr_assert_eq(drive_perform(IOB_OP_WRITE, offset, BLOCK, file), BLOCK);
		cr_assert_eq(drive_perform(IOB_OP_READ, offset, BLOCK, file), BLOCK);
		drive_expect(d.req[0].buf, BLOCK, offset, file + 1u);
	}
	drive_finish();
}

IO_TEST(blocks_in_order_reach_the_end_of_the_file)
{
	struct iob_req *batch[SLOTS], *done[SLOTS];

	drive_start(*index);
	/* Full ones, the short one, and those beyond the end. */
	for (unsigned i = 0; i < d.capacity; i++) {
		batch[i] = &d.req[i];
		d.req[i].offset = (uint64_t)(BLOCKS - d.capacity / 2 + i) * BLOCK;
	}
	drive_queue(batch, d.capacity);
	while (d.in_flight) {
		unsigned n = drive_reap(done, 1, d.in_flight, TIMEOUT_NS);

		for (unsigned i = 0; i < n; i++) {
			unsigned block = (unsigned)(done[i]->offset / BLOCK);
			unsigned want = block < BLOCKS ? BLOCK : block == BLOCKS ? TAIL : 0;

			cr_assert_eq(done[i]->result, want, "block %u: %lld", block,
				(long long)done[i]->result);
			drive_expect(done[i]->buf, want, done[i]->offset, 0);
		}
	}
	drive_finish();
}

IO_TEST(buffered_lengths_and_offsets_may_be_odd)
{
	static const struct {
		uint32_t offset, length;
	} cases[] = {{8, 8}, {4088, 16}, {1232, 776}, {3 * BLOCK + 2048, BLOCK}, {6 * BLOCK, 512}};

	drive_start(*index);
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint32_t offset = cases[i].offset, length = cases[i].length;

		cr_assert_eq(drive_perform(IOB_OP_READ, offset, length, 0), length);
		drive_expect(d.req[0].buf, length, offset, 0);
		drive_fill(d.req[0].buf, length, offset, 9);
		cr_assert_eq(drive_perform(IOB_OP_WRITE, offset, length, 0), length);
	}
	cr_assert_eq(drive_perform(IOB_OP_READ, 1232 + 776, 8, 0), 8);
	drive_expect(d.req[0].buf, 8, 1232 + 776, 0);
	drive_finish();
}

IO_TEST(direct_transfers_have_the_same_content)
{
	static unsigned char content[BLOCKS * BLOCK];
	int fd = drive_file_with(0, O_RDWR | O_DIRECT);

	if (fd < 0)
		cr_skip_test("the file system of the temporary folder has no direct I/O");
	d.direct = true;
	drive_start_with(*index, SLOTS, fd, -1);
	drive_all_blocks(IOB_OP_READ, 0, 0);
	drive_all_blocks(IOB_OP_WRITE, 0, 0);
	cr_assert_eq(drive_perform(IOB_OP_FSYNC, 0, 0, 0), 0);
	cr_assert_eq(fcntl(fd, F_SETFL, 0), 0);
	cr_assert_eq(pread(fd, content, sizeof(content), 0), (ssize_t)sizeof(content));
	drive_expect(content, sizeof(content), 0, 5);
	drive_finish();
}

IO_TEST(a_long_transfer_is_whole)
{
	const uint32_t length = BLOCKS * BLOCK / 2;
	struct iob_error err = {0};

	drive_start(*index);
	unsigned char *large = aligned_alloc(BLOCK, BLOCKS * BLOCK);
	if (d.engine->arena)
		cr_assert_eq(d.engine->arena(d.state, large, BLOCKS * BLOCK, &err), 0);
	d.req[0].buf = large;
	/* Beside a page: more pages than the length says. */
	cr_assert_eq(drive_perform(IOB_OP_READ, 512, length, 0), length);
	drive_expect(large, length, 512, 0);
	d.req[0].buf = large + 512;
	drive_fill(d.req[0].buf, length, BLOCK, 3);
	cr_assert_eq(drive_perform(IOB_OP_WRITE, BLOCK, length, 0), length);
	cr_assert_eq(drive_perform(IOB_OP_READ, BLOCK, length, 0), length);
	drive_expect(d.req[0].buf, length, BLOCK, 3);
	drive_finish();
	free(large);
}

IO_TEST(a_file_that_became_shorter_is_an_end_or_an_error)
{
	drive_start(*index);
	cr_assert_eq(drive_perform(IOB_OP_READ, 20 * BLOCK, BLOCK, 0), BLOCK);
	cr_assert_eq(ftruncate(d.target[0].fd, 8 * BLOCK), 0);
	int64_t result = drive_perform(IOB_OP_READ, 20 * BLOCK, BLOCK, 0);
	cr_assert(result == 0 || result == -EIO, "%lld", (long long)result);
	cr_assert_eq(drive_perform(IOB_OP_READ, 2 * BLOCK, BLOCK, 0), BLOCK);
	drive_expect(d.req[0].buf, BLOCK, 2 * BLOCK, 0);
	cr_assert_eq(drive_perform(IOB_OP_READ, 20 * BLOCK, BLOCK, 1), BLOCK);
	drive_expect(d.req[0].buf, BLOCK, 20 * BLOCK, 77);
	drive_finish();
}

IO_TEST(what_is_open_for_reading_is_not_written)
{
	drive_start_with(*index, SLOTS, drive_file_with(0, O_RDONLY), -1);
	int64_t result = drive_perform(IOB_OP_WRITE, 0, BLOCK, 0);
	cr_assert_eq(result, -EBADF, "%lld", (long long)result);
	cr_assert_eq(drive_perform(IOB_OP_READ, 0, BLOCK, 0), BLOCK);
	drive_expect(d.req[0].buf, BLOCK, 0, 0);
	drive_finish();
}

IO_TEST(a_full_device_says_so)
{
	int fd = open("/dev/full", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		cr_skip_test("/dev/full cannot be opened here");
	drive_start_with(*index, SLOTS, fd, -1);
	int64_t result = drive_perform(IOB_OP_WRITE, 0, BLOCK, 0);
	/* These two need file operations that this device lacks. */
	bool lacking =
		strcmp(d.engine->name, "splice") == 0 || strcmp(d.engine->name, "libaio") == 0;
	cr_assert_eq(
		result, lacking ? -EINVAL : -ENOSPC, "%s: %lld", d.engine->name, (long long)result);
	drive_finish();
}

/* A discard, where there is a device that has it. */
IO_TEST(trims_of_a_device_leave_zeros)
{
	static const unsigned char zeros[BLOCK];
	const char *why = "no such device";

	fixture_open();
	const char *loop = fixture_loop(fixture_data("disk", BLOCKS * BLOCK), 4096, &why);
	if (!loop)
		fixture_skip("%s", why);
	int fd = open(loop, O_RDWR | O_DIRECT | O_CLOEXEC);
	cr_assert_geq(fd, 0, "%s: %m", loop);
	d.direct = true;
	drive_start_with(*index, SLOTS, fd, -1);
	drive_all_blocks(IOB_OP_WRITE, 0, 0);
	cr_assert_eq(drive_perform(IOB_OP_FSYNC, 0, 0, 0), 0);
	int64_t result = drive_perform(IOB_OP_TRIM, 4 * BLOCK, BLOCK, 0);
	if (result != -EOPNOTSUPP) {
		cr_assert_eq(result, BLOCK, "trim: %lld", (long long)result);
		cr_assert_eq(drive_perform(IOB_OP_READ, 4 * BLOCK, BLOCK, 0), BLOCK);
		cr_assert_eq(memcmp(d.req[0].buf, zeros, BLOCK), 0);
		cr_assert_eq(drive_perform(IOB_OP_READ, 5 * BLOCK, BLOCK, 0), BLOCK);
		drive_expect(d.req[0].buf, BLOCK, 5 * BLOCK, 5);
	}
	drive_finish();
	if (result == -EOPNOTSUPP)
		fixture_skip("the loop device cannot discard here");
	fixture_close();
}

IO_TEST(close_does_not_wait_for_what_is_in_flight)
{
	struct iob_req *done[SLOTS];

	drive_start(*index);
	drive_queue_blocks(IOB_OP_READ, 0, 0);
	drive_reap(done, 0, 1, 0);
	d.in_flight = 0;
	uint64_t before = iob_now_ns();
	d.engine->close(d.state);
	cr_assert_lt(iob_now_ns() - before, 5 * IOB_NS_PER_S);
	free(d.state);
	close(d.target[0].fd);
	close(d.target[1].fd);
}

ENGINE_TEST(flags_are_words)
{
	char text[128] = "";

	drive_start_with(*index, SLOTS, -1, -1);
	d.engine->flags(d.state, text, sizeof(text));
	cr_assert_gt(strlen(text), 0);
	cr_assert_eq(strspn(text, "abcdefghijklmnopqrstuvwxyz_- "), strlen(text), "%s", text);
	drive_finish();
}
