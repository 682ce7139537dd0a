/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "target/blockdev.h"
#include "target/blockdev_probe.h"
#include "tests/support/target_fixture.h"

static struct iob_blockdevs list;
static struct iob_error err;

/* One attribute file of a device that lives in /sys/devices/FOLDER. */
static void attribute(const char *folder, const char *name, const char *value)
{
	char path[512];

	snprintf(path, sizeof(path), "sys/devices/%s/%s", folder, name);
	fixture_write(path, value);
}

/* A disk: its folder under /sys/devices and the links to it. */
static void disk(const char *folder, const char *name, const char *devno, const char *sectors)
{
	char path[512], link[512];

	attribute(folder, "dev", devno);
	attribute(folder, "size", sectors);
	attribute(folder, "queue/logical_block_size", "512\n");
	attribute(folder, "queue/physical_block_size", "4096\n");
	attribute(folder, "queue/scheduler", "[mq-deadline] none\n");
	snprintf(path, sizeof(path), "sys/block/%s", name);
	snprintf(link, sizeof(link), "../devices/%s", folder);
	fixture_link(path, link);
	snprintf(path, sizeof(path), "sys/dev/block/%.*s", (int)strcspn(devno, "\n"), devno);
	snprintf(link, sizeof(link), "../../devices/%s", folder);
	fixture_link(path, link);
}

static void partition(const char *folder, const char *devno)
{
	char path[512], link[512];

	attribute(folder, "partition", "1\n");
	attribute(folder, "dev", devno);
	attribute(folder, "size", "1000\n");
	snprintf(path, sizeof(path), "sys/dev/block/%.*s", (int)strcspn(devno, "\n"), devno);
	snprintf(link, sizeof(link), "../../devices/%s", folder);
	fixture_link(path, link);
}

static void make_tree(void)
{
	fixture_open();
	disk("pci/nvme/nvme0/nvme0n1", "nvme0n1", "259:0\n", "1953525168\n");
	attribute("pci/nvme/nvme0/nvme0n1", "device/model", "FAST\x1b[31m DISK   \n");
	attribute("pci/nvme/nvme0/nvme0n1", "device/serial", "S1234\n");
	attribute("pci/nvme/nvme0/nvme0n1", "queue/scheduler", "[none] mq-deadline\n");
	attribute("pci/nvme/nvme0/nvme0n1", "queue/nr_requests", "1023\n");
	disk("pci/nvme/nvme1/nvme10n1", "nvme10n1", "259:10\n", "100\n");
	disk("pci/nvme/nvme1/nvme2n1", "nvme2n1", "259:20\n", "100\n");
	disk("pci/ata1/host0/block/sda", "sda", "8:0\n", "8000\n");
	attribute("pci/ata1/host0/block/sda", "device/vendor", "ATA     \n");
	attribute("pci/ata1/host0/block/sda", "device/model", "Slow 1\n");
	attribute("pci/ata1/host0/block/sda", "queue/rotational", "1\n");
	partition("pci/ata1/host0/block/sda/sda1", "8:1\n");
	partition("pci/ata1/host0/block/sda/sda2", "8:2\n");
	partition("pci/ata1/host0/block/sda/sda10", "8:10\n");
	disk("pci/usb1/host1/block/sdb", "sdb", "8:16\n", "9000\n");
	attribute("pci/usb1/host1/block/sdb", "device/vendor", "Maker\n");
	attribute("pci/usb1/host1/block/sdb", "device/model", "Stick\n");
	attribute("pci/usb1/host1/block/sdb", "ro", "1\n");
	disk("virtual/block/dm-0", "dm-0", "252:0\n", "900\n");
	attribute("virtual/block/dm-0", "dm/name", "vg0-data\n");
	attribute("virtual/block/dm-0", "dm/uuid", "LVM-abc\n");
	disk("virtual/block/loop0", "loop0", "7:0\n", "64\n");
	attribute("virtual/block/loop0", "loop/backing_file", "/dev/sdb\n");
	disk("virtual/block/loop1", "loop1", "7:1\n", "0\n");
	disk("virtual/block/ram0", "ram0", "1:0\n", "64\n");
	disk("cciss/block/cciss!c0d0", "cciss!c0d0", "104:0\n", "64\n");
	attribute("pci/ata1/host0/block/sda/sda2", "holders/dm-0/x", "");
	fixture_write("proc/self/mountinfo", "1 0 259:0 / / rw - ext4 /dev/root rw\n"
					     "2 1 8:1 / /srv/a\\040b rw - xfs /dev/sda1 rw\n"
					     "3 1 0:40 / /bt rw - btrfs /dev/nvme2n1 rw\n");
	fixture_write("proc/swaps", "Filename Type Size Used Priority\n"
				    "/dev/nvme10n1 partition 100 0 -2\n");
	cr_assert_eq(iob_blockdevs_list(&list, fixture_dir, IOB_PROBE_CONTENTS, &err), 0, "%s",
		err.text);
}

