/* SPDX-License-Identifier: MIT */
#include "cli/choose.h"

#include <stdio.h>
#include <string.h>

int iob_choose(const char *name, const char *value, const char *const *words, struct iob_error *err)
{
	char list[100] = "";
	size_t used = 0;

	for (int i = 0; words[i]; i++) {
		if (strcmp(words[i], value) == 0)
			return i;
	}
	for (int i = 0; words[i] && used < sizeof(list); i++)
		used += (size_t)snprintf(
			list + used, sizeof(list) - used, "%s%s", i > 0 ? ", " : "", words[i]);
	return iob_fail_usage(err, "--%s=%.64s: not one of %s", name, value, list);
}
