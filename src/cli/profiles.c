/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/wrap.h"
#include "job/param.h"
#include "job/profile.h"

static int print_list(struct iob_error *err)
{
	IOB_FREE struct iob_profile_entry *list = NULL;
	char name[IOB_NAME_MAX];
	int n = iob_profile_list(&list, err);

	if (n < 0)
		return n;
	for (int i = 0; i < n; i++) {
		int column = printf("%-14s", iob_text_clean(name, sizeof(name), list[i].name));

		iob_print_wrapped(stdout, list[i].summary, (size_t)column, 15);
	}
	if (n == 0)
		puts("No profiles were found; $IOTOP_BENCH_PROFILES names directories of them.");
	puts("\n\"iotop-bench profiles NAME\" shows one in full; \"-p NAME\" runs it.");
	return 0;
}

/* Another name for a value that a row before has shown. */
static bool is_second_name(const struct iob_param *p)
{
	for (size_t i = 0; i < iob_param_index(p); i++) {
		if (iob_param_at(i)->offset == p->offset)
			return true;
	}
	return false;
}

static void print_rows(const struct iob_job *job, bool given)
{
	char value[IOB_LIST_MAX];

	for (size_t i = 0; i < iob_param_count(); i++) {
		const struct iob_param *p = iob_param_at(i);
		bool shown = iob_param_is_given(job, p) == given;

		iob_param_get(job, p, value, sizeof(value));
		if (!given && (value[0] == '\0' || is_second_name(p) ||
				      (p->flags & (IOB_PF_NO_EFFECT | IOB_PF_JOBFILE))))
			shown = false;
		/* The section says it. */
		if (shown && strcmp(p->name, "name") != 0)
			printf("%s%s = %s\n", given ? "" : "# ", p->name,
				iob_text_clean(value, sizeof(value), value));
	}
}

/* What is printed is a profile itself, so that it can be the start of another. */
static int print_profile(const char *name, struct iob_error *err)
{
	char path[IOB_PATH_MAX];
	struct iob_profile_entry entry;
	IOB_FREE struct iob_plan *plan = malloc(sizeof(*plan));
	int rc = iob_profile_find(&entry, name, err);

	if (rc < 0)
		return rc;
	if (!plan)
		return iob_fail(err, -ENOMEM, "profile %.64s: %m", name);
	iob_plan_init(plan);
	rc = iob_profile_load(plan, name, err);
	if (rc < 0)
		return rc;
	printf("# %s\n[profile]\n", iob_text_clean(path, sizeof(path), entry.path));
	if (entry.summary[0] != '\0')
		printf("summary = %s\n", entry.summary);
	for (unsigned i = 0; i < plan->nstages; i++) {
		printf("\n[%s]\n", plan->stage[i].name);
		print_rows(&plan->stage[i], true);
		puts("# at the default:");
		print_rows(&plan->stage[i], false);
	}
	return 0;
}

int iob_cmd_profiles(int argc, char **argv)
{
	static const struct option options[] = {
		{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
	struct iob_error err = {0};
	int c = 0;

	opterr = 0;
	optind = 0;
	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (c == 'h') {
			puts("usage: iotop-bench profiles [NAME|FILE]\n\n"
			     "Lists the profiles, or shows one with all its parameters.");
			return iob_cli_finish_stdout(IOB_EXIT_OK);
		}
		iob_fail_usage(&err, "profiles: %.64s: no such option; only --help is possible",
			argv[optind - 1]);
		return iob_cli_error(&err);
	}
	if (argc - optind > 1) {
		iob_fail_usage(
			&err, "profiles: %.64s: only one NAME is possible", argv[optind + 1]);
		return iob_cli_error(&err);
	}
	int rc = optind < argc ? print_profile(argv[optind], &err) : print_list(&err);
	return rc < 0 ? iob_cli_error(&err) : iob_cli_finish_stdout(IOB_EXIT_OK);
}
