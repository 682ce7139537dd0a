/* SPDX-License-Identifier: MIT */
/* The way from our control group up, read from a folder that stands for /. */
#include <config.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/cgroup_walk.h"
#include "tests/support/target_fixture.h"

static char way[1024]; /* the folders, each with a blank before it */

TestSuite(cgroup_walk, .init = fixture_open, .fini = fixture_close, .timeout = 10);

static void note(void *arg, const char *folder)
{
	size_t n = strlen(way);

	cr_assert_eq(arg, way);
	cr_assert_eq(strncmp(folder, fixture_dir, strlen(fixture_dir)), 0, "%s", folder);
	snprintf(way + n, sizeof(way) - n, " %s", folder + strlen(fixture_dir));
}

static const char *walk(const char *controller)
{
	way[0] = '\0';
	return iob_cgroup_walk(fixture_dir, controller, note, way) ? way : NULL;
}

static void machine(const char *groups, const char *mounts)
{
	fixture_write("proc/self/cgroup", groups);
	fixture_write("proc/self/mountinfo", mounts);
}

Test(cgroup_walk, goes_from_our_group_to_the_mount)
{
	machine("0::/user/run\n", "25 1 0:24 / /cg rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n");
	cr_assert_str_eq(walk(IOB_CGROUP_V2), " /cg/user/run /cg/user /cg");
	cr_assert_null(walk("cpu"), "a controller of version 1");
}

Test(cgroup_walk, finds_the_tree_of_a_controller_among_many)
{
	machine("5:cpu,cpuacct:/x\n4:memory:/y/z\n0::/\n",
		"30 1 0:26 / /cg/cpu rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
		"31 1 0:27 / /cg/memory rw - cgroup cgroup rw,memory\n"
		"32 1 0:28 / /cg/unified rw - cgroup2 cgroup2 rw\n");
	cr_assert_str_eq(walk("cpuacct"), " /cg/cpu/x /cg/cpu");
	cr_assert_str_eq(walk("memory"), " /cg/memory/y/z /cg/memory/y /cg/memory");
	cr_assert_str_eq(walk(IOB_CGROUP_V2), " /cg/unified");
	cr_assert_null(walk("mem"), "no part of a word");
}

Test(cgroup_walk, in_a_container_the_mount_is_a_part_of_the_tree)
{
	machine("4:cpu:/box/a\n", "30 1 0:26 /box /cg rw - cgroup cgroup rw,cpu\n");
	cr_assert_str_eq(walk("cpu"), " /cg/a /cg");
	machine("4:cpu:/box\n", "30 1 0:26 /box /cg rw - cgroup cgroup rw,cpu\n");
	cr_assert_str_eq(walk("cpu"), " /cg");
	machine("4:cpu:/boxer\n", "30 1 0:26 /box /cg rw - cgroup cgroup rw,cpu\n");
	cr_assert_str_eq(walk("cpu"), " /cg/boxer /cg", "another group than the mount's");
}

Test(cgroup_walk, nonsense_leads_nowhere)
{
	cr_assert_null(walk(IOB_CGROUP_V2), "nothing to read");
	machine("nonsense\n::\n0:\n", " - cgroup\n - cgroup2 x y\n");
	cr_assert_null(walk(IOB_CGROUP_V2));
	cr_assert_null(walk("cpu"));
}
