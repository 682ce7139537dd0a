/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/wrap.h"
#include "job/param.h"

#define HELP_COLUMN 28

static void print_own(const struct iob_own_option *o)
{
	char head[64];
	char letter[] = {'-', o->letter, ',', ' ', '\0'};
	int n = snprintf(head, sizeof(head), "  %s--%s%s%s", o->letter != 0 ? letter : "    ",
		o->name, o->value ? "=" : "", o->value ? o->value : "");

	fputs(head, stdout);
	iob_print_wrapped(stdout, o->help, (size_t)n, HELP_COLUMN);
}

/* Bytes of the first sentence: it ends with a stop before a blank, not with that of a version. */
static size_t first_sentence(const char *text)
{
	const char *stop = strstr(text, ". ");

	return stop ? (size_t)(stop - text) + 1 : strlen(text);
}

static void print_param(const struct iob_param *p)
{
	static const char *const words[] = {
		[IOB_P_BOOL] = "[=0|1]",
		[IOB_P_UINT] = "=N",
		[IOB_P_BYTES] = "=SIZE",
		[IOB_P_RANGE] = "=SIZE",
		[IOB_P_AMOUNT] = "=SIZE|N%",
		[IOB_P_TIME] = "=TIME",
		[IOB_P_PERCENT] = "=N",
		[IOB_P_CHOICE] = "=WORD",
		[IOB_P_TEXT] = "=TEXT",
	};
	char head[64];
	char legal[200];
	char help[512];
	int n = snprintf(head, sizeof(head), "  --%s%s", p->name, words[p->type]);
	bool choice = p->type == IOB_P_CHOICE;

	/* The short story; `params NAME` tells the whole. */
	snprintf(help, sizeof(help), "%.*s%s%s%s", (int)first_sentence(p->help), p->help,
		choice ? " One of " : "", choice ? iob_param_legal(p, legal, sizeof(legal)) : "",
		choice ? "." : "");
	fputs(head, stdout);
	iob_print_wrapped(stdout, help, (size_t)n, HELP_COLUMN);
}

void iob_options_print_help(void)
{
	const char *group = "";

	puts("Options (one or two dashes; the value after \"=\" or as the next word):");
	for (const struct iob_own_option *o = iob_own_options; o->name; o++)
		print_own(o);
	puts("\nParameters of the job (\"iotop-bench params NAME\" tells more):");
	for (size_t i = 0; i < iob_param_count(); i++) {
		const struct iob_param *p = iob_param_at(i);

		if (p->flags & (IOB_PF_NO_EFFECT | IOB_PF_JOBFILE))
			continue;
		if (strcmp(group, p->group) != 0)
			printf("%s%s:\n", group[0] != '\0' ? "\n" : "", p->group);
		group = p->group;
		print_param(p);
	}
}