static void drop_tree(void)
{
	iob_blockdevs_free(&list);
	fixture_close();
}

static const struct iob_blockdev *find(const char *name)
{
	for (size_t i = 0; i < list.count; i++)
		if (strcmp(list.item[i].name, name) == 0)
			return &list.item[i];
	cr_assert_fail("%s is not in the list", name);
	return NULL;
}

TestSuite(blockdev, .init = make_tree, .fini = drop_tree, .timeout = 20);

Test(blockdev, lists_disks_naturally_each_followed_by_its_partitions)
{
	static const char *const wanted[] = {"cciss/c0d0", "dm-0", "loop0", "nvme0n1", "nvme2n1",
		"nvme10n1", "sda", "sda1", "sda2", "sda10", "sdb"};

	cr_assert_eq(list.count, sizeof(wanted) / sizeof(wanted[0]));
	for (size_t i = 0; i < list.count; i++)
		cr_expect_str_eq(list.item[i].name, wanted[i]);
	cr_expect_str_eq(find("cciss/c0d0")->path, "/dev/cciss/c0d0");
	cr_expect_str_eq(find("sda10")->parent, "sda");
	cr_expect(find("sda10")->is_partition);
	cr_expect(!find("sda")->is_partition);
}

Test(blockdev, knows_kinds_by_where_they_hang)
{
	cr_expect_str_eq(find("nvme0n1")->kind, "nvme");
	cr_expect_str_eq(find("sda")->kind, "sata");
	cr_expect_str_eq(find("sdb")->kind, "usb");
	cr_expect_str_eq(find("dm-0")->kind, "lvm");
	cr_expect_str_eq(find("dm-0")->model, "vg0-data");
	cr_expect_str_eq(find("loop0")->kind, "loop");
	cr_expect_str_eq(find("sda1")->kind, "partition");
	cr_expect_str_eq(find("cciss/c0d0")->kind, "other");
}

Test(blockdev, reads_the_figures)
{
	const struct iob_blockdev *d = find("nvme0n1");

	cr_expect_eq(d->size, UINT64_C(1953525168) * 512);
	cr_expect_eq(d->major, 259);
	cr_expect_eq(d->minor, 0);
	cr_expect_eq(d->logical_block_size, 512);
	cr_expect_eq(d->physical_block_size, 4096);
	cr_expect_eq(d->nr_requests, 1023);
	cr_expect_str_eq(d->scheduler, "none");
	cr_expect_str_eq(d->serial, "S1234");
	cr_expect_str_eq(find("sda")->scheduler, "mq-deadline");
	cr_expect(find("sda")->rotational);
	cr_expect(find("sdb")->readonly);
	cr_expect_str_eq(find("sdb")->model, "Maker Stick");
	cr_expect_str_eq(find("sda")->model, "Slow 1");
	cr_expect_eq(find("sda1")->size, 1000 * 512);
}

Test(blockdev, cleans_control_characters_out_of_models)
{
	cr_expect_str_eq(find("nvme0n1")->model, "FAST?[31m DISK");
}

Test(blockdev, finds_mounts_by_number_and_not_by_name)
{
	/* mountinfo says /dev/root for it. */
	cr_expect_eq(find("nvme0n1")->use, IOB_USE_MOUNTED);
	cr_expect_str_eq(find("nvme0n1")->use_text, "/ (mounted)");
	cr_expect_str_eq(find("sda1")->use_text, "/srv/a b (mounted)");
	/* btrfs mounts under a number of its own. */
	cr_expect_eq(find("nvme2n1")->use, IOB_USE_MOUNTED);
}

