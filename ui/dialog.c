/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/dialog.h"

#include <form.h>
#include <inttypes.h>
#include <panel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/field_param.h"
#include "ui/keymap.h"
#include "ui/picker.h"
#include "ui/theme.h"

#define WIDTH       66
#define MOST_TYPED  4095
#define MOST_CHOICE 8

struct iob_dialog {
	struct iob_dialog_spec spec;
	char *owned[MOST_CHOICE + 5]; /* copies of all texts of spec */
	unsigned nowned;
	const char *choices[MOST_CHOICE + 1];
	uint64_t deadline_ns;
	enum iob_glyphs glyphs;
	WINDOW *win;
	PANEL *panel;
	struct iob_rect rect;
	struct iob_lines lines;
	struct iob_picker picker;
	FIELD *field[2];
	FORM *form;
	struct iob_field_param value;
	bool wrong; /* what was typed last is no value */
	WINDOW *line;
	char typed[MOST_TYPED + 1];
};

static const char *keep(struct iob_dialog *d, const char *text)
{
	if (!text)
		return NULL;
	d->owned[d->nowned] = strdup(text);
	return d->owned[d->nowned] ? d->owned[d->nowned++] : "";
}

static void keep_all(struct iob_dialog *d, const struct iob_dialog_spec *spec)
{
	d->spec = *spec;
	d->spec.title = keep(d, spec->title);
	d->spec.text = keep(d, spec->text);
	d->spec.initial = keep(d, spec->initial);
	d->spec.must_equal = keep(d, spec->must_equal);
	d->spec.hint = keep(d, spec->hint);
	if (!spec->choices)
		return;
	for (int i = 0; i < MOST_CHOICE && spec->choices[i]; i++)
		d->choices[i] = keep(d, spec->choices[i]);
	d->spec.choices = d->choices;
}

static size_t choice_count(const struct iob_dialog *d)
{
	size_t n = 0;

	while (d->spec.choices && d->choices[n])
		n++;
	return n;
}

static bool open_form(struct iob_dialog *d, int y)
{
	int cols = d->rect.cols - 4;

	d->field[0] = new_field(1, cols, 0, 0, 0, 0);
	if (!d->field[0])
		return false;
	field_opts_off(d->field[0], O_STATIC | O_AUTOSKIP | O_BLANK);
	set_max_field(d->field[0], MOST_TYPED);
	set_field_back(d->field[0], A_UNDERLINE);
	set_field_buffer(d->field[0], 0, d->spec.initial);
	if (d->spec.param) {
		iob_job_defaults(&d->value.job);
		d->value.param = d->spec.param;
		d->value.may_be_empty = d->spec.may_be_empty;
		if (!iob_field_param_attach(d->field[0], &d->value))
			return false;
	}
	d->form = new_form(d->field);
	d->line = derwin(d->win, 1, cols, y, 2);
	if (!d->form || !d->line)
		return false;
	set_form_win(d->form, d->line);
	set_form_sub(d->form, d->line);
	if (post_form(d->form) != E_OK)
		return false;
	form_driver(d->form, REQ_END_LINE);
	curs_set(1);
	return true;
}

static bool open_input(struct iob_dialog *d, int y)
{
	struct iob_rect r = {d->rect.y + y, d->rect.x + 2, (int)choice_count(d), d->rect.cols - 4};

	if (!d->spec.choices)
		return open_form(d, y);
	return iob_picker_open(&d->picker, r, d->choices, choice_count(d), 0);
}

static bool show(struct iob_dialog *d, int screen_rows, int screen_cols)
{
	int width = WIDTH < screen_cols ? WIDTH : screen_cols;
	int input = d->spec.choices ? (int)choice_count(d) : 1;

	iob_lines_free(&d->lines);
	if (d->spec.text && width > 8)
		iob_lines_wrap(&d->lines, IOB_ROLE_NORMAL, (size_t)width - 4, "", d->spec.text);
	int rows = (int)d->lines.count + input + 4 + (d->lines.count ? 1 : 0);
	/* On a low screen the explanation goes first. */
	if (rows > screen_rows) {
		int keep_lines = screen_rows - input - 5;

		d->lines.count = keep_lines > 0 ? (size_t)keep_lines : 0;
		rows = (int)d->lines.count + input + 4 + (d->lines.count ? 1 : 0);
	}
	d->rect = iob_layout_centre(screen_rows, screen_cols, rows, width);
	if (d->rect.rows < input + 2 || d->rect.cols < 16)
		return false;
	d->win = newwin(d->rect.rows, d->rect.cols, d->rect.y, d->rect.x);
	d->panel = d->win ? new_panel(d->win) : NULL;
	if (!d->panel)
		return false;
	keypad(d->win, TRUE);
	return open_input(d, 1 + (int)d->lines.count + (d->lines.count ? 1 : 0));
}

