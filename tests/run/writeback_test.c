/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/writeback.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64];

static void say(const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	FILE *f = fopen(path, "we");
	cr_assert_not_null(f);
	fputs(text, f);
	cr_assert_eq(fclose(f), 0);
}

static void begin(void)
{
	char path[128];

	snprintf(root, sizeof(root), "/tmp/iob-writeback-XXXXXX");
	cr_assert_not_null(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/proc", root);
	cr_assert_eq(mkdir(path, 0700), 0);
}

static void end(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	unlink(path);
	snprintf(path, sizeof(path), "%s/proc", root);
	rmdir(path);
	rmdir(root);
}

TestSuite(writeback, .init = begin, .fini = end, .timeout = 5);

Test(writeback, only_less_than_ever_before_is_progress)
{
	struct iob_writeback w = {0};

	say("MemFree: 5 kB\nDirty:  100 kB\nWriteback:   20 kB\nWritebackTmp: 9 kB\n");
	cr_assert(iob_writeback_goes_on(&w, root));
	cr_assert_not(iob_writeback_goes_on(&w, root));
	say("Dirty:  500 kB\nWriteback:   0 kB\n");
	cr_assert_not(iob_writeback_goes_on(&w, root));
	say("Dirty:  120 kB\nWriteback:   0 kB\n");
	cr_assert_not(iob_writeback_goes_on(&w, root));
	say("Dirty:  100 kB\nWriteback:   19 kB\n");
	cr_assert(iob_writeback_goes_on(&w, root));
}

Test(writeback, what_cannot_be_read_is_no_progress)
{
	struct iob_writeback w = {0};

	cr_assert_not(iob_writeback_goes_on(&w, root));
	say("Dirty: many\n");
	cr_assert_not(iob_writeback_goes_on(&w, root));
}