Test(blockdev, a_disk_is_in_use_through_its_partition)
{
	cr_expect_eq(find("sda")->use, IOB_USE_MOUNTED);
	cr_expect_str_eq(find("sda")->use_text, "sda1: /srv/a b (mounted)");
	cr_expect_eq(find("sda10")->use, IOB_USE_FREE);
}

Test(blockdev, finds_swap_holders_and_loops)
{
	cr_expect_eq(find("nvme10n1")->use, IOB_USE_SWAP);
	cr_expect_eq(find("sda2")->use, IOB_USE_HELD);
	cr_expect_str_eq(find("sda2")->use_text, "held by dm-0 (vg0-data)");
	cr_expect_eq(find("sdb")->use, IOB_USE_HELD);
	cr_expect_str_eq(find("sdb")->use_text, "held by loop0");
	cr_expect_eq(find("dm-0")->use, IOB_USE_FREE);
}

Test(blockdev, loops_are_in_use_through_what_they_stand_on)
{
	attribute("virtual/block/loop1", "loop/backing_file", "/dev/loop0\n");
	disk("virtual/block/loop2", "loop2", "7:2\n", "64\n");
	attribute("virtual/block/loop2", "loop/backing_file", "/img\n");
	disk("virtual/block/loop3", "loop3", "7:3\n", "64\n");
	attribute("virtual/block/loop3", "loop/backing_file", "/img\n");
	attribute("virtual/block/loop3", "loop/offset", "1024\n");
	disk("virtual/block/loop4", "loop4", "7:4\n", "64\n");
	attribute("virtual/block/loop4", "loop/backing_file", "/img\n");
	attribute("virtual/block/loop4", "loop/offset", "65536\n");
	fixture_write("proc/self/mountinfo", "1 0 8:16 / /b rw - ext4 /dev/sdb rw\n"
					     "2 1 7:3 / /c rw - ext4 /dev/loop3 rw\n");
	iob_blockdevs_free(&list);
	cr_assert_eq(iob_blockdevs_list(&list, fixture_dir, IOB_PROBE_NONE, &err), 0);
	cr_expect_str_eq(find("loop0")->use_text, "it stands on sdb: /b (mounted)");
	cr_expect_str_eq(find("loop2")->use_text, "it shares its bytes with loop3: /c (mounted)");
	cr_expect_str_eq(find("loop3")->use_text, "/c (mounted)");
	cr_expect_eq(find("loop4")->use, IOB_USE_FREE, "it begins behind them: %s",
		find("loop4")->use_text);
}

static void loop_device(unsigned number, const char *backing, const char *offset)
{
	char folder[64], name[16], devno[16];

	snprintf(name, sizeof(name), "loop%u", number);
	snprintf(folder, sizeof(folder), "virtual/block/%s", name);
	snprintf(devno, sizeof(devno), "7:%u\n", number);
	disk(folder, name, devno, "64\n");
	attribute(folder, "loop/backing_file", backing);
	attribute(folder, "loop/offset", offset);
}

/* loop3 is mounted; what it stands on has other names, and parts that others stand on. */
Test(blockdev, loops_share_bytes_however_deep_they_stand)
{
	loop_device(2, "/img\n", "0\n");
	loop_device(3, "/img\n", "8192\n");
	loop_device(4, "/dev/loop2\n", "4096\n");
	loop_device(5, "/dev/loop4\n", "0\n");
	loop_device(6, "/dev/loop2\n", "0\n");
	partition("virtual/block/loop2/loop2p1", "259:30\n");
	attribute("virtual/block/loop2/loop2p1", "start", "64\n");
	loop_device(7, "/dev/loop2p1\n", "8192\n");
	fixture_write("proc/self/mountinfo", "2 1 7:3 / /c rw - ext4 /dev/loop3 rw\n");
	iob_blockdevs_free(&list);
	cr_assert_eq(iob_blockdevs_list(&list, fixture_dir, IOB_PROBE_NONE, &err), 0);
	cr_expect_str_eq(find("loop2")->use_text, "it shares its bytes with loop3: /c (mounted)");
	cr_expect_str_eq(find("loop4")->use_text, "it shares its bytes with loop3: /c (mounted)");
	cr_expect_str_eq(find("loop5")->use_text, "it shares its bytes with loop3: /c (mounted)");
	cr_expect_str_eq(find("loop6")->use_text, "it shares its bytes with loop3: /c (mounted)");
	cr_expect_eq(find("loop7")->use, IOB_USE_FREE, "it begins behind them: %s",
		find("loop7")->use_text);
}

