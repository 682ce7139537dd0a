/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/command.h"
#include "cli/listing.h"
#include "cli/wrap.h"
#include "job/param.h"

#define NAME_WIDTH    24
#define DEFAULT_WIDTH 8
#define MARK_WIDTH    3
#define VALUE_COLUMN  41
#define HELP_COLUMN   6

static const char *type_name(enum iob_param_type type)
{
	static const char *const names[] = {
		[IOB_P_BOOL] = "switch",
		[IOB_P_UINT] = "number",
		[IOB_P_BYTES] = "size",
		[IOB_P_RANGE] = "size or range",
		[IOB_P_AMOUNT] = "size or share",
		[IOB_P_TIME] = "time",
		[IOB_P_PERCENT] = "percentage",
		[IOB_P_CHOICE] = "choice",
		[IOB_P_TEXT] = "text",
	};

	return names[type];
}

static const char *shown_default(const struct iob_param *p)
{
	return p->initial[0] != '\0' ? p->initial : "-";
}

/* The unit is said where the values do not show it. */
static bool unit_helps(const struct iob_param *p)
{
	return p->unit[0] != '\0' && p->type != IOB_P_TIME && p->type != IOB_P_AMOUNT;
}

static void print_row(const struct iob_param *p)
{
	char legal[200];
	char values[240];
	int longer = (int)strlen(p->name) - NAME_WIDTH;
	int rest = longer > 0 && longer < DEFAULT_WIDTH ? DEFAULT_WIDTH - longer : DEFAULT_WIDTH;
	const char *mark =
		p->flags & IOB_PF_LIVE ? "yes" : (p->flags & IOB_PF_JOBFILE ? "fio" : "");
	int n = printf("  %-*s %-*s ", NAME_WIDTH, p->name, rest, shown_default(p));

	/* A long default takes its room from the mark. */
	n += printf("%-*s", n + MARK_WIDTH < VALUE_COLUMN ? MARK_WIDTH : (int)strlen(mark), mark);

	iob_param_legal(p, legal, sizeof(legal));
	snprintf(values, sizeof(values), "%s%s%s", legal, unit_helps(p) ? " " : "",
		unit_helps(p) ? p->unit : "");
	iob_print_wrapped(stdout, values, (size_t)n, VALUE_COLUMN);
	iob_print_wrapped(stdout, p->help, 0, HELP_COLUMN);
}

static void print_table(void)
{
	const char *group = "";

	printf("%-26s %-8s %-4s %s\n", "PARAMETER", "DEFAULT", "LIVE", "VALUES");
	puts("(fio under LIVE: for job files and \"iotop-bench fio\" only)");
	for (size_t i = 0; i < iob_param_count(); i++) {
		if (strcmp(group, iob_param_at(i)->group) != 0)
			printf("\n%s\n", iob_param_at(i)->group);
		group = iob_param_at(i)->group;
		print_row(iob_param_at(i));
	}
}

static void print_field(const char *label, const char *text)
{
	int n = printf("  %-10s", label);

	iob_print_wrapped(stdout, text, (size_t)n, 13);
}

static void print_choices(const struct iob_param *p)
{
	puts("  values");
	for (const struct iob_param_choice *c = p->choices; c->name; c++) {
		int n = printf("    %-10s", c->name);

		iob_print_wrapped(stdout, c->help, (size_t)n, 15);
	}
}

static void print_details(const struct iob_param *p)
{
	char legal[200];

	printf("%s\n", p->name);
	iob_print_wrapped(stdout, p->help, 0, 2);
	putchar('\n');
	if (p->aliases)
		print_field("also", p->aliases);
	print_field("group", p->group);
	print_field("type", type_name(p->type));
	print_field("default", p->initial[0] != '\0' ? p->initial : "not given");
	if (p->choices)
		print_choices(p);
	else if (p->type != IOB_P_TEXT)
		print_field("values", iob_param_legal(p, legal, sizeof(legal)));
	if (unit_helps(p))
		print_field("unit", p->unit);
	if (p->flags & IOB_PF_SPLIT)
		print_field("split", p->flags & IOB_PF_NO_TRIM
					     ? "one value for all, or read,write"
					     : "one value for all, or read,write,trim");
	if (p->flags & IOB_PF_JOBFILE)
		print_field("where", "job files and \"iotop-bench fio\" only");
	print_field("live", p->flags & IOB_PF_LIVE ? "yes, can be turned during the run" : "no");
}

