/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/cpufacts.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/cpulist.h"
#include "target/sysfs.h"

/* powersave of the drivers that choose frequencies themselves is their normal state; there the
 * energy preference says what is wanted. */
static bool saves_power(const char *folder, const char *governor)
{
	char driver[32], preference[32];

	if (strcmp(governor, "powersave") != 0 && strcmp(governor, "conservative") != 0)
		return false;
	iob_sysfs_text(folder, "scaling_driver", driver, sizeof(driver));
	if (strcmp(driver, "intel_pstate") != 0 && strncmp(driver, "amd-pstate-epp", 14) != 0)
		return true;
	iob_sysfs_text(folder, "energy_performance_preference", preference, sizeof(preference));
	return strcmp(preference, "power") == 0 || strcmp(preference, "balance_power") == 0;
}

static void look_at_governor(struct iob_cpufacts *f, const char *folder)
{
	char governor[24];

	if (f->saves || !iob_sysfs_text(folder, "scaling_governor", governor, sizeof(governor)))
		return;
	bool saves = saves_power(folder, governor);
	if (f->governor[0] && !saves)
		return;
	f->saves = saves;
	memcpy(f->governor, governor, sizeof(f->governor));
	(void)iob_sysfs_uint(folder, "scaling_cur_freq", &f->khz);
	(void)iob_sysfs_uint(folder, "cpuinfo_max_freq", &f->max_khz);
}

static void look_at(struct iob_cpufacts *f, const char *root, unsigned cpu)
{
	char folder[PATH_MAX];
	uint64_t count = 0;

	snprintf(folder, sizeof(folder), "%s/sys/devices/system/cpu/cpu%u/cpufreq", root, cpu);
	look_at_governor(f, folder);
	snprintf(folder, sizeof(folder), "%s/sys/devices/system/cpu/cpu%u/thermal_throttle", root,
		cpu);
	if (iob_sysfs_uint(folder, "core_throttle_count", &count))
		f->throttles += count;
}

/* The CPUs of a file of /sys; false if it is not there. */
static bool read_set(cpu_set_t *set, const char *folder, const char *attribute)
{
	char list[4096];
	const char *why = NULL;

	return iob_sysfs_text(folder, attribute, list, sizeof(list)) &&
	       iob_cpulist_parse(set, list, &why) == 0;
}

static void wanted(cpu_set_t *set, const char *root, const char *list)
{
	cpu_set_t there;
	char folder[PATH_MAX];
	const char *why = NULL;

	CPU_ZERO(set);
	snprintf(folder, sizeof(folder), "%s/sys/devices/system/cpu", root);
	bool known = read_set(&there, folder, "online");
	if (list[0] && iob_cpulist_parse(set, list, &why) == 0) {
		if (known)
			CPU_AND(set, set, &there);
	} else if (root[0] == '\0') {
		sched_getaffinity(0, sizeof(*set), set);
	} else if (known) {
		*set = there;
	}
}

void iob_cpufacts_read(struct iob_cpufacts *f, const char *root, const char *list, int node)
{
	cpu_set_t set, near;
	char folder[PATH_MAX];

	*f = (struct iob_cpufacts){0};
	wanted(&set, root, list);
	snprintf(folder, sizeof(folder), "%s/sys/devices/system/node/node%d", root, node);
	bool has_node = node >= 0 && read_set(&near, folder, "cpulist");
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &set))
			continue;
		f->cpus++;
		if (has_node && !CPU_ISSET(cpu, &near))
			f->off_node++;
		look_at(f, root, cpu);
	}
}
