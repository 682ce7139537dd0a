/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/engines_print.h"

static int runs(struct iob_error *err)
{
	(void)err;
	return 0;
}

static int cannot(struct iob_error *err)
{
	return iob_fail(err, -EPERM,
		"broken: \"quoted\", a long explanation that does not fit on the rest of one line, so "
		"that it has to be broken somewhere between two of its words");
}

static const struct iob_engine good = {.name = "good",
	.summary = "does it",
	.caps = IOB_ENGINE_ASYNC | IOB_ENGINE_TRIM,
	.max_capacity = 77,
	.probe = runs};
static const struct iob_engine broken = {
	.name = "broken", .summary = "does not", .max_capacity = 1, .probe = cannot};

/* In place of engines/registry.c. */
const struct iob_engine *const iob_engines[] = {&good, &broken, NULL};

Test(engines, text_says_what_runs_and_why_not)
{
	IOB_FREE char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	iob_engines_print_text(f, NULL);
	fclose(f);
	cr_assert_not_null(strstr(text, "good          does it\n"), "%s", text);
	cr_assert_not_null(strstr(text, "broken        does not\n"), "%s", text);
	cr_assert_not_null(strstr(text, " runs here: iodepth"));
	cr_assert_not_null(strstr(text, "does not run here: \"quoted\""));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		cr_assert_leq(strlen(line), 80, "%s", line);
}

Test(engines, text_of_one)
{
	IOB_FREE char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	iob_engines_print_text(f, &broken);
	fclose(f);
	cr_assert_null(strstr(text, "good"));
	cr_assert_not_null(strstr(text, "broken"));
}

Test(engines, json_has_the_same)
{
	IOB_FREE char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	cr_assert_eq(iob_engines_print_json(f, NULL), 0);
	fclose(f);
	json_t *root = json_loads(text, 0, NULL);
	cr_assert_not_null(root, "%s", text);
	json_t *list = json_object_get(root, "engines");
	cr_assert_eq(json_array_size(list), 2);
	json_t *first = json_array_get(list, 0), *second = json_array_get(list, 1);
	cr_assert(json_is_true(json_object_get(first, "works")));
	cr_assert_null(json_object_get(first, "reason"));
	cr_assert_eq(json_integer_value(json_object_get(first, "max_iodepth")), 77);
	cr_assert_eq(json_array_size(json_object_get(first, "capabilities")), 2);
	cr_assert(json_is_false(json_object_get(second, "works")));
	cr_assert_not_null(
		strstr(json_string_value(json_object_get(second, "reason")), "\"quoted\""));
	json_decref(root);
}
