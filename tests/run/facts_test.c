/* SPDX-License-Identifier: MIT */
/* From a tree that stands for /sys to the warning: what no test machine can be made to do. */
#include <config.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "run/private.h"
#include "tests/support/target_fixture.h"

TestSuite(facts, .init = fixture_open, .fini = fixture_close, .timeout = 30);

#define BUS  "sys/devices/pci0000:00/0000:01:00.0"
#define DISK BUS "/nvme/nvme0/nvme0n1"

static struct iob_job job;

/* A sound disk on node 0 of two, and CPUs that run as fast as they can. */
static void make_tree(void)
{
	iob_job_defaults(&job);
	fixture_write(DISK "/dev", "259:0\n");
	fixture_write(DISK "/device/numa_node", "0\n");
	fixture_write(DISK "/device/hwmon0/temp1_input", "40000\n");
	fixture_write(DISK "/device/hwmon0/temp1_max", "80000\n");
	fixture_write(BUS "/current_link_speed", "8.0 GT/s PCIe\n");
	fixture_write(BUS "/current_link_width", "4\n");
	fixture_write(BUS "/max_link_speed", "8.0 GT/s PCIe\n");
	fixture_write(BUS "/max_link_width", "4\n");
	fixture_link(
		"sys/dev/block/259:0", "../../devices/pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1");
	fixture_write("sys/devices/system/cpu/online", "0-1\n");
	fixture_write("sys/devices/system/node/node0/cpulist", "0\n");
	fixture_write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
	fixture_write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
}

/* A second of direct reads at depth 32. */
static void judge(struct iob_warnings *w, const char *cpus, double bw)
{
	struct iob_target_info info = {
		.kind = IOB_TARGET_BLOCKDEV, .direct = true, .has_disk = true};
	struct iob_segment_figures total = {.seconds = 1, .depth = 32};
	struct iob_verdict_facts f = {.total = &total, .running = true};
	struct iob_cpufacts cpu;

	total.all.bw = bw;
	iob_diskfacts_read(&info.facts, fixture_dir, 259, 0);
	iob_cpufacts_read(&cpu, fixture_dir, cpus, info.facts.numa_node);
	iob_facts_of_target(&f, &info, &job);
	iob_facts_of_cpus(&f, &cpu, info.facts.numa_node);
	iob_verdict(w, &f);
}

static void expect(const char *code, const char *cpus, double bw)
{
	struct iob_warnings w;

	judge(&w, cpus, bw);
	cr_assert_eq(w.count, code[0] ? 1 : 0, "%u, first %s: %s", w.count, w.item[0].code,
		w.item[0].text);
	if (code[0])
		cr_expect_str_eq(w.item[0].code, code);
}

Test(facts, a_sound_machine_raises_nothing)
{
	make_tree();
	expect("", "0", 3.9e9);
}

Test(facts, workers_on_the_other_node_are_NUMA)
{
	make_tree();
	expect("NUMA", "0-1", 1e9);
	expect("NUMA", "1", 1e9);
	expect("", "0", 1e9);
}

Test(facts, a_governor_that_saves_is_POWERSAVE)
{
	make_tree();
	fixture_write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
	expect("POWERSAVE", "0", 1e9);
	fixture_write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "schedutil\n");
	expect("", "0", 1e9);
}

Test(facts, a_disk_at_its_limit_is_THERMAL)
{
	make_tree();
	fixture_write(DISK "/device/hwmon0/temp1_input", "80000\n");
	expect("THERMAL", "0", 1e9);
	fixture_write(DISK "/device/hwmon0/temp1_input", "79000\n");
	expect("", "0", 1e9);
}

Test(facts, a_slow_slot_and_too_much_for_a_fast_one_are_LINK)
{
	make_tree();
	expect("LINK", "0", 4.1e9);
	expect("", "0", 3.9e9);
	fixture_write(BUS "/current_link_width", "1\n");
	expect("LINK", "0", 1e8);
}

static struct iob_run_facts seen;

static void look(bool anew, unsigned cpus, uint64_t throttles)
{
	struct iob_cpufacts cpu = {.cpus = cpus, .throttles = throttles};

	iob_facts_follow_cpus(&seen, &cpu, anew);
}

/* Eight CPUs of which two go; then a stage that was given four, all of which stay. */
Test(facts, a_stage_with_fewer_CPUs_has_lost_none)
{
	look(true, 8, 0);
	look(false, 8, 0);
	cr_expect_eq(seen.cpus, seen.fewest);
	look(false, 6, 0);
	look(false, 8, 0);
	look(true, 4, 0);
	look(false, 4, 0);
	cr_expect_eq(seen.cpus, 8, "what was lost is not forgotten");
	cr_expect_eq(seen.fewest, 6, "%u", seen.fewest);
	look(false, 1, 0);
	cr_expect_eq(seen.cpus, 4);
	cr_expect_eq(seen.fewest, 1);
}

/* The counts of other CPUs are no news, and those of one that comes back are old. */
Test(facts, heat_counts_for_the_CPUs_of_the_stage)
{
	look(true, 2, 100);
	look(false, 2, 103);
	look(true, 4, 900);
	look(false, 4, 901);
	look(false, 3, 600);
	look(false, 4, 902);
	look(false, 4, 902);
	cr_expect_eq(seen.throttled, 4, "%zu", (size_t)seen.throttled);
}
