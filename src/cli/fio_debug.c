/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_debug.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/fio_help.h"

static const char *const classes[] = {"process", "file", "io", "mem", "blktrace", "verify",
	"random", "parse", "diskutil", "job", "mutex", "profile", "time", "net", "rate", "compress",
	"steadystate", "helperthread", "zbd", "all"};
#define NCLASSES (sizeof(classes) / sizeof(classes[0]))

static bool is_known(const char *name, size_t n)
{
	if (n > 4 && strncmp(name, "job:", 4) == 0)
		return strspn(name + 4, "0123456789") == n - 4;
	for (size_t i = 0; i < NCLASSES; i++)
		if (strlen(classes[i]) == n && strncmp(classes[i], name, n) == 0)
			return true;
	return false;
}

int iob_fio_debug_check(const char *list, struct iob_error *err)
{
	for (const char *at = list;;) {
		size_t n = strcspn(at, ",");

		if (!is_known(at, n))
			return iob_fail_usage(err,
				"--debug=%.64s: \"%.*s\" is no class of messages; --debug=help lists "
				"them",
				list, (int)(n < 40 ? n : 40), at);
		if (at[n] == '\0')
			return 0;
		at += n + 1;
	}
}

void iob_fio_print_debughelp(void)
{
	fputs("fio: dumping debug options:", stdout);
	for (size_t i = 0; i < NCLASSES; i++)
		printf("%s%s", i ? "," : "", classes[i]);
	putchar('\n');
}
