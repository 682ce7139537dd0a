/* SPDX-License-Identifier: MIT */
/* What is special about the other engines whose calls block, and about those that wait. */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/param.h"
#include "tests/support/engine_drive.h"

static unsigned index_of(const char *name)
{
	unsigned index = 0;

	while (strcmp(iob_engines[index]->name, name) != 0)
		index++;
	return index;
}

/* Each worker has a position of its own: another one must not move it. */
Test(sync, positions_are_not_shared_with_others, .timeout = 30)
{
	static const char *const names[] = {"sync", "vsync"};

	for (unsigned i = 0; i < 2; i++) {
		drive_start(index_of(names[i]));
		cr_assert_eq(drive_perform(IOB_OP_READ, 0, BLOCK, 0), BLOCK);
		cr_assert_eq(lseek(d.target[0].fd, 11 * BLOCK, SEEK_SET), 11 * BLOCK);
		cr_assert_eq(drive_perform(IOB_OP_READ, BLOCK, BLOCK, 0), BLOCK);
		drive_expect(d.req[0].buf, BLOCK, BLOCK, 0);
		cr_assert_eq(lseek(d.target[0].fd, 0, SEEK_CUR), 11 * BLOCK);
		drive_finish();
	}
}

static unsigned long long calls_so_far(void)
{
	unsigned long long n = 0;
	char line[64];
	FILE *f = fopen("/proc/self/io", "re");

	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, "syscr:", 6) == 0)
			n = strtoull(line + 6, NULL, 10);
	if (f)
		fclose(f);
	return n;
}

Test(vsync, adjacent_requests_become_one_call, .timeout = 30)
{
	struct iob_req *batch[SLOTS], *done[SLOTS];

	drive_start(index_of("vsync"));
	for (unsigned i = 0; i < SLOTS; i++) {
		batch[i] = &d.req[i];
		/* Two runs: the second half lies elsewhere. */
		d.req[i].offset = (uint64_t)(i < SLOTS / 2 ? i : i + 20) * BLOCK;
	}
	unsigned long long before = calls_so_far(), own = calls_so_far() - before;
	if (own == 0) {
		drive_finish();
		cr_skip_test("/proc/self/io does not count system calls here");
	}
	before = calls_so_far();
	drive_queue(batch, SLOTS);
	cr_assert_eq(drive_reap(done, SLOTS, SLOTS, TIMEOUT_NS), SLOTS);
	cr_assert_eq(calls_so_far() - before - own, 2);
	for (unsigned i = 0; i < SLOTS; i++) {
		cr_assert_eq(d.req[i].result, BLOCK);
		drive_expect(d.req[i].buf, BLOCK, d.req[i].offset, 0);
	}
	drive_finish();
}

static void open_with(
	const char *engine, const char *param, bool direct, int fd, int *ret, struct iob_error *err)
{
	iob_job_defaults(&d.job);
	if (param)
		cr_assert_eq(iob_param_set_named(&d.job, param, "1", err), 0, "%s", err->text);
	d.ntargets = 1;
	d.direct = direct;
	drive_target(0, fd);
	*ret = drive_try(iob_engines[index_of(engine)], 1, err);
}

Test(pvsync2, flags_that_would_do_nothing_are_refused, .timeout = 30)
{
	struct iob_error err = {0};
	int ret, fd = drive_file(0);

	open_with("pvsync2", "hipri", false, fd, &ret, &err);
	cr_assert_lt(ret, 0);
	cr_assert_eq(strncmp(err.text, "hipri", 5), 0, "%s", err.text);
	open_with("pvsync2", "uncached", true, fd, &ret, &err);
	cr_assert_lt(ret, 0);
	cr_assert_eq(strncmp(err.text, "uncached", 8), 0, "%s", err.text);
	close(fd);
}

