/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/engines_print.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "result/text_page.h"

struct capability {
	unsigned bit;
	const char *name;             /* in JSON */
	const char *present, *absent; /* in text; NULL = not worth a word */
};

static const struct capability capabilities[] = {
	{IOB_ENGINE_ASYNC, "async", "iodepth above 1", "iodepth 1 only"},
	{IOB_ENGINE_COMMANDS, "commands", "devices of its kind alone", NULL},
	{IOB_ENGINE_NO_TARGET, "no_target", "needs no target", NULL},
	{IOB_ENGINE_TRIM, "trim", "trim", "no trim"},
	{IOB_ENGINE_SYNC_OPS, "sync", "fsync", "no fsync"},
};
#define NAME_CELLS    14
#define NCAPABILITIES (sizeof(capabilities) / sizeof(*capabilities))

static bool is_wanted(const struct iob_engine *engine, const struct iob_engine *only)
{
	return !only || only == engine;
}

static void list_capabilities(char *buf, size_t n, const struct iob_engine *engine)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < NCAPABILITIES && used < n; i++) {
		const struct capability *c = &capabilities[i];
		const char *word = engine->caps & c->bit ? c->present : c->absent;

		if (word)
			used += (size_t)snprintf(
				buf + used, n - used, "%s%s", used ? ", " : "", word);
	}
}

/* An error begins with the name of the engine; in this list it stands at the left already. */
static const char *without_name(const char *text, const char *name)
{
	size_t n = strlen(name);

	return strncmp(text, name, n) == 0 && strncmp(text + n, ": ", 2) == 0 ? text + n + 2 : text;
}

static void print_engine(FILE *out, const struct iob_engine *engine)
{
	struct iob_error err = {0};
	char list[128];

	list_capabilities(list, sizeof(list), engine);
	iob_page_wide_field(out, NAME_CELLS, engine->name, "%s", engine->summary);
	if (engine->probe(&err) == 0)
		iob_page_wide_field(out, NAME_CELLS, "", "runs here: %s%s%s", list,
			err.text[0] ? "; " : "", err.text);
	else
		iob_page_wide_field(out, NAME_CELLS, "", "does not run here: %s",
			without_name(err.text, engine->name));
}

void iob_engines_print_text(FILE *out, const struct iob_engine *only)
{
	for (unsigned i = 0; iob_engines[i]; i++)
		if (is_wanted(iob_engines[i], only))
			print_engine(out, iob_engines[i]);
}

static json_t *engine_json(const struct iob_engine *engine)
{
	struct iob_error err = {0};
	bool works = engine->probe(&err) == 0;
	json_t *caps = json_array();

	for (size_t i = 0; i < NCAPABILITIES; i++)
		if (engine->caps & capabilities[i].bit)
			json_array_append_new(caps, json_string(capabilities[i].name));
	const char *text = works ? "remark" : "reason";
	return json_pack("{s:s, s:s, s:b, s:o*, s:I, s:o}", "name", engine->name, "summary",
		engine->summary, "works", works, text, err.text[0] ? json_string(err.text) : NULL,
		"max_iodepth", (json_int_t)engine->max_capacity, "capabilities", caps);
}

int iob_engines_print_json(FILE *out, const struct iob_engine *only)
{
	json_t *list = json_array();

	for (unsigned i = 0; iob_engines[i]; i++)
		if (is_wanted(iob_engines[i], only) &&
			json_array_append_new(list, engine_json(iob_engines[i])) < 0) {
			json_decref(list);
			return -ENOMEM;
		}
	json_t *root = json_pack("{s:o}", "engines", list);
	if (!root)
		return -ENOMEM;
	int ret = json_dumpf(root, out, JSON_INDENT(2));
	json_decref(root);
	if (ret < 0 || fputc('\n', out) == EOF)
		return -EIO;
	return 0;
}
