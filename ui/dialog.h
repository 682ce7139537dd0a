/* SPDX-License-Identifier: MIT */
/* A question above the screen: a list of answers, or one line to type.  Never blocks; the run
 * underneath goes on being drawn. */
#ifndef IOB_UI_DIALOG_H
#define IOB_UI_DIALOG_H

#include <stdbool.h>
#include <stdint.h>

#include "job/param.h"
#include "ui/lines.h"
#include "ui/widget_canvas.h"

struct iob_app;

struct iob_dialog_spec {
	const char *title;
	const char *text; /* broken into lines; may be NULL */
	/* One of these two. */
	const char *const *choices;    /* ends with NULL; the first has the focus */
	bool question;                 /* y takes the last answer, n the first */
	const char *initial;           /* of the line to type */
	const struct iob_param *param; /* the line is a value of it; may be NULL */
	const char *must_equal; /* Enter does nothing before this has been typed; may be NULL */
	bool may_be_empty;      /* Enter takes an empty line, too */
	const char *hint;       /* last line: what the keys do */
	uint64_t timeout_ns;    /* closes itself as if cancelled; 0 = stays */
	/* choice: index, 0 for a typed line, -1 when cancelled (text is "" then). */
	void (*done)(struct iob_app *, int choice, const char *text);
};

struct iob_dialog;

/* Texts are copied.  NULL when there is no memory or no room. */
struct iob_dialog *iob_dialog_open(const struct iob_dialog_spec *, enum iob_glyphs, int screen_rows,
	int screen_cols, uint64_t now_ns);
void iob_dialog_close(struct iob_dialog *);
/* True when it is over: *choice as for done; the text is valid until it is closed. */
bool iob_dialog_key(struct iob_dialog *, int key, int *choice);
bool iob_dialog_expired(const struct iob_dialog *, uint64_t now_ns);
void iob_dialog_draw(struct iob_dialog *, uint64_t now_ns);
/* The same question for another size of the screen, with what was typed; NULL if it does not fit.
 */
struct iob_dialog *iob_dialog_resize(
	struct iob_dialog *, int screen_rows, int screen_cols, uint64_t now_ns);
void iob_dialog_finish(struct iob_dialog *, struct iob_app *, int choice);

#endif