Test(blockdev, a_loop_on_a_disk_shares_bytes_with_one_on_its_partition)
{
	partition("pci/nvme/nvme1/nvme2n1/nvme2n1p1", "259:31\n");
	attribute("pci/nvme/nvme1/nvme2n1/nvme2n1p1", "start", "100\n");
	loop_device(2, "/dev/nvme2n1p1\n", "0\n");
	loop_device(3, "/dev/nvme2n1\n", "51200\n");
	loop_device(4, "/dev/nvme2n1\n", "0\n");
	fixture_write("proc/self/mountinfo", "2 1 7:2 / /c rw - ext4 /dev/loop2 rw\n");
	iob_blockdevs_free(&list);
	cr_assert_eq(iob_blockdevs_list(&list, fixture_dir, IOB_PROBE_NONE, &err), 0);
	cr_expect_str_eq(find("loop3")->use_text, "it shares its bytes with loop2: /c (mounted)");
	cr_expect_eq(
		find("loop4")->use, IOB_USE_FREE, "it ends before it: %s", find("loop4")->use_text);
}

/* Two paths to a disk that nobody joined. */
Test(blockdev, a_disk_is_in_use_through_another_path_to_it)
{
	static const char *const names[] = {"sdc", "sdd", "sde", "sdf"};
	static const char *const wwids[] = {"naa.600508b1001c\n", "naa.600508b1001c\n",
		"naa.0000000000000000\n", "t10.ATA 1\n"};

	for (unsigned i = 0; i < 4; i++) {
		char folder[64], devno[16];

		snprintf(folder, sizeof(folder), "pci/host2/block/%s", names[i]);
		snprintf(devno, sizeof(devno), "8:%u\n", 16 * (i + 2));
		disk(folder, names[i], devno, "4000\n");
		attribute(folder, "device/wwid", wwids[i]);
	}
	partition("pci/host2/block/sdc/sdc1", "8:33\n");
	partition("pci/host2/block/sdd/sdd1", "8:49\n");
	disk("pci/host2/block/sdg", "sdg", "8:96\n", "4000\n");
	attribute("pci/host2/block/sdg", "device/wwid", "t10.ATA 1\n");
	disk("pci/host2/block/sdh", "sdh", "8:112\n", "4000\n");
	attribute("pci/host2/block/sdh", "device/wwid", "naa.0000000000000000\n");
	fixture_write("proc/self/mountinfo", "2 1 8:33 / /c rw - ext4 /dev/sdc1 rw\n"
					     "3 1 8:64 / /e rw - ext4 /dev/sde rw\n"
					     "4 1 8:80 / /f rw - ext4 /dev/sdf rw\n");
	iob_blockdevs_free(&list);
	cr_assert_eq(iob_blockdevs_list(&list, fixture_dir, IOB_PROBE_NONE, &err), 0);
	cr_expect_str_eq(find("sdd")->use_text, "it is the same disk as sdc1: /c (mounted)");
	cr_expect_str_eq(find("sdd1")->use_text, "sdd: it is the same disk as sdc1: /c (mounted)");
	cr_expect_str_eq(find("sdc")->use_text, "sdc1: /c (mounted)");
	cr_expect_eq(find("sdg")->use, IOB_USE_FREE);
	cr_expect_eq(find("sdh")->use, IOB_USE_FREE);
}