static json_t *words_to_json(const char *words)
{
	json_t *array = json_array();

	while (words && *words != '\0') {
		size_t n = strcspn(words, ",");

		json_array_append_new(array, json_stringn(words, n));
		words += n + (words[n] == ',');
	}
	return array;
}

static void add_bounds(json_t *o, const struct iob_param *p)
{
	bool number = p->type != IOB_P_BOOL && p->type != IOB_P_CHOICE && p->type != IOB_P_TEXT;
	const char *unit = p->type == IOB_P_TIME ? "ns" : p->unit;

	json_object_set_new(o, "unit", json_string(number ? unit : ""));
	if (!number)
		return;
	json_object_set_new(o, "min", json_integer((json_int_t)p->min));
	/* JSON readers have no unsigned 64 bits; such a bound means none. */
	if (p->max <= INT64_MAX)
		json_object_set_new(o, "max", json_integer((json_int_t)p->max));
}

static json_t *row_to_json(const struct iob_param *p)
{
	json_t *o = json_object();

	json_object_set_new(o, "name", json_string(p->name));
	json_object_set_new(o, "aliases", words_to_json(p->aliases));
	json_object_set_new(o, "group", json_string(p->group));
	json_object_set_new(o, "type", json_string(type_name(p->type)));
	json_object_set_new(o, "default", json_string(p->initial));
	add_bounds(o, p);
	if (p->choices) {
		json_t *choices = json_array();

		for (const struct iob_param_choice *c = p->choices; c->name; c++)
			json_array_append_new(
				choices, json_pack("{s:s, s:s}", "name", c->name, "help", c->help));
		json_object_set_new(o, "choices", choices);
	}
	json_object_set_new(o, "live", json_boolean(p->flags & IOB_PF_LIVE));
	json_object_set_new(o, "split", json_boolean(p->flags & IOB_PF_SPLIT));
	json_object_set_new(o, "jobfile", json_boolean(p->flags & IOB_PF_JOBFILE));
	json_object_set_new(o, "effect", json_boolean(!(p->flags & IOB_PF_NO_EFFECT)));
	json_object_set_new(o, "help", json_string(p->help));
	return o;
}

static void print_json(const struct iob_param *only)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < iob_param_count(); i++) {
		if (!only || only == iob_param_at(i))
			json_array_append_new(rows, row_to_json(iob_param_at(i)));
	}
	json_t *root = json_pack("{s:o}", "params", rows);
	json_dumpf(root, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(root);
}

static const struct iob_param *find(const char *name, struct iob_error *err)
{
	const struct iob_param *p = iob_param_find(name);
	const char *near = p ? NULL : iob_param_suggest(name);

	if (!p && near)
		iob_fail_usage(err, "%.64s: no such parameter; did you mean %s?", name, near);
	else if (!p)
		iob_fail_usage(
			err, "%.64s: no such parameter; \"iotop-bench params\" lists them", name);
	return p;
}

int iob_cmd_params(int argc, char **argv)
{
	struct iob_listing a;
	struct iob_error err = {0};
	const struct iob_param *only = NULL;

	if (iob_listing_parse(&a, argc, argv, IOB_LISTING_ONE_NAME, &err) < 0)
		return iob_cli_error(&err);
	if (a.help) {
		puts("usage: iotop-bench params [NAME] [--format=text|json]\n\n"
		     "Lists the parameters of a job, or tells all about one of them.");
		return iob_cli_finish_stdout(IOB_EXIT_OK);
	}
	if (a.name) {
		only = find(a.name, &err);
		if (!only)
			return iob_cli_error(&err);
	}
	if (a.json)
		print_json(only);
	else if (only)
		print_details(only);
	else
		print_table();
	return iob_cli_finish_stdout(IOB_EXIT_OK);
}
