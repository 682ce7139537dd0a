/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/theme.h"

struct look {
	short foreground; /* -1 = the terminal's own */
	attr_t attr, mono;
};

/* The eight base colours only, background as it is: readable on dark and on light. */
static const struct look looks[IOB_NROLES] = {
	[IOB_ROLE_NORMAL] = {-1, A_NORMAL, A_NORMAL},
	[IOB_ROLE_TITLE] = {-1, A_REVERSE, A_REVERSE},
	[IOB_ROLE_BOX] = {-1, A_DIM, A_NORMAL},
	[IOB_ROLE_HEAD] = {-1, A_BOLD, A_BOLD},
	[IOB_ROLE_LABEL] = {-1, A_DIM, A_NORMAL},
	[IOB_ROLE_VALUE] = {-1, A_BOLD, A_BOLD},
	[IOB_ROLE_READ] = {COLOR_CYAN, A_NORMAL, A_NORMAL},
	[IOB_ROLE_WRITE] = {COLOR_YELLOW, A_NORMAL, A_NORMAL},
	[IOB_ROLE_TRIM] = {COLOR_MAGENTA, A_NORMAL, A_NORMAL},
	[IOB_ROLE_MARK] = {COLOR_MAGENTA, A_BOLD, A_BOLD},
	[IOB_ROLE_PENDING] = {COLOR_YELLOW, A_BOLD, A_REVERSE},
	[IOB_ROLE_OK] = {COLOR_GREEN, A_NORMAL, A_NORMAL},
	[IOB_ROLE_WARN] = {COLOR_YELLOW, A_BOLD, A_BOLD},
	[IOB_ROLE_ERROR] = {COLOR_RED, A_BOLD, A_REVERSE},
	[IOB_ROLE_KEY] = {-1, A_BOLD, A_BOLD},
	[IOB_ROLE_SELECT] = {-1, A_REVERSE, A_REVERSE},
};

static bool colored;

void iob_theme_init(bool color)
{
	colored = color && has_colors() && start_color() == OK;
	if (!colored)
		return;
	short background = use_default_colors() == OK ? -1 : COLOR_BLACK;
	for (int role = 0; role < IOB_NROLES; role++) {
		short foreground = looks[role].foreground;

		if (foreground < 0 && background >= 0)
			foreground = COLOR_WHITE;
		init_pair((short)(role + 1), foreground, background);
	}
}

attr_t iob_theme_attr(enum iob_role role)
{
	const struct look *look = &looks[role];

	if (!colored)
		return look->mono;
	if (look->foreground < 0)
		return look->attr;
	return look->attr | (attr_t)COLOR_PAIR(role + 1);
}
