/* SPDX-License-Identifier: MIT */
/* What is kept of the options from one time to the next. */
#include <config.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "ui/prefs.h"

static char dir[64] = "/tmp/iob-prefs-XXXXXX", path[4096];
static struct iob_prefs prefs;
static struct iob_error err;

static void begin(void)
{
	cr_assert_not_null(mkdtemp(dir));
	setenv("XDG_CONFIG_HOME", dir, 1);
	snprintf(path, sizeof(path), "%s/iotop-bench", dir);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/iotop-bench/config", dir);
}

static void end(void)
{
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
	rmdir(dir);
}

TestSuite(prefs, .init = begin, .fini = end, .timeout = 10);

static void write_file(const char *text)
{
	FILE *f = fopen(path, "w");

	cr_assert_not_null(f);
	fputs(text, f);
	cr_assert_eq(fclose(f), 0);
}

Test(prefs, without_a_file_all_is_automatic)
{
	cr_assert_eq(iob_prefs_load(&prefs, &err), 0);
	cr_assert_str_eq(prefs.symbols, "auto");
	cr_assert_eq(prefs.refresh_ns, 0);
	cr_assert_eq(prefs.yaxis, IOB_YAXIS_AUTO);
	cr_assert_not(prefs.mouse);
}

Test(prefs, what_is_saved_comes_back)
{
	char name[4096];
	const struct iob_prefs wanted = {"ascii", 2, 500 * IOB_NS_PER_MS, IOB_YAXIS_LOG, true};

	cr_assert_eq(iob_prefs_save(&wanted, name, sizeof(name), &err), 0, "%s", err.text);
	cr_assert_str_eq(name, path);
	cr_assert_eq(iob_prefs_load(&prefs, &err), 0, "%s", err.text);
	cr_assert_str_eq(prefs.symbols, "ascii");
	cr_assert_eq(prefs.color, 2);
	cr_assert_eq(prefs.refresh_ns, 500 * IOB_NS_PER_MS);
	cr_assert_eq(prefs.yaxis, IOB_YAXIS_LOG);
	cr_assert(prefs.mouse);
}

Test(prefs, of_a_file_with_a_wrong_value_the_rest_holds)
{
	write_file("[screen]\nsymbols = runes\nyaxis = sticky\n");
	cr_assert_lt(iob_prefs_load(&prefs, &err), 0);
	cr_assert_not_null(strstr(err.text, "symbols = runes"), "%s", err.text);
	cr_assert_str_eq(prefs.symbols, "auto");
	cr_assert_eq(prefs.yaxis, IOB_YAXIS_STICKY);
	write_file("[screen]\ndelay = 3h\n");
	cr_assert_lt(iob_prefs_load(&prefs, &err), 0);
	cr_assert_not_null(strstr(err.text, "delay = 3h"), "%s", err.text);
	cr_assert_eq(prefs.refresh_ns, 0);
}

Test(prefs, a_line_without_end_is_refused_with_its_number)
{
	char text[2000];

	snprintf(text, sizeof(text), "[screen]\nsymbols = %01500d\n", 1);
	write_file(text);
	cr_assert_lt(iob_prefs_load(&prefs, &err), 0);
	cr_assert_not_null(strstr(err.text, "config:2: the line is too long"), "%s", err.text);
	cr_assert_str_eq(prefs.symbols, "auto");
}
