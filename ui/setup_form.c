/* SPDX-License-Identifier: MIT */
/* The form of parameters: rows of the parameter table, those that people turn first on top. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/engine.h"
#include "ui/setup.h"

#define MOST_CHOICES 16

/* The target has a list of its own; second names for a value would only confuse. */
static bool is_shown(const struct iob_param *p)
{
	static const char *const others[] = {"filename", "directory", "name", "bsrange", NULL};

	for (int i = 0; others[i]; i++)
		if (strcmp(others[i], p->name) == 0)
			return false;
	return !(p->flags & (IOB_PF_NO_EFFECT | IOB_PF_COMPLEMENT | IOB_PF_JOBFILE));
}

int iob_setup_make_form(struct iob_setup *s, struct iob_error *err)
{
	s->param = calloc(iob_param_count(), sizeof(*s->param));
	if (!s->param)
		return iob_fail(err, -ENOMEM, "setup screen: %m");
	for (unsigned common = IOB_PF_COMMON;; common = 0) {
		for (size_t i = 0; i < iob_param_count(); i++)
			if (is_shown(iob_param_at(i)) &&
				(iob_param_at(i)->flags & IOB_PF_COMMON) == common)
				s->param[s->nparams++] = iob_param_at(i);
		if (common == 0)
			break;
	}
	return 0;
}

static bool differs(const struct iob_app *app, const struct iob_param *p)
{
	char a[256], b[256];

	iob_param_get(&app->plan->stage[app->setup->stage], p, a, sizeof(a));
	iob_param_get(&app->setup->base->stage[app->setup->stage], p, b, sizeof(b));
	return strcmp(a, b) != 0;
}

bool iob_setup_is_edited(const struct iob_app *app)
{
	for (size_t i = 0; i < app->setup->nparams; i++)
		if (differs(app, app->setup->param[i]))
			return true;
	return false;
}

void iob_setup_open_form(struct iob_app *app)
{
	struct iob_setup *s = app->setup;
	char(*text)[256] = calloc(s->nparams, sizeof(*text));
	const char **label = calloc(s->nparams, sizeof(*label));
	int name_cols = s->box[IOB_SETUP_PARAMS].cols >= 70 ? 22 : 12;

	for (size_t i = 0; text && label && i < s->nparams; i++) {
		const struct iob_param *p = s->param[i];
		char value[128];

		iob_param_get(&app->plan->stage[app->setup->stage], p, value, sizeof(value));
		snprintf(text[i], sizeof(text[i]), "%-*.22s <%9.20s>%c %.180s", name_cols, p->name,
			value[0] ? value : "-", differs(app, p) ? '*' : ' ', p->help);
		label[i] = text[i];
	}
	if (text && label)
		iob_picker_open(&s->params, iob_rect_inside(s->box[IOB_SETUP_PARAMS]), label,
			s->nparams, s->param_at);
	free(label);
	free(text);
}

static void reopen(struct iob_app *app)
{
	iob_picker_close(&app->setup->params);
	iob_setup_open_form(app);
}

void iob_setup_step(struct iob_app *app, int direction)
{
	const struct iob_param *p = app->setup->param[app->setup->param_at];
	bool moved = false;

	for (unsigned i = 0; i < app->plan->nstages; i++)
		moved |= iob_param_step(&app->plan->stage[i], p, direction);
	if (!moved)
		iob_app_say(app, IOB_TOAST_WARN,
			p->type == IOB_P_TEXT || p->type == IOB_P_AMOUNT
				? "Enter types a value for this one"
				: "this is as far as it goes");
	reopen(app);
}

static void take(struct iob_app *app, const char *text)
{
	const struct iob_param *p = app->setup->param[app->setup->param_at];
	struct iob_error err = {.code = 0};

	if (iob_plan_set(app->plan, p->name, text, &err) < 0)
		iob_app_say(app, IOB_TOAST_ERROR, err.text);
	reopen(app);
}

static void value_typed(struct iob_app *app, int choice, const char *text)
{
	if (choice >= 0)
		take(app, text);
}

/* The words that can be chosen for a row, ended by NULL; 0 when it is no such row. */
static size_t words_of(const struct iob_param *p, const char **words)
{
	size_t n = 0;

	if (strcmp(p->name, "ioengine") == 0)
		for (; n < MOST_CHOICES && iob_engines[n]; n++)
			words[n] = iob_engines[n]->name;
	if (p->type == IOB_P_CHOICE)
		for (const struct iob_param_choice *c = p->choices; c->name && n < MOST_CHOICES;
			c++)
			if (n == 0 || c->value > (c - 1)->value)
				words[n++] = c->name;
	words[n] = NULL;
	return n;
}

static void word_chosen(struct iob_app *app, int choice, const char *text)
{
	const char *words[MOST_CHOICES + 1];
	size_t n = words_of(app->setup->param[app->setup->param_at], words);

	(void)text;
	if (choice >= 0 && (size_t)choice < n)
		take(app, words[choice]);
}

void iob_setup_edit(struct iob_app *app)
{
	const struct iob_param *p = app->setup->param[app->setup->param_at];
	const char *words[MOST_CHOICES + 1];
	char value[IOB_LIST_MAX], text[600], legal[160];

	if (p->type == IOB_P_BOOL) {
		iob_param_get(&app->plan->stage[app->setup->stage], p, value, sizeof(value));
		take(app, strcmp(value, "0") == 0 ? "1" : "0");
		return;
	}
	if (words_of(p, words) > 0) {
		iob_app_ask(app, &(struct iob_dialog_spec){.title = p->name,
					 .text = p->help,
					 .choices = words,
					 .hint = "Enter takes it   Esc cancels",
					 .done = word_chosen});
		return;
	}
	snprintf(text, sizeof(text), "%s  (%s)", p->help, iob_param_legal(p, legal, sizeof(legal)));
	iob_app_ask(app, &(struct iob_dialog_spec){
				 .title = p->name,
				 .text = text,
				 .initial = iob_param_get(&app->plan->stage[app->setup->stage], p,
					 value, sizeof(value)),
				 .param = p,
				 .may_be_empty = true,
				 .hint = "Enter sets it   Up Down step   Esc cancels",
				 .done = value_typed,
			 });
}