static void hide(struct iob_dialog *d)
{
	iob_picker_close(&d->picker);
	if (d->form) {
		curs_set(0);
		unpost_form(d->form);
		free_form(d->form);
	}
	if (d->field[0])
		free_field(d->field[0]);
	iob_field_param_free(&d->value);
	if (d->line)
		delwin(d->line);
	if (d->panel)
		del_panel(d->panel);
	if (d->win)
		delwin(d->win);
	d->form = NULL;
	d->field[0] = NULL;
	d->line = NULL;
	d->panel = NULL;
	d->win = NULL;
}

struct iob_dialog *iob_dialog_open(const struct iob_dialog_spec *spec, enum iob_glyphs glyphs,
	int screen_rows, int screen_cols, uint64_t now_ns)
{
	struct iob_dialog *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	keep_all(d, spec);
	d->glyphs = glyphs;
	d->deadline_ns = spec->timeout_ns ? now_ns + spec->timeout_ns : 0;
	if (!show(d, screen_rows, screen_cols)) {
		iob_dialog_close(d);
		return NULL;
	}
	return d;
}

void iob_dialog_close(struct iob_dialog *d)
{
	if (!d)
		return;
	hide(d);
	iob_lines_free(&d->lines);
	for (unsigned i = 0; i < d->nowned; i++)
		free(d->owned[i]);
	free(d);
}

/* What was typed, without blanks at its end; valid until the next call. */
static const char *typed_text(struct iob_dialog *d)
{
	d->typed[0] = '\0';
	if (!d->form)
		return d->typed;
	form_driver(d->form, REQ_VALIDATION);
	snprintf(d->typed, sizeof(d->typed), "%s", field_buffer(d->field[0], 0));
	size_t n = strlen(d->typed);
	while (n > 0 && d->typed[n - 1] == ' ')
		d->typed[--n] = '\0';
	return d->typed;
}

static void edit(struct iob_dialog *d, int key)
{
	static const struct {
		int key, request;
	} requests[] = {{IOB_KEY_LEFT, REQ_PREV_CHAR}, {IOB_KEY_RIGHT, REQ_NEXT_CHAR},
		{IOB_KEY_HOME, REQ_BEG_LINE}, {IOB_KEY_END, REQ_END_LINE},
		{IOB_KEY_BACKSPACE, REQ_DEL_PREV}, {IOB_KEY_DELETE, REQ_DEL_CHAR},
		{IOB_KEY_CTRL('A'), REQ_BEG_LINE}, {IOB_KEY_CTRL('E'), REQ_END_LINE},
		{IOB_KEY_CTRL('U'), REQ_CLR_FIELD}, {IOB_KEY_CTRL('K'), REQ_CLR_EOL},
		{IOB_KEY_UP, REQ_NEXT_CHOICE}, {IOB_KEY_DOWN, REQ_PREV_CHOICE}};

	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		if (requests[i].key == key) {
			form_driver(d->form, requests[i].request);
			return;
		}
	}
	if (key >= ' ' && key < IOB_KEY_SPECIAL)
		form_driver_w(d->form, OK, (wchar_t)key);
}

static bool may_accept(struct iob_dialog *d)
{
	const char *text = typed_text(d);

	if (d->spec.param) {
		d->wrong = form_driver(d->form, REQ_VALIDATION) != E_OK;
		return !d->wrong;
	}
	if (d->spec.must_equal) {
		d->wrong = strcmp(text, d->spec.must_equal) != 0;
		return !d->wrong;
	}
	return d->spec.may_be_empty || text[0] != '\0';
}

