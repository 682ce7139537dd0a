/* SPDX-License-Identifier: MIT */
/* Commands as they go to NVMe and SCSI devices, byte for byte, and what comes back from them. */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engines/nvme.h"
#include "engines/scsi.h"
#include "load/engine.h"

static unsigned char buffer[4096];

static struct iob_req request(enum iob_op op, uint64_t offset, uint32_t length)
{
	return (struct iob_req){
		.op = (uint8_t)op, .offset = offset, .length = length, .buf = buffer};
}

#ifdef HAVE_STRUCT_NVME_URING_CMD
Test(nvme, reads_and_writes_count_from_zero)
{
	struct nvme_uring_cmd cmd;
	struct iob_req req = request(IOB_OP_READ, UINT64_C(0x123456789) * 4096, 16384);

	cr_assert_eq(iob_nvme_build(&cmd, &req, 3, 4096, NULL), 0);
	cr_assert_eq(cmd.opcode, 0x02);
	cr_assert_eq(cmd.nsid, 3);
	cr_assert_eq(cmd.addr, (uintptr_t)buffer);
	cr_assert_eq(cmd.data_len, 16384);
	cr_assert_eq(cmd.cdw10, 0x23456789);
	cr_assert_eq(cmd.cdw11, 0x1);
	cr_assert_eq(cmd.cdw12, 3);
	req = request(IOB_OP_WRITE, 512, 512);
	cr_assert_eq(iob_nvme_build(&cmd, &req, 1, 512, NULL), 0);
	cr_assert_eq(cmd.opcode, 0x01);
	cr_assert_eq(cmd.cdw10, 1);
	cr_assert_eq(cmd.cdw11, 0);
	cr_assert_eq(cmd.cdw12, 0);
}

Test(nvme, flushes_have_no_range)
{
	struct nvme_uring_cmd cmd;
	struct iob_req req = request(IOB_OP_FSYNC, 0, 0);

	cr_assert_eq(iob_nvme_build(&cmd, &req, 2, 4096, NULL), 0);
	cr_assert_eq(cmd.opcode, 0x00);
	cr_assert_eq(cmd.nsid, 2);
	cr_assert_eq(cmd.data_len, 0);
}

Test(nvme, trims_send_one_range)
{
	static const unsigned char wire[16] = {
		0, 0, 0, 0, 0x00, 0x01, 0, 0, 0x05, 0x04, 0x03, 0x02, 0x01, 0, 0, 0};
	struct nvme_uring_cmd cmd;
	struct iob_nvme_range range;
	struct iob_req req = request(IOB_OP_TRIM, UINT64_C(0x0102030405) * 512, 256 * 512);

	cr_assert_eq(iob_nvme_build(&cmd, &req, 1, 512, &range), 0);
	cr_assert_eq(cmd.opcode, 0x09);
	cr_assert_eq(cmd.cdw10, 0);
	cr_assert_eq(cmd.cdw11, 4);
	cr_assert_eq(cmd.addr, (uintptr_t)&range);
	cr_assert_eq(cmd.data_len, 16);
	cr_assert_eq(memcmp(&range, wire, sizeof(wire)), 0);
}

Test(nvme, what_is_no_whole_block_becomes_no_command)
{
	struct nvme_uring_cmd cmd;
	struct iob_req parts = request(IOB_OP_READ, 0, 1000);
	struct iob_req between = request(IOB_OP_READ, 512, 4096);
	struct iob_req most = request(IOB_OP_READ, 0, 65536 * 512);
	struct iob_req more = request(IOB_OP_READ, 0, 65537 * 512);

	cr_assert_eq(iob_nvme_build(&cmd, &parts, 1, 512, NULL), -EINVAL);
	cr_assert_eq(iob_nvme_build(&cmd, &between, 1, 4096, NULL), -EINVAL);
	cr_assert_eq(iob_nvme_build(&cmd, &most, 1, 512, NULL), 0);
	cr_assert_eq(cmd.cdw12, 65535);
	cr_assert_eq(iob_nvme_build(&cmd, &more, 1, 512, NULL), -EINVAL);
}
#endif

