/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <linux/ioprio.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "job/param.h"
#include "load/placement.h"

static struct iob_job job;
static struct iob_error err;

static int apply_in(const char *root, const char *settings)
{
	char text[200];

	snprintf(text, sizeof(text), "%s", settings);
	iob_job_defaults(&job);
	for (char *rest = text, *word; (word = strsep(&rest, " "));) {
		char *value = strchr(word, '=');

		*value++ = '\0';
		cr_assert_eq(iob_param_set_named(&job, word, value, &err), 0, "%s", err.text);
	}
	return iob_placement_apply(&job, root, &err);
}

static int apply(const char *settings)
{
	return apply_in("", settings);
}

Test(placement, nice_is_that_of_the_thread)
{
	cr_assert_eq(apply("nice=7"), 0, "%s", err.text);
	cr_assert_eq(getpriority(PRIO_PROCESS, 0), 7);
}

Test(placement, a_level_without_a_class_is_best_effort)
{
	cr_assert_eq(apply("prio=3"), 0, "%s", err.text);
	cr_assert_eq(syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0),
		IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 3));
	cr_assert_eq(apply("prioclass=3"), 0, "%s", err.text);
	cr_assert_eq(IOPRIO_PRIO_CLASS((int)syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0)),
		IOPRIO_CLASS_IDLE);
}

Test(placement, nodes_are_looked_up)
{
	char root[] = "/tmp/iob-nodes-XXXXXX", path[200];
	cpu_set_t have, now;
	size_t cpu = 0;

	cr_assert_not_null(mkdtemp(root));
	cr_assert_eq(sched_getaffinity(0, sizeof(have), &have), 0);
	while (!CPU_ISSET(cpu, &have))
		cpu++;
	static const char *const parts[] = {"/sys", "/sys/devices", "/sys/devices/system",
		"/sys/devices/system/node", "/sys/devices/system/node/node1"};
	for (size_t i = 0; i < 5; i++) {
		snprintf(path, sizeof(path), "%s%s", root, parts[i]);
		cr_assert_eq(mkdir(path, 0700), 0);
	}
	snprintf(path, sizeof(path), "%s%s/cpulist", root, parts[4]);
	FILE *f = fopen(path, "w");
	fprintf(f, "%zu\n", cpu);
	fclose(f);
	int rc = apply_in(root, "numa_cpu_nodes=1");
	int missing = apply_in(root, "numa_cpu_nodes=1-2");
	remove(path);
	for (size_t i = 5; i-- > 0;) {
		snprintf(path, sizeof(path), "%s%s", root, parts[i]);
		rmdir(path);
	}
	rmdir(root);
	cr_assert_eq(rc, 0, "%s", err.text);
	cr_assert_lt(missing, 0);
	cr_assert_not_null(strstr(err.text, "no node 2"), "%s", err.text);
	cr_assert_eq(sched_getaffinity(0, sizeof(now), &now), 0);
	cr_assert(CPU_COUNT(&now) == 1 && CPU_ISSET(cpu, &now));
}

Test(placement, a_policy_of_memory_is_set)
{
	int mode = -1;
	int rc = apply("numa_mem_policy=local:0");

	if (rc == -ENOSYS)
		cr_skip_test("this kernel knows no NUMA");
	cr_assert_eq(rc, 0, "%s", err.text);
	cr_assert_eq(syscall(SYS_get_mempolicy, &mode, NULL, 0UL, NULL, 0UL), 0);
	cr_assert_eq(mode, 4);
	cr_assert_eq(apply("numa_mem_policy=bind:0"), 0, "%s", err.text);
	cr_assert_eq(apply("numa_mem_policy=interleave:0"), 0, "%s", err.text);
	cr_assert_eq(apply("numa_mem_policy=prefer:0"), 0, "%s", err.text);
	cr_assert_eq(apply("numa_mem_policy=default"), 0, "%s", err.text);
}

Test(placement, what_is_not_understood_is_refused)
{
	static const char bad[][48] = {"nice=20", "nice=-21", "nice=x", "nice=1x",
		"numa_mem_policy=near", "numa_mem_policy=bind", "numa_mem_policy=near:0",
		"numa_mem_policy=prefer:0-1", "numa_mem_policy=bind:x", "numa_cpu_nodes=x",
		"numa_cpu_nodes=0 cpus_allowed=0", "buffer_pattern=0xff nice=x"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cr_expect_lt(apply(bad[i]), 0, "%s", bad[i]);
		cr_expect_eq(err.kind, IOB_ERR_USAGE, "%s", bad[i]);
		cr_expect_lt(iob_job_check(&job, &err), 0, "%s", bad[i]);
	}
}
