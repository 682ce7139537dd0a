/* SPDX-License-Identifier: MIT */
/* What /sys and /proc tell of disk, link, CPUs and control groups, from trees that stand for them.
 */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "target/cgroup.h"
#include "target/cpufacts.h"
#include "target/diskfacts.h"
#include "target/openers.h"
#include "tests/support/target_fixture.h"

TestSuite(surroundings, .init = fixture_open, .fini = fixture_close, .timeout = 30);

static struct iob_diskfacts facts;

static void put(const char *folder, const char *name, const char *value)
{
	char path[800];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fixture_write(path, value);
}

/* A disk below sys/devices/FOLDER that is known by its number. */
static void disk(const char *folder, const char *devno)
{
	char path[600], link[600], target[600];

	snprintf(path, sizeof(path), "sys/devices/%s", folder);
	put(path, "dev", devno);
	put(path, "queue/nr_requests", "1023\n");
	put(path, "queue/nomerges", "2\n");
	put(path, "queue/optimal_io_size", "131072\n");
	put(path, "queue/minimum_io_size", "4096\n");
	put(path, "queue/read_ahead_kb", "128\n");
	put(path, "queue/write_cache", "write back\n");
	snprintf(link, sizeof(link), "sys/dev/block/%s", devno);
	snprintf(target, sizeof(target), "../../devices/%s", folder);
	fixture_link(link, target);
}

static void read_disk(unsigned major, unsigned minor)
{
	iob_diskfacts_read(&facts, fixture_dir, major, minor);
}

#define NVME "pci0000:00/0000:00:1d.0/0000:01:00.0/nvme/nvme0/nvme0n1"
#define BUS  "sys/devices/pci0000:00/0000:00:1d.0/0000:01:00.0"

static void nvme(const char *speed, const char *width)
{
	disk(NVME, "259:0");
	put("sys/devices/" NVME, "device/numa_node", "1\n");
	put(BUS, "current_link_speed", speed);
	put(BUS, "current_link_width", width);
	put(BUS, "max_link_speed", "8.0 GT/s PCIe\n");
	put(BUS, "max_link_width", "4\n");
}

Test(surroundings, of_an_nvme_disk)
{
	nvme("8.0 GT/s PCIe\n", "4\n");
	put("sys/devices/" NVME, "device/hwmon3/temp1_input", "74850\n");
	put("sys/devices/" NVME, "device/hwmon3/temp1_max", "84850\n");
	read_disk(259, 0);
	cr_expect_eq(facts.nr_requests, 1023);
	cr_expect_eq(facts.nomerges, 2);
	cr_expect_eq(facts.optimal_io, 131072);
	cr_expect_eq(facts.read_ahead, 131072);
	cr_expect_str_eq(facts.write_cache, "write back");
	cr_expect_eq(facts.numa_node, 1);
	cr_expect_str_eq(facts.link, "PCIe 8.0 GT/s x4");
	cr_expect_eq(facts.link_bps / 1000000, 3938);
	cr_expect_eq(facts.link_max_bps, facts.link_bps);
	cr_expect_eq(facts.temp_mc, 74850);
	cr_expect_eq(facts.temp_limit_mc, 84850);
	cr_expect_eq(facts.start_bytes, 0);
	put("sys/devices/" NVME, "device/hwmon3/temp1_input", "90000\n");
	cr_expect_eq(iob_diskfacts_temperature(fixture_dir, 259, 0), 90000);
}

Test(surroundings, a_link_below_what_both_ends_can_do_is_seen)
{
	nvme("2.5 GT/s PCIe\n", "1\n");
	read_disk(259, 0);
	cr_expect_eq(facts.link_bps, 250000000);
	cr_expect_eq(facts.link_max_bps / 1000000, 3938);
}

Test(surroundings, of_a_sata_disk_and_its_partition)
{
	const char *folder =
		"sys/devices/pci0/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/block/sda";

	disk(folder + strlen("sys/devices/"), "8:0");
	put("sys/devices/pci0/0000:00:17.0/ata1", "link1/ata_link/link1/sata_spd", "3.0 Gbps\n");
	put("sys/devices/pci0/0000:00:17.0/ata1", "link1/ata_link/link1/hw_sata_spd_limit",
		"6.0 Gbps\n");
	put("sys/devices/pci0/0000:00:17.0", "current_link_speed", "8.0 GT/s PCIe\n");
	put("sys/devices/pci0/0000:00:17.0", "current_link_width", "1\n");
	put(folder, "device/hwmon/hwmon1/temp1_input", "41000\n");
	put(folder, "device/hwmon/hwmon1/temp1_crit", "60000\n");
	put(folder, "sda1/dev", "8:1\n");
	put(folder, "sda1/partition", "1\n");
	put(folder, "sda1/start", "63\n");
	put(folder, "sda1/alignment_offset", "512\n");
	fixture_link("sys/dev/block/8:1",
		"../../devices/pci0/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/block/sda/sda1");
	read_disk(8, 1);
	cr_expect_eq(facts.start_bytes, 63 * 512);
	cr_expect_eq(facts.alignment_offset, 512);
	cr_expect_eq(facts.nr_requests, 1023, "the queue is the disk's");
	cr_expect_str_eq(facts.link, "SATA 3.0 Gb/s");
	cr_expect_eq(facts.link_bps, 300000000);
	cr_expect_eq(facts.link_max_bps, 600000000);
	cr_expect_eq(facts.temp_mc, 41000);
	cr_expect_eq(facts.temp_limit_mc, 60000);
}

