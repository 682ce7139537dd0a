/* SPDX-License-Identifier: MIT */
/* What a piece of the screen means; theme.c says how each role looks. */
#ifndef IOB_UI_ROLE_H
#define IOB_UI_ROLE_H

enum iob_role {
	IOB_ROLE_NORMAL,
	IOB_ROLE_TITLE, /* the top line */
	IOB_ROLE_BOX,   /* lines of a box */
	IOB_ROLE_HEAD,  /* title of a box, head of a table */
	IOB_ROLE_LABEL, /* names of values, axes */
	IOB_ROLE_VALUE,
	IOB_ROLE_READ,
	IOB_ROLE_WRITE,
	IOB_ROLE_TRIM,
	IOB_ROLE_MARK,
	IOB_ROLE_PENDING,
	IOB_ROLE_OK,
	IOB_ROLE_WARN,
	IOB_ROLE_ERROR,
	IOB_ROLE_KEY,    /* a key's name in the hint line */
	IOB_ROLE_SELECT, /* the chosen row of a list */
	IOB_NROLES,
};

#endif
