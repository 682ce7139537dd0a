/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "load/placement.h"

#include <errno.h>
#include <linux/ioprio.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/cpulist.h"
#include "job/placement.h"

#define BITS_PER_LONG (8 * sizeof(long))

static int set_nice(const struct iob_placement *p, struct iob_error *err)
{
	/* Of this thread alone: Linux keeps one for each. */
	if (!p->has_nice || setpriority(PRIO_PROCESS, 0, p->nice) == 0)
		return 0;
	return iob_fail(err, -errno, "nice=%d: %m; raise `ulimit -e`, or leave it out", p->nice);
}

static int set_ioprio(const struct iob_placement *p, struct iob_error *err)
{
	int value = (int)IOPRIO_PRIO_VALUE(p->prioclass, p->prio);

	if (p->prioclass == 0 || syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, value) == 0)
		return 0;
	return iob_fail(err, -errno, "prioclass=%u, prio=%u: %m%s", p->prioclass, p->prio,
		errno == EPERM ? "; this class is for root" : "");
}

static int add_node(cpu_set_t *to, const char *root, size_t node, struct iob_error *err)
{
	char path[256], line[1024];
	const char *why;
	cpu_set_t cpus;

	snprintf(path, sizeof(path), "%s/sys/devices/system/node/node%zu/cpulist", root, node);
	IOB_FILE FILE *f = fopen(path, "re");
	if (!f || !fgets(line, sizeof(line), f))
		return iob_fail_usage(
			err, "numa_cpu_nodes: there is no node %zu here; leave it out", node);
	line[strcspn(line, "\n")] = '\0';
	/* A node of memory alone. */
	if (line[0] == '\0')
		return 0;
	if (iob_cpulist_parse(&cpus, line, &why) < 0)
		return iob_fail(err, -EINVAL, "%s: %.60s: %s", path, line, why);
	CPU_OR(to, to, &cpus);
	return 0;
}

static int set_cpus(const struct iob_placement *p, const char *root, struct iob_error *err)
{
	cpu_set_t cpus;
	int rc = 0;

	if (!p->has_cpu_nodes)
		return 0;
	CPU_ZERO(&cpus);
	for (size_t node = 0; node < CPU_SETSIZE && rc == 0; node++)
		if (CPU_ISSET(node, &p->cpu_nodes))
			rc = add_node(&cpus, root, node, err);
	if (rc < 0)
		return rc;
	rc = pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
	return rc == 0 ? 0
		       : iob_fail(err, -rc,
				 "numa_cpu_nodes: %m: none of their CPUs is allowed to this process");
}

static int set_memory(const struct iob_placement *p, struct iob_error *err)
{
	unsigned long nodes[CPU_SETSIZE / BITS_PER_LONG] = {0};

	if (p->mem_policy == IOB_MEM_POLICY_NONE)
		return 0;
	for (size_t node = 0; node < CPU_SETSIZE; node++)
		if (CPU_ISSET(node, &p->mem_nodes))
			nodes[node / BITS_PER_LONG] |= 1UL << node % BITS_PER_LONG;
	bool some = CPU_COUNT(&p->mem_nodes) > 0;
	if (syscall(SYS_set_mempolicy, (int)p->mem_policy, some ? nodes : NULL,
		    some ? (unsigned long)CPU_SETSIZE : 0UL) == 0)
		return 0;
	return iob_fail(err, -errno, "numa_mem_policy: %m%s",
		errno == EINVAL   ? "; one of the nodes is not there"
		: errno == ENOSYS ? "; this kernel knows no NUMA"
				  : "");
}

int iob_placement_apply(const struct iob_job *job, const char *root, struct iob_error *err)
{
	struct iob_placement p;
	int rc = iob_placement_init(&p, job, err);

	if (rc == 0)
		rc = set_nice(&p, err);
	if (rc == 0)
		rc = set_ioprio(&p, err);
	if (rc == 0)
		rc = set_cpus(&p, root, err);
	if (rc == 0)
		rc = set_memory(&p, err);
	return rc;
}
