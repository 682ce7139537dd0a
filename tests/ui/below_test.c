/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/below.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

static char root[64];

static void shell(const char *format, unsigned n)
{
	char command[600];

	snprintf(command, sizeof(command), "cd %s && ", root);
	size_t used = strlen(command);
	snprintf(command + used, sizeof(command) - used, "%s %u", format, n);
	cr_assert_eq(system(command), 0, "%s", command);
}

/* dm-0 on md0 on sda and sdb. */
static void begin(void)
{
	snprintf(root, sizeof(root), "/tmp/iob-below-XXXXXX");
	cr_assert_not_null(mkdtemp(root));
	shell("mkdir -p proc sys/class/block/dm-0/slaves/md0 sys/class/block/md0/slaves/sda "
	      "sys/class/block/md0/slaves/sdb sys/class/block/sda sys/class/block/sdb #",
		0);
	shell("echo 8:0 >sys/class/block/sda/dev && echo 8:16 >sys/class/block/sdb/dev #", 0);
}

static void end(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	cr_assert_eq(system(command), 0);
}

TestSuite(below, .init = begin, .fini = end, .timeout = 20);

static void reads(unsigned n)
{
	shell("sh -c 'printf \"8 0 sda $0 0 800 10 0 0 0 0 0 100 100\\n8 16 sdb 7 0 56 1 0 0 0 0 0 1 "
	      "1\\n\" >proc/diskstats'",
		n);
}

Test(below, the_disks_at_the_bottom_are_found_and_read)
{
	struct iob_below b = {.count = 0};

	reads(100);
	iob_below_update(&b, root, "dm-0", 10 * IOB_NS_PER_S);
	cr_assert_eq(b.count, 2);
	cr_assert_not(b.disk[0].valid);
	reads(300);
	/* Not before a second has passed. */
	iob_below_update(&b, root, "dm-0", 10 * IOB_NS_PER_S + 1);
	cr_assert_not(b.disk[0].valid);
	iob_below_update(&b, root, "dm-0", 12 * IOB_NS_PER_S);
	int sda = strcmp(b.disk[0].name, "sda") == 0 ? 0 : 1;
	cr_assert_str_eq(b.disk[sda].name, "sda");
	cr_assert(b.disk[sda].valid);
	cr_assert_float_eq(b.disk[sda].figures.r_s, 100, 1e-6);
	cr_assert_float_eq(b.disk[1 - sda].figures.r_s, 0, 1e-6);
	/* Another disk, with nothing below it. */
	iob_below_update(&b, root, "sda", 13 * IOB_NS_PER_S);
	cr_assert_eq(b.count, 0);
	iob_below_close(&b);
}

Test(below, a_device_that_the_kernel_does_not_know_has_nothing_below)
{
	struct iob_below b = {.count = 0};

	iob_below_update(&b, root, "nosuch", IOB_NS_PER_S);
	cr_assert_eq(b.count, 0);
	iob_below_close(&b);
}