/* The kernel writes the slash of a name as '!' in /sys, in the disk's and in the partition's. */
Test(blockdev, finds_holders_of_partitions_with_a_slash_in_their_name)
{
	partition("cciss/block/cciss!c0d0/cciss!c0d0p1", "104:1\n");
	attribute("cciss/block/cciss!c0d0/cciss!c0d0p1", "holders/dm-0/x", "");
	iob_blockdevs_free(&list);
	cr_assert_eq(iob_blockdevs_list(&list, fixture_dir, IOB_PROBE_NONE, &err), 0);
	cr_expect_str_eq(find("cciss/c0d0p1")->use_text, "held by dm-0 (vg0-data)");
}

Test(blockdev, a_partition_is_in_use_through_its_whole_disk)
{
	partition("pci/nvme/nvme0/nvme0n1/nvme0n1p1", "259:1\n");
	iob_blockdevs_free(&list);
	cr_assert_eq(iob_blockdevs_list(&list, fixture_dir, IOB_PROBE_NONE, &err), 0);
	cr_expect_str_eq(find("nvme0n1p1")->use_text, "nvme0n1: / (mounted)");
	cr_expect_eq(find("nvme0n1p1")->use, IOB_USE_MOUNTED);
}

Test(blockdev, finds_the_whole_disk_behind_a_partition)
{
	struct iob_blockdev_id id = {0}, part = {0};

	cr_assert(iob_blockdev_whole(fixture_dir, 8, 10, &id, &part));
	cr_expect_eq(id.major, 8);
	cr_expect_eq(id.minor, 0);
	cr_expect_str_eq(id.name, "sda");
	cr_expect_eq(part.minor, 10);
	cr_expect_str_eq(part.name, "sda10");
	cr_assert(iob_blockdev_whole(fixture_dir, 104, 0, &id, &part));
	cr_expect_eq(id.major, 104);
	cr_expect_str_eq(id.name, "cciss/c0d0");
	cr_expect_str_eq(part.name, "");
	cr_expect_not(iob_blockdev_whole(fixture_dir, 0, 40, &id, NULL));
}

Test(blockdev, gets_one_by_number_even_without_a_size)
{
	struct iob_blockdev dev;

	cr_assert_eq(iob_blockdev_get(&dev, fixture_dir, 7, 1, IOB_PROBE_NONE, &err), 0);
	cr_expect_str_eq(dev.name, "loop1");
	cr_expect_eq(iob_blockdev_get(&dev, fixture_dir, 9, 9, IOB_PROBE_NONE, &err), -ENODEV);
	cr_expect_not_null(strstr(err.text, "9:9"));
}

Test(blockdev, a_missing_tree_is_an_error_that_names_it)
{
	char nowhere[600];
	struct iob_blockdevs none;

	snprintf(nowhere, sizeof(nowhere), "%s/nowhere", fixture_dir);
	cr_expect_eq(iob_blockdevs_list(&none, nowhere, IOB_PROBE_NONE, &err), -ENOENT);
	cr_expect_not_null(strstr(err.text, nowhere));
}

Test(blockdev, survives_nonsense_in_attributes)
{
	attribute("pci/usb1/host1/block/sdb", "size", "-5\n");
	attribute("pci/ata1/host0/block/sda", "size", "99999999999999999999999\n");
	attribute("cciss/block/cciss!c0d0", "dev", "x:y\n");
	iob_blockdevs_free(&list);
	cr_assert_eq(iob_blockdevs_list(&list, fixture_dir, IOB_PROBE_NONE, &err), 0);
	for (size_t i = 0; i < list.count; i++) {
		cr_expect_str_neq(list.item[i].name, "sdb");
		cr_expect_str_neq(list.item[i].name, "sda");
		cr_expect_str_neq(list.item[i].name, "cciss/c0d0");
	}
}

Test(blockdev, what_cannot_be_probed_is_unknown)
{
	struct iob_blockdev dev = {0};

	/* A folder opens but cannot be probed. */
	snprintf(dev.path, sizeof(dev.path), "/proc");
	iob_blockdevs_probe(&dev, 1, UINT64_C(2000000000));
	cr_expect_eq(strncmp(dev.contents, "unknown (", 9), 0, "%s", dev.contents);
	/* No time at all: the child is killed or its answer ignored. */
	iob_blockdevs_probe(&dev, 1, 0);
	cr_expect_eq(strncmp(dev.contents, "unknown (", 9), 0, "%s", dev.contents);
}