Test(surroundings, of_a_stick)
{
	disk("pci0/usb2/2-1/2-1:1.0/host4/target4/4:0:0:0/block/sdb", "8:16");
	put("sys/devices/pci0/usb2/2-1", "speed", "480\n");
	put("sys/devices/pci0/usb2/2-1", "bMaxPacketSize0", "64\n");
	read_disk(8, 16);
	cr_expect_str_eq(facts.link, "USB 480 Mb/s");
	cr_expect_eq(facts.link_bps, 48000000);
	cr_expect_eq(facts.link_max_bps, facts.link_bps);
}

Test(surroundings, nonsense_and_nothing_are_not_known)
{
	read_disk(1, 2);
	cr_expect_eq(facts.numa_node, -1);
	cr_expect_eq(facts.nomerges, -1);
	nvme("Unknown\n", "\x1b[31m\n");
	put("sys/devices/" NVME, "device/numa_node", "-1\n");
	put("sys/devices/" NVME, "queue/nr_requests", "99999999999999999999\n");
	put("sys/devices/" NVME, "device/hwmon0/temp1_input", "hot\n");
	read_disk(259, 0);
	cr_expect_eq(facts.numa_node, -1);
	cr_expect_eq(facts.nr_requests, 0);
	cr_expect_eq(facts.temp_mc, 0);
	cr_expect_eq(facts.link_bps, 0);
	cr_expect_str_eq(facts.link, "");
}

static void cpu(int number, const char *governor, const char *driver, const char *preference)
{
	char folder[200];

	snprintf(folder, sizeof(folder), "sys/devices/system/cpu/cpu%d", number);
	put(folder, "cpufreq/scaling_governor", governor);
	put(folder, "cpufreq/scaling_driver", driver);
	put(folder, "cpufreq/energy_performance_preference", preference);
	put(folder, "cpufreq/scaling_cur_freq", "800000\n");
	put(folder, "cpufreq/cpuinfo_max_freq", "3600000\n");
	put(folder, "thermal_throttle/core_throttle_count", "3\n");
}

Test(surroundings, of_cpus)
{
	struct iob_cpufacts f;

	put("sys/devices/system/cpu", "online", "0-3\n");
	put("sys/devices/system/node/node1", "cpulist", "2-3\n");
	for (int i = 0; i < 4; i++)
		cpu(i, i == 2 ? "powersave\n" : "performance\n", "acpi-cpufreq\n", "");
	iob_cpufacts_read(&f, fixture_dir, "", 1);
	cr_expect_eq(f.cpus, 4);
	cr_expect_eq(f.off_node, 2);
	cr_expect(f.saves);
	cr_expect_str_eq(f.governor, "powersave");
	cr_expect_eq(f.khz, 800000);
	cr_expect_eq(f.max_khz, 3600000);
	cr_expect_eq(f.throttles, 12);
	iob_cpufacts_read(&f, fixture_dir, "3", 1);
	cr_expect_eq(f.cpus, 1);
	cr_expect_eq(f.off_node, 0);
	cr_expect_not(f.saves);
	cr_expect_str_eq(f.governor, "performance");
	iob_cpufacts_read(&f, fixture_dir, "0", -1);
	cr_expect_eq(f.off_node, 0, "a disk of no node is near to all");
}

/* There it is the normal state. */
Test(surroundings, powersave_of_a_driver_that_chooses_itself_saves_nothing)
{
	struct iob_cpufacts f;

	put("sys/devices/system/cpu", "online", "0\n");
	cpu(0, "powersave\n", "intel_pstate\n", "balance_performance\n");
	iob_cpufacts_read(&f, fixture_dir, "", -1);
	cr_expect_not(f.saves);
	cpu(0, "powersave\n", "intel_pstate\n", "power\n");
	iob_cpufacts_read(&f, fixture_dir, "", -1);
	cr_expect(f.saves);
}