Test(nvme, statuses_have_an_errno_and_words)
{
	char text[128];

	cr_assert_eq(iob_nvme_errno(0x281), -EIO);
	cr_assert_eq(
		iob_nvme_errno(0x4281), -EIO, "the bit that forbids a retry is not part of it");
	cr_assert_eq(iob_nvme_errno(0x80), -ENXIO);
	cr_assert_eq(iob_nvme_errno(0x81), -ENOSPC);
	cr_assert_eq(iob_nvme_errno(0x20), -EROFS);
	cr_assert_eq(iob_nvme_errno(0x7ff), -EIO);
	iob_nvme_words(0x4281, text, sizeof(text));
	cr_assert_str_eq(text, "NVMe status 0x281: the medium could not be read");
	iob_nvme_words(0x7ff, text, sizeof(text));
	cr_assert_not_null(strstr(text, "0x7ff"));
}

static void expect_cdb(
	struct iob_req req, uint32_t block, unsigned length, const unsigned char *cdb)
{
	struct iob_scsi_command cmd;

	cr_assert_eq(iob_scsi_build(&cmd, &req, block), 0);
	cr_assert_eq(cmd.length, length);
	cr_assert_eq(memcmp(cmd.cdb, cdb, length), 0);
}

Test(scsi, short_commands_as_long_as_they_reach)
{
	expect_cdb(request(IOB_OP_READ, UINT64_C(0x12345678) * 512, 4096), 512, 10,
		(const unsigned char[]){0x28, 0, 0x12, 0x34, 0x56, 0x78, 0, 0, 8, 0});
	expect_cdb(request(IOB_OP_WRITE, 4096, 65535 * 512), 512, 10,
		(const unsigned char[]){0x2a, 0, 0, 0, 0, 8, 0, 0xff, 0xff, 0});
	expect_cdb(request(IOB_OP_READ, UINT64_C(0x0102030405) * 4096, 8192), 4096, 16,
		(const unsigned char[]){0x88, 0, 0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0, 2, 0, 0});
	expect_cdb(request(IOB_OP_WRITE, 0, 65536 * 512), 512, 16,
		(const unsigned char[]){0x8a, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0});
}

Test(scsi, force_unit_access_is_a_bit_of_either_form)
{
	struct iob_req req = request(IOB_OP_WRITE, 0, 4096);
	struct iob_scsi_command cmd;

	for (unsigned k = 0; k < 2; k++) {
		req.length = k ? 65536 * 512 : 4096;
		cr_assert_eq(iob_scsi_build(&cmd, &req, 512), 0);
		cr_assert_eq(cmd.cdb[1], 0);
		iob_scsi_force_access(&cmd);
		cr_assert_eq(cmd.cdb[1], 8);
	}
}

Test(scsi, syncs_and_trims)
{
	static const unsigned char list[24] = {
		0, 22, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 8, 0, 0, 0, 0};
	struct iob_req req = request(IOB_OP_TRIM, 8192, 4096);
	struct iob_scsi_command cmd;

	expect_cdb(request(IOB_OP_FDATASYNC, 0, 0), 512, 10,
		(const unsigned char[]){0x35, 0, 0, 0, 0, 0, 0, 0, 0, 0});
	expect_cdb(req, 512, 10, (const unsigned char[]){0x42, 0, 0, 0, 0, 0, 0, 0, 24, 0});
	cr_assert_eq(iob_scsi_build(&cmd, &req, 512), 0);
	cr_assert_eq(memcmp(cmd.unmap, list, sizeof(list)), 0);
	req.length = 100;
	cr_assert_eq(iob_scsi_build(&cmd, &req, 512), -EINVAL);
}

static struct iob_scsi_outcome sensed(const unsigned char *sense, unsigned length)
{
	struct iob_scsi_outcome o = {.status = 2, .driver_status = 8, .sense_length = length};

	memcpy(o.sense, sense, length);
	return o;
}

static void expect_sense(const unsigned char *sense, unsigned length, int code, const char *words)
{
	struct iob_scsi_outcome o = sensed(sense, length);
	char text[128];

	cr_assert_eq(iob_scsi_errno(&o), code, "%d", iob_scsi_errno(&o));
	iob_scsi_words(&o, text, sizeof(text));
	cr_assert_str_eq(text, words);
}

