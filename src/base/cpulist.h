/* SPDX-License-Identifier: MIT */
/* A list of CPUs as people write it: "0-3,8".  Files that include this begin with config.h. */
#ifndef IOB_BASE_CPULIST_H
#define IOB_BASE_CPULIST_H

#include <sched.h>
#include <stddef.h>

/* Strict.  0, or -EINVAL with the reason in *why.  Whether the CPUs exist is not asked. */
int iob_cpulist_parse(cpu_set_t *, const char *list, const char **why);

/* The other way round; cut where buf ends.  Returns buf. */
char *iob_cpulist_format(char *buf, size_t n, const cpu_set_t *);

#endif
