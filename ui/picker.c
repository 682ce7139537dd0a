/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/picker.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ui/theme.h"

static bool make_items(struct iob_picker *p, const char *const *labels, size_t n, size_t cols)
{
	p->item = calloc(n + 1, sizeof(*p->item));
	p->label = calloc(n, sizeof(*p->label));
	if (!p->item || !p->label)
		return false;
	for (size_t i = 0; i < n; i++, p->count++) {
		/* Four bytes per cell are enough for any character that takes one. */
		p->label[i] = malloc(cols * 4 + 1);
		if (!p->label[i])
			return false;
		iob_text_pad(p->label[i], cols * 4 + 1, labels[i], cols);
		p->item[i] = new_item(p->label[i], NULL);
		if (!p->item[i]) {
			free(p->label[i]);
			return false;
		}
	}
	return true;
}

bool iob_picker_open(struct iob_picker *p, struct iob_rect r, const char *const *labels, size_t n,
	size_t current)
{
	memset(p, 0, sizeof(*p));
	if (r.rows < 1 || r.cols < 8 || n == 0)
		return false;
	p->win = newwin(r.rows, r.cols, r.y, r.x);
	if (!p->win || !make_items(p, labels, n, (size_t)r.cols - 2))
		goto failed;
	p->menu = new_menu(p->item);
	p->panel = new_panel(p->win);
	if (!p->menu || !p->panel)
		goto failed;
	set_menu_win(p->menu, p->win);
	set_menu_sub(p->menu, p->win);
	set_menu_format(p->menu, r.rows, 1);
	set_menu_mark(p->menu, "> ");
	set_menu_fore(p->menu, iob_theme_attr(IOB_ROLE_SELECT));
	set_menu_back(p->menu, iob_theme_attr(IOB_ROLE_NORMAL));
	if (post_menu(p->menu) != E_OK)
		goto failed;
	if (current < n)
		set_current_item(p->menu, p->item[current]);
	return true;
failed:
	iob_picker_close(p);
	return false;
}

void iob_picker_close(struct iob_picker *p)
{
	if (p->menu) {
		unpost_menu(p->menu);
		free_menu(p->menu);
	}
	for (size_t i = 0; i < p->count; i++) {
		free_item(p->item[i]);
		free(p->label[i]);
	}
	free(p->item);
	free(p->label);
	if (p->panel)
		del_panel(p->panel);
	if (p->win)
		delwin(p->win);
	memset(p, 0, sizeof(*p));
}

bool iob_picker_act(struct iob_picker *p, enum iob_action action)
{
	static const struct {
		enum iob_action action;
		int request;
	} moves[] = {{IOB_ACT_UP, REQ_UP_ITEM}, {IOB_ACT_DOWN, REQ_DOWN_ITEM},
		{IOB_ACT_PAGE_UP, REQ_SCR_UPAGE}, {IOB_ACT_PAGE_DOWN, REQ_SCR_DPAGE},
		{IOB_ACT_FIRST, REQ_FIRST_ITEM}, {IOB_ACT_LAST, REQ_LAST_ITEM}};

	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		if (moves[i].action != action)
			continue;
		if (p->menu)
			menu_driver(p->menu, moves[i].request);
		return true;
	}
	return false;
}

size_t iob_picker_current(const struct iob_picker *p)
{
	int index = p->menu ? item_index(current_item(p->menu)) : 0;

	return index < 0 ? 0 : (size_t)index;
}

void iob_picker_click(struct iob_picker *p, int line)
{
	int index = p->menu ? top_row(p->menu) + line : -1;

	if (line >= 0 && index >= 0 && (size_t)index < p->count)
		set_current_item(p->menu, p->item[index]);
}