/* Nothing of the file is in memory, so the first try is refused where the kernel keeps its word. */
Test(pvsync2, nowait_still_transfers_all, .timeout = 30)
{
	struct iob_error err = {0};
	int ret, fd = drive_file(0);
	char flags[64];

	open_with("pvsync2", "nowait", false, fd, &ret, &err);
	if (ret < 0)
		cr_skip_test("%s", err.text);
	d.engine->flags(d.state, flags, sizeof(flags));
	cr_assert_not_null(strstr(flags, "nowait"), "%s", flags);
	cr_assert_eq(fsync(fd), 0);
	cr_assert_eq(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), 0);
	for (unsigned i = 0; i < BLOCKS; i++) {
		uint64_t offset = (uint64_t)(i * 37 % BLOCKS) * BLOCK;

		cr_assert_eq(drive_perform(IOB_OP_READ, offset, BLOCK, 0), BLOCK);
		drive_expect(d.req[0].buf, BLOCK, offset, 0);
	}
	drive_finish();
}

Test(splice, a_file_system_without_it_is_refused_with_words, .timeout = 30)
{
	struct iob_error err = {0};
	int ret, fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		cr_skip_test("/proc is not mounted");
	open_with("splice", NULL, false, fd, &ret, &err);
	if (ret == 0) {
		drive_finish();
		cr_skip_test("this kernel can splice from /proc");
	}
	cr_assert_eq(ret, -EOPNOTSUPP);
	cr_assert_not_null(strstr(err.text, "cannot be read by splice"), "%s", err.text);
	close(fd);
}

/* What an error left in the pipe must not come out with the next request. */
Test(splice, an_error_leaves_nothing_behind, .timeout = 30)
{
	drive_start_with(index_of("splice"), 1, drive_file(0), drive_file_with(0, O_RDONLY));
	drive_fill(d.req[0].buf, BLOCK, 0, 66);
	cr_assert_eq(drive_perform(IOB_OP_WRITE, 0, BLOCK, 1), -EBADF);
	cr_assert_eq(drive_perform(IOB_OP_READ, 9 * BLOCK, BLOCK, 0), BLOCK);
	drive_expect(d.req[0].buf, BLOCK, 9 * BLOCK, 0);
	drive_finish();
}

/* A read from an empty pipe that nobody ends: neither the wait nor close may hang on it. */
Test(posixaio, a_wait_ends_at_its_timeout_and_loses_nothing, .timeout = 30)
{
	struct iob_req *req = &d.req[0], *done[SLOTS];
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	drive_start_with(index_of("posixaio"), SLOTS, ends[0], -1);
	drive_queue(&req, 1);
	uint64_t before = iob_now_ns();
	cr_assert_eq(drive_reap(done, 1, 1, 20 * IOB_NS_PER_MS), 0);
	cr_assert_geq(iob_now_ns() - before, 15 * IOB_NS_PER_MS);
	d.in_flight = 0;
	before = iob_now_ns();
	d.engine->close(d.state);
	cr_assert_lt(iob_now_ns() - before, 5 * IOB_NS_PER_S);
}

/* Reads from an empty pipe wait for ever, so a real wait can be seen to end. */
Test(io_uring, a_wait_ends_at_its_timeout_and_loses_nothing, .timeout = 30)
{
	struct iob_req *req = &d.req[0], *done[SLOTS];
	int pipe_fd[2];

	cr_assert_eq(pipe(pipe_fd), 0);
	drive_start_with(index_of("io_uring"), SLOTS, pipe_fd[0], -1);
	drive_queue(&req, 1);
	uint64_t before = iob_now_ns();
	cr_assert_eq(drive_reap(done, 1, 1, 20 * IOB_NS_PER_MS), 0);
	cr_assert_geq(iob_now_ns() - before, 15 * IOB_NS_PER_MS);
	cr_assert_eq(write(pipe_fd[1], "words", 5), 5);
	cr_assert_eq(drive_reap(done, 1, 1, TIMEOUT_NS), 1);
	cr_assert_eq(req->result, 5);
	/* One that never returns must not keep close from returning. */
	drive_queue(&req, 1);
	drive_reap(done, 0, 1, 0);
	d.in_flight = 0;
	before = iob_now_ns();
	d.engine->close(d.state);
	cr_assert_lt(iob_now_ns() - before, 5 * IOB_NS_PER_S);
}