Test(surroundings, of_control_groups_of_version_2)
{
	struct iob_cgroup g;

	fixture_write("proc/self/cgroup", "0::/user/run\n");
	fixture_write("proc/self/mountinfo",
		"25 1 0:24 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n");
	put("sys/fs/cgroup/user/run", "cpu.max", "max 100000\n");
	put("sys/fs/cgroup/user/run", "io.max",
		"8:16 rbps=1 wbps=1 riops=1 wiops=1\n8:0 rbps=2000000 wbps=max riops=500 wiops=max\n");
	put("sys/fs/cgroup/user", "cpu.max", "150000 100000\n");
	put("sys/fs/cgroup/user", "cpu.stat", "usage_usec 9\nnr_throttled 4\nthrottled_usec 250\n");
	put("sys/fs/cgroup/user", "io.max", "8:0 rbps=max wbps=3000000 riops=900 wiops=max\n");
	iob_cgroup_read(&g, fixture_dir, 8, 0);
	cr_expect_float_eq(g.cpu_quota, 1.5, 1e-9);
	cr_expect_eq(g.cpu_held, 4);
	cr_expect_eq(g.cpu_held_ns, 250000);
	cr_expect_eq(g.bps[0], 2000000);
	cr_expect_eq(g.bps[1], 3000000);
	cr_expect_eq(g.iops[0], 500, "the tighter one binds");
	cr_expect_eq(g.iops[1], 0);
}

Test(surroundings, of_control_groups_of_version_1)
{
	struct iob_cgroup g;

	fixture_write("proc/self/cgroup",
		"9:name=systemd:/\n7:blkio:/box/a\n2:cpuacct:/\n1:cpu:/box\n0::/\n");
	fixture_write("proc/self/mountinfo",
		"30 1 0:26 /box /sys/fs/cgroup/cpu rw shared:9 - cgroup cgroup rw,cpu\n"
		"31 1 0:27 / /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio\n");
	put("sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "20000\n");
	put("sys/fs/cgroup/cpu", "cpu.cfs_period_us", "100000\n");
	put("sys/fs/cgroup/cpu", "cpu.stat", "nr_periods 9\nnr_throttled 2\nthrottled_time 777\n");
	put("sys/fs/cgroup/blkio/box/a", "blkio.throttle.read_iops_device", "8:0 300\n");
	put("sys/fs/cgroup/blkio/box", "blkio.throttle.write_bps_device", "8:0 4096\n");
	iob_cgroup_read(&g, fixture_dir, 8, 0);
	cr_expect_float_eq(g.cpu_quota, 0.2, 1e-9);
	cr_expect_eq(g.cpu_held, 2);
	cr_expect_eq(g.cpu_held_ns, 777);
	cr_expect_eq(g.iops[0], 300);
	cr_expect_eq(g.bps[1], 4096);
	cr_expect_eq(g.bps[0], 0);
	iob_cgroup_read(&g, fixture_dir, 8, 16);
	cr_expect_eq(g.iops[0], 0, "the limit of another disk");
}

Test(surroundings, without_control_groups_there_are_no_limits)
{
	struct iob_cgroup g;

	iob_cgroup_read(&g, fixture_dir, 8, 0);
	cr_expect_eq(g.cpu_quota, 0);
	fixture_write("proc/self/cgroup", "nonsense\n::\n0:\n");
	fixture_write("proc/self/mountinfo", " - cgroup\n - cgroup2 x y\n");
	iob_cgroup_read(&g, fixture_dir, 8, 0);
	cr_expect_eq(g.cpu_quota, 0);
}

/* A child that has the file open until its standard input closes. */
static pid_t holder(const char *path, int flags, int *end)
{
	int ready[2], go[2];
	char byte = 0;

	cr_assert_eq(pipe(ready), 0);
	cr_assert_eq(pipe(go), 0);
	pid_t pid = fork();
	if (pid == 0) {
		int fd = open(path, flags);

		close(go[1]);
		if (fd < 0 || write(ready[1], &byte, 1) != 1)
			_exit(1);
		_exit(read(go[0], &byte, 1) != 0);
	}
	close(go[0]);
	close(ready[1]);
	cr_assert_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	*end = go[1];
	return pid;
}

Test(surroundings, others_that_have_a_file_open_are_named)
{
	const char *path = fixture_data("f", 4096);
	struct iob_openers others;
	struct stat st;
	char number[32];
	int end = -1;

	IOB_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	cr_assert_eq(fstat(fd, &st), 0);
	cr_expect_not(iob_openers_may_exist(fd, false));
	pid_t pid = holder(path, O_RDONLY, &end);
	cr_expect_not(iob_openers_may_exist(fd, false), "a reader");
	iob_openers_find(&others, &st, true);
	cr_expect_eq(others.count, 0);
	iob_openers_find(&others, &st, false);
	snprintf(number, sizeof(number), "(%d)", (int)pid);
	cr_expect_not_null(strstr(others.text, number), "%s", others.text);
	close(end);
	waitpid(pid, NULL, 0);
	pid = holder(path, O_WRONLY, &end);
	cr_expect(iob_openers_may_exist(fd, false));
	iob_openers_find(&others, &st, true);
	snprintf(number, sizeof(number), "(%d, writing)", (int)pid);
	cr_expect_eq(others.writers, 1);
	cr_expect_not_null(strstr(others.text, number), "%s", others.text);
	close(end);
	waitpid(pid, NULL, 0);
	cr_expect_not(iob_openers_may_exist(fd, false));
}