Test(scsi, sense_in_both_forms)
{
	/* Unrecovered read error of a disk; invalid command of a USB bridge; descriptor form. */
	static const unsigned char medium[18] = {
		0xf0, 0, 3, 0, 0x12, 0xd6, 0x87, 10, 0, 0, 0, 0, 0x11, 0, 0, 0, 0, 0};
	static const unsigned char unknown[18] = {0x70, 0, 5, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x20};
	static const unsigned char attention[8] = {0x72, 6, 0x29, 0x02, 0, 0, 0, 0};
	static const unsigned char beyond[8] = {0x72, 5, 0x21, 0, 0, 0, 0, 0};
	static const unsigned char empty[18] = {0x70, 0, 2, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x3a, 1};
	static const unsigned char recovered[8] = {0x72, 1, 0x17, 1, 0, 0, 0, 0};
	static const unsigned char locked[3] = {0x70, 0, 7};

	expect_sense(medium, 18, -EIO, "medium error (sense 3/11/00)");
	expect_sense(unknown, 18, -EOPNOTSUPP, "illegal request (sense 5/20/00)");
	expect_sense(attention, 8, -EAGAIN, "unit attention (sense 6/29/02)");
	expect_sense(beyond, 8, -ENXIO, "illegal request (sense 5/21/00)");
	expect_sense(empty, 18, -ENOMEDIUM, "not ready (sense 2/3a/01)");
	expect_sense(recovered, 8, 0, "recovered error (sense 1/17/01)");
	expect_sense(locked, 3, -EROFS, "write-protected (sense 7/00/00)");
	expect_sense(medium, 1, -EIO, "SCSI status 0x2, driver status 0x8");
	expect_sense(medium, 0, -EIO, "SCSI status 0x2, driver status 0x8");
}

Test(scsi, what_fails_below_the_device)
{
	struct iob_scsi_outcome fine = {0}, gone = {.host_status = 1}, late = {.host_status = 3},
				busy = {.status = 8}, taken = {.status = 0x18},
				odd = {.driver_status = 6};
	char text[128];

	cr_assert_eq(iob_scsi_errno(&fine), 0);
	cr_assert_eq(iob_scsi_errno(&gone), -ENODEV);
	cr_assert_eq(iob_scsi_errno(&late), -ETIMEDOUT);
	cr_assert_eq(iob_scsi_errno(&busy), -EAGAIN);
	cr_assert_eq(iob_scsi_errno(&taken), -EBUSY);
	cr_assert_eq(iob_scsi_errno(&odd), -EIO);
	iob_scsi_words(&late, text, sizeof(text));
	cr_assert_not_null(strstr(text, "in time"));
}

/* Neither device is needed to be told that a file is none. */
static void expect_refusal(const char *name, const char *words)
{
	const struct iob_engine *engine = iob_engine_find(name);
	static struct iob_job job;
	static struct iob_target target = {.path = "/some/file"};
	struct iob_error err = {0};
	struct iob_engine_env env = {.targets = &target, .ntargets = 1, .job = &job, .capacity = 1};

	cr_assert_not_null(engine);
	cr_assert_gt(engine->state_size, 0);
	void *state = calloc(1, engine->state_size);
	target.fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	cr_assert_lt(engine->open(state, &env, &err), 0);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	cr_assert_not_null(strstr(err.text, words), "%s", err.text);
	close(target.fd);
	free(state);
}

Test(commands, another_target_is_refused)
{
#ifdef HAVE_STRUCT_NVME_URING_CMD
	expect_refusal("io_uring_cmd", "/dev/ngXnY");
#endif
	expect_refusal("sg", "/dev/sgN");
}

Test(commands, a_machine_without_such_devices_says_so)
{
	const char *names[] = {"io_uring_cmd", "sg"};

	for (unsigned i = 0; i < 2; i++) {
		struct iob_error err = {0};

		if (iob_engine_find(names[i])->probe(&err) < 0)
			cr_assert_not_null(strstr(err.text, "--ioengine="), "%s", err.text);
	}
}
