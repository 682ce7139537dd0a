/* SPDX-License-Identifier: MIT */
/* How each role looks on this terminal. */
#ifndef IOB_UI_THEME_H
#define IOB_UI_THEME_H

#include <curses.h>
#include <stdbool.h>

#include "ui/role.h"

/* After newterm.  Without colour the roles differ by attributes alone. */
void iob_theme_init(bool color);
attr_t iob_theme_attr(enum iob_role);

#endif
