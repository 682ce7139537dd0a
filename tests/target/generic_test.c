/* SPDX-License-Identifier: MIT */
/* Character devices that take commands: told apart in a made-up /sys, their answers decoded. */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "target/generic.h"
#include "target/target.h"

static char root[64];

static void make_folder(const char *path)
{
	char command[512];

	snprintf(command, sizeof(command), "mkdir -p %s/sys/%s", root, path);
	cr_assert_eq(system(command), 0, "%s", command);
}

static void make_link(const char *to, const char *path)
{
	char from[512];

	snprintf(from, sizeof(from), "%s/sys/%s", root, path);
	cr_assert_eq(symlink(to, from), 0, "%s: %m", from);
}

static void make_sys(void)
{
	snprintf(root, sizeof(root), "/tmp/iob-generic-XXXXXX");
	cr_assert_not_null(mkdtemp(root));
	make_folder("dev/char");
	make_folder("devices/nvme/nvme0/ng0n1");
	make_folder("devices/scsi/0:0:0:0/scsi_generic/sg2");
	make_folder("devices/scsi/0:0:0:0/block/sdb");
	make_folder("devices/virtual/tty/tty0");
	make_link("../..", "devices/scsi/0:0:0:0/scsi_generic/sg2/device");
	make_link("../../devices/nvme/nvme0/ng0n1", "dev/char/240:0");
	make_link("../../devices/scsi/0:0:0:0/scsi_generic/sg2", "dev/char/21:2");
	make_link("../../devices/virtual/tty/tty0", "dev/char/4:0");
}

static void remove_sys(void)
{
	char command[512];

	snprintf(command, sizeof(command), "rm -r %s", root);
	cr_assert_eq(system(command), 0, "%s", command);
}

static struct stat character(unsigned major, unsigned minor)
{
	return (struct stat){.st_mode = S_IFCHR, .st_rdev = makedev(major, minor)};
}

Test(generic, kinds_and_their_disks, .init = make_sys, .fini = remove_sys)
{
	struct stat nvme = character(240, 0), scsi = character(21, 2), tty = character(4, 0),
		    unknown = character(1, 3);
	char name[64];

	cr_assert_eq(iob_generic_kind_of(root, &nvme), IOB_GENERIC_NVME);
	cr_assert(iob_generic_disk(root, &nvme, name, sizeof(name)));
	cr_assert_str_eq(name, "nvme0n1");
	cr_assert_eq(iob_generic_kind_of(root, &scsi), IOB_GENERIC_SCSI);
	cr_assert(iob_generic_disk(root, &scsi, name, sizeof(name)));
	cr_assert_str_eq(name, "sdb");
	cr_assert_eq(iob_generic_kind_of(root, &tty), IOB_GENERIC_NONE);
	cr_assert_eq(iob_generic_kind_of(root, &unknown), IOB_GENERIC_NONE);
	cr_assert_not(iob_generic_disk(root, &tty, name, sizeof(name)));
	nvme.st_mode = S_IFREG;
	cr_assert_eq(iob_generic_kind_of(root, &nvme), IOB_GENERIC_NONE);
}

/* Format 0 has blocks of 512 bytes, 1 of 4096, 2 of 4096 and 8 of metadata. */
static void fill_identify(unsigned char *id, unsigned char format)
{
	memset(id, 0, IOB_NVME_IDENTIFY_SIZE);
	memcpy(id, "\x30\x60\x38\x3a\x00\x00\x00\x00", 8);
	memcpy(id + 8, "\x30\x60\x38\x3a\x00\x00\x00\x00", 8);
	id[25] = 1;
	id[26] = format;
	memcpy(id + 128, "\x00\x00\x09\x02", 4);
	memcpy(id + 132, "\x00\x00\x0c\x00", 4);
	memcpy(id + 136, "\x08\x00\x0c\x00", 4);
}

Test(generic, the_namespace_in_use_is_measured)
{
	static unsigned char id[IOB_NVME_IDENTIFY_SIZE];
	struct iob_error err = {0};
	struct iob_geometry g;

	fill_identify(id, 0);
	cr_assert_eq(iob_nvme_decode(&g, id, &err), 0, "%s", err.text);
	cr_assert_eq(g.block, 512);
	cr_assert_eq(g.size, UINT64_C(0x3a386030) * 512);
	fill_identify(id, 1);
	cr_assert_eq(iob_nvme_decode(&g, id, &err), 0, "%s", err.text);
	cr_assert_eq(g.block, 4096);
}

Test(generic, a_namespace_that_cannot_be_used_says_why)
{
	static unsigned char id[IOB_NVME_IDENTIFY_SIZE];
	struct iob_error err = {0};
	struct iob_geometry g;

	fill_identify(id, 2);
	cr_assert_eq(iob_nvme_decode(&g, id, &err), -EOPNOTSUPP);
	cr_assert_not_null(strstr(err.text, "8 bytes of metadata"), "%s", err.text);
	fill_identify(id, 3); /* a format that it does not have */
	cr_assert_eq(iob_nvme_decode(&g, id, &err), -EINVAL);
	fill_identify(id, 0);
	memset(id, 0xff, 8);
	cr_assert_eq(iob_nvme_decode(&g, id, &err), -ENXIO);
	memset(id, 0, 8);
	cr_assert_eq(iob_nvme_decode(&g, id, &err), -ENXIO);
	fill_identify(id, 0);
	id[130] = 200;
	cr_assert_eq(iob_nvme_decode(&g, id, &err), -EINVAL);
}

Test(generic, the_capacity_of_a_scsi_disk)
{
	unsigned char data[IOB_SCSI_CAPACITY_SIZE] = {
		0, 0, 0, 0, 0x74, 0x70, 0x6d, 0xaf, 0, 0, 2, 0, 0, 3};
	struct iob_error err = {0};
	struct iob_geometry g;

	cr_assert_eq(iob_scsi_decode(&g, data, &err), 0, "%s", err.text);
	cr_assert_eq(g.size, UINT64_C(0x74706db0) * 512);
	cr_assert_eq(g.block, 512);
	memset(data, 0xff, 8);
	cr_assert_eq(iob_scsi_decode(&g, data, &err), -ENXIO);
	memset(data, 0, sizeof(data));
	cr_assert_eq(iob_scsi_decode(&g, data, &err), -EINVAL);
}

Test(generic, another_character_device_is_no_target)
{
	static struct iob_plan plan;
	static struct iob_job job;
	struct iob_error err = {0};
	struct iob_targets targets;

	iob_job_defaults(&job);
	snprintf(job.filename, sizeof(job.filename), "/dev/null");
	cr_assert_lt(iob_targets_prepare(&targets, &plan, &job, true, NULL, NULL, &err), 0);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	cr_assert_not_null(strstr(err.text, "a character device"), "%s", err.text);
}