bool iob_dialog_key(struct iob_dialog *d, int key, int *choice)
{
	*choice = -1;
	if (key == IOB_KEY_ESC || key == IOB_KEY_CTRL('C'))
		return true;
	if (!d->spec.choices) {
		if (key != IOB_KEY_ENTER) {
			d->wrong = false;
			edit(d, key);
			return false;
		}
		*choice = 0;
		return may_accept(d);
	}
	size_t n = choice_count(d);
	if (key == IOB_KEY_ENTER)
		*choice = (int)iob_picker_current(&d->picker);
	else if (d->spec.question && (key == 'y' || key == 'n'))
		*choice = key == 'y' ? (int)n - 1 : 0;
	else if (key >= '1' && (size_t)(key - '0') <= n)
		*choice = key - '1';
	else
		iob_picker_act(&d->picker, iob_keymap_find(IOB_SCREEN_SETUP, key));
	return *choice >= 0;
}

bool iob_dialog_expired(const struct iob_dialog *d, uint64_t now_ns)
{
	return d->deadline_ns && now_ns >= d->deadline_ns;
}

static void say_wrong(const struct iob_dialog *d, struct iob_canvas *c, struct iob_rect inside)
{
	if (d->spec.must_equal)
		iob_canvas_printf(c, inside, inside.rows - 1, 1, IOB_ROLE_ERROR,
			"This is not it: type exactly %s", d->spec.must_equal);
	else
		iob_canvas_text(c, inside, inside.rows - 1, 1, IOB_ROLE_ERROR,
			d->value.error.code ? d->value.error.text : "this is no value");
}

void iob_dialog_draw(struct iob_dialog *d, uint64_t now_ns)
{
	struct iob_canvas c = {.win = d->win, .glyphs = d->glyphs};
	struct iob_rect all = {0, 0, d->rect.rows, d->rect.cols};
	struct iob_rect inside = iob_rect_inside(all);
	char left[24] = "";

	if (d->deadline_ns > now_ns)
		snprintf(left, sizeof(left), "%" PRIu64 " s",
			(d->deadline_ns - now_ns) / 1000000000 + 1);
	iob_canvas_box(&c, all, d->spec.title, "");
	/* The seconds get shorter, the line under them does not come back by itself. */
	if (left[0])
		iob_canvas_printf(&c, (struct iob_rect){0, 0, 1, d->rect.cols}, 0, d->rect.cols - 8,
			IOB_ROLE_WARN, " %s ", left);
	for (size_t i = 0; i < d->lines.count; i++)
		iob_canvas_text(
			&c, inside, (int)i, 1, d->lines.item[i].role, d->lines.item[i].text);
	if (d->wrong) {
		iob_canvas_fill(&c,
			(struct iob_rect){inside.y + inside.rows - 1, inside.x, 1, inside.cols},
			IOB_ROLE_NORMAL);
		say_wrong(d, &c, inside);
	} else if (d->spec.hint)
		iob_canvas_text(&c, inside, inside.rows - 1, 1, IOB_ROLE_LABEL, d->spec.hint);
	if (d->form) {
		int y = 0, x = 0;

		touchwin(d->win);
		pos_form_cursor(d->form);
		/* The cursor that counts is that of the panel's window. */
		getyx(d->line, y, x);
		wmove(d->win, getpary(d->line) + y, getparx(d->line) + x);
	}
}

struct iob_dialog *iob_dialog_resize(
	struct iob_dialog *d, int screen_rows, int screen_cols, uint64_t now_ns)
{
	(void)now_ns;
	char *typed = d->form ? strdup(typed_text(d)) : NULL;

	hide(d);
	if (!show(d, screen_rows, screen_cols)) {
		free(typed);
		return NULL;
	}
	if (typed && d->form) {
		set_field_buffer(d->field[0], 0, typed);
		form_driver(d->form, REQ_END_LINE);
	}
	free(typed);
	return d;
}

void iob_dialog_finish(struct iob_dialog *d, struct iob_app *app, int choice)
{
	void (*done)(struct iob_app *, int, const char *) = d->spec.done;
	char *text = strdup(choice < 0 ? "" : typed_text(d));

	/* Closed first: the answer may open the next question. */
	iob_dialog_close(d);
	done(app, choice, text ? text : "");
	free(text);
}
