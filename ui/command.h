/* SPDX-License-Identifier: MIT */
/* The grammar of the command line (`:`) and of --script files: a verb and at most one argument. */
#ifndef IOB_UI_COMMAND_H
#define IOB_UI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum iob_verb {
	IOB_VERB_NONE, /* an empty line or a comment */
	IOB_VERB_QD,
	IOB_VERB_BS,
	IOB_VERB_RW,
	IOB_VERB_RD,
	IOB_VERB_CAP,
	IOB_VERB_JOBS,
	IOB_VERB_UNDO,
	IOB_VERB_REDO,
	IOB_VERB_PAUSE,
	IOB_VERB_RESET,
	IOB_VERB_MARK,
	IOB_VERB_BASELINE,
	IOB_VERB_VIEW,
	IOB_VERB_ZOOM,
	IOB_VERB_YAXIS,
	IOB_VERB_SWEEP,
	IOB_VERB_DELAY,
	IOB_VERB_SYMBOLS,
	IOB_VERB_COLOR,
	IOB_VERB_MOUSE,
	IOB_VERB_SAVE,
	IOB_VERB_DUMP,
	IOB_VERB_SLEEP,
	IOB_VERB_START,
	IOB_VERB_STOP,
	IOB_VERB_QUIT,
};

struct iob_verb_row {
	const char *name;
	enum iob_verb verb;
	const char *argument; /* as the help calls it, NULL = takes none; in [ ] if it may be left
				 out */
	const char *help;
};

extern const struct iob_verb_row iob_verbs[]; /* ends with name NULL */

struct iob_command {
	enum iob_verb verb;
	char text[512]; /* the argument, "" = none */
};

/* Blanks around the words do not matter; '#' begins a comment line.  Usage errors name the word and
 * what is possible. */
int iob_command_parse(struct iob_command *, const char *line, struct iob_error *);

#endif
