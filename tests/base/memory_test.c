/* SPDX-License-Identifier: MIT */
/* How much memory there is, read from a folder that stands for /. */
#include <config.h>

#include <criterion/criterion.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"
#include "tests/support/target_fixture.h"

#define MIB (UINT64_C(1) << 20)

static struct iob_memory m;

/* As most machines have it: version 2 alone, or memory in version 1. */
static void fresh(void)
{
	fixture_open();
	fixture_write("proc/meminfo", "MemTotal: 8192000 kB\nMemAvailable: 1024000 kB\n");
	fixture_write("proc/self/mountinfo",
		"25 1 0:24 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
		"30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
}

TestSuite(memory, .init = fresh, .fini = fixture_close, .timeout = 10);

Test(memory, without_groups_it_is_what_the_machine_has)
{
	iob_memory_look(&m, fixture_dir);
	cr_assert_eq(m.available, UINT64_C(1024000) * 1024);
	cr_assert_str_eq(m.limit, "MemAvailable");
	cr_assert_eq(m.space, UINT64_MAX);
}

Test(memory, nothing_readable_is_no_limit)
{
	iob_memory_look(&m, "/nonexistent");
	cr_assert_eq(m.available, UINT64_MAX);
}

Test(memory, a_group_limits_and_its_page_cache_does_not_count)
{
	fixture_write("proc/self/cgroup", "0::/a/b\n");
	fixture_write("sys/fs/cgroup/a/b/memory.max", "314572800\n");
	fixture_write("sys/fs/cgroup/a/b/memory.current", "209715200\n");
	fixture_write("sys/fs/cgroup/a/b/memory.stat",
		"anon 52428800\ninactive_file 104857600\nactive_file 52428800\n");
	iob_memory_look(&m, fixture_dir);
	cr_assert_eq(m.available, 250 * MIB);
	cr_assert_not_null(strstr(m.limit, "memory.max"));
}

Test(memory, the_groups_around_limit_too)
{
	fixture_write("proc/self/cgroup", "0::/a/b\n");
	fixture_write("sys/fs/cgroup/a/b/memory.max", "max\n");
	fixture_write("sys/fs/cgroup/a/b/memory.current", "1\n");
	fixture_write("sys/fs/cgroup/a/memory.max", "104857600\n");
	fixture_write("sys/fs/cgroup/a/memory.current", "104857601\n");
	iob_memory_look(&m, fixture_dir);
	cr_assert_eq(m.available, 0, "full");
}

Test(memory, in_a_container_the_mount_itself_is_the_group)
{
	fixture_write("proc/self/cgroup", "0::/../world/outside\n");
	fixture_write("sys/fs/cgroup/memory.max", "10485760\n");
	fixture_write("sys/fs/cgroup/memory.current", "0\n");
	iob_memory_look(&m, fixture_dir);
	cr_assert_eq(m.available, 10 * MIB);
}

Test(memory, version_one_has_other_names)
{
	fixture_write("proc/self/cgroup", "5:cpu:/x\n4:memory:/x\n0::/\n");
	fixture_write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
	fixture_write("sys/fs/cgroup/memory/memory.usage_in_bytes", "5\n");
	fixture_write("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "20971520\n");
	fixture_write("sys/fs/cgroup/memory/x/memory.usage_in_bytes", "10485760\n");
	fixture_write("sys/fs/cgroup/memory/x/memory.stat",
		"inactive_file 1\ntotal_inactive_file 5242880\n");
	iob_memory_look(&m, fixture_dir);
	cr_assert_eq(m.available, 15 * MIB);
	cr_assert_not_null(strstr(m.limit, "memory.limit_in_bytes"));
}

Test(memory, limits_of_the_process_are_of_address_space)
{
	struct rlimit before, limit;

	cr_assert_eq(getrlimit(RLIMIT_AS, &before), 0);
	limit = (struct rlimit){UINT64_C(1) << 40, before.rlim_max};
	fixture_write("proc/self/statm", "1000 10 5 1 0 500 0\n");
	cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
	iob_memory_look(&m, fixture_dir);
	setrlimit(RLIMIT_AS, &before); /* sanitizers map more at the end */
	cr_assert_eq(m.space, (UINT64_C(1) << 40) - 1000 * (uint64_t)sysconf(_SC_PAGESIZE));
	cr_assert_not_null(strstr(m.space_limit, "ulimit -v"));
}
