/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/placement.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpulist.h"
#include "job/cmdprio.h"

static int take_nice(struct iob_placement *p, const char *text, struct iob_error *err)
{
	char *end;

	if (text[0] == '\0')
		return 0;
	errno = 0;
	long value = strtol(text, &end, 10);
	if (errno || *end || value < -20 || value > 19)
		return iob_fail_usage(err, "nice=%s: not a number in -20..19", text);
	p->has_nice = true;
	p->nice = (int)value;
	return 0;
}

static const struct {
	const char *name;
	enum iob_mem_policy policy;
	bool nodes; /* wants a list of them; else one is read and has no meaning, as in fio */
} policies[] = {
	{"default", IOB_MEM_POLICY_DEFAULT, false},
	{"local", IOB_MEM_POLICY_LOCAL, false},
	{"prefer", IOB_MEM_POLICY_PREFER, true},
	{"bind", IOB_MEM_POLICY_BIND, true},
	{"interleave", IOB_MEM_POLICY_INTERLEAVE, true},
};

static int take_policy(struct iob_placement *p, const char *text, struct iob_error *err)
{
	size_t n = strcspn(text, ":");
	const char *why;
	bool has_nodes = text[n] == ':';
	size_t i = 0;

	p->mem_policy = IOB_MEM_POLICY_NONE;
	if (text[0] == '\0')
		return 0;
	while (i < sizeof(policies) / sizeof(policies[0]) &&
		(strlen(policies[i].name) != n || strncmp(policies[i].name, text, n) != 0))
		i++;
	if (i == sizeof(policies) / sizeof(policies[0]) || (policies[i].nodes && !has_nodes))
		return iob_fail_usage(err,
			"numa_mem_policy=%s: not understood; write default, local, prefer:NODE, "
			"bind:NODES or interleave:NODES",
			text);
	p->mem_policy = policies[i].policy;
	if (!policies[i].nodes)
		return 0;
	if (iob_cpulist_parse(&p->mem_nodes, text + n + 1, &why) < 0)
		return iob_fail_usage(err,
			"numa_mem_policy=%s: %s; write nodes as a list such as 0-1", text, why);
	if (p->mem_policy == IOB_MEM_POLICY_PREFER && CPU_COUNT(&p->mem_nodes) != 1)
		return iob_fail_usage(
			err, "numa_mem_policy=%s: prefer takes one node; use interleave", text);
	return 0;
}

int iob_placement_init(struct iob_placement *p, const struct iob_job *job, struct iob_error *err)
{
	*p = (struct iob_placement){
		.prioclass = iob_cmdprio_class(iob_cmdprio_of_thread(job)),
		.prio = (unsigned)job->prio,
		.has_cpu_nodes = job->numa_cpu_nodes[0] != '\0',
	};
	const char *why;
	int rc = take_nice(p, job->nice, err);
	if (rc == 0)
		rc = take_policy(p, job->numa_mem_policy, err);
	if (rc == 0 && p->has_cpu_nodes &&
		iob_cpulist_parse(&p->cpu_nodes, job->numa_cpu_nodes, &why) < 0)
		return iob_fail_usage(err, "numa_cpu_nodes=%s: %s; write a list such as 0-1",
			job->numa_cpu_nodes, why);
	if (rc == 0 && p->has_cpu_nodes && job->cpus_allowed[0])
		return iob_fail_usage(err,
			"numa_cpu_nodes=%s and cpus_allowed=%s: only one of them; leave one out",
			job->numa_cpu_nodes, job->cpus_allowed);
	return rc;
}
