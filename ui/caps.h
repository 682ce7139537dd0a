/* SPDX-License-Identifier: MIT */
/* What this terminal can be trusted with: decided from facts, without looking at the machine. */
#ifndef IOB_UI_CAPS_H
#define IOB_UI_CAPS_H

#include <stdbool.h>
#include <stdint.h>

/* Levels per row of a graph: ascii 4, console and block 2, braille 4 with two samples per column.
 */
enum iob_glyphs {
	IOB_GLYPHS_ASCII,
	IOB_GLYPHS_CONSOLE, /* only what code page 437 has */
	IOB_GLYPHS_BLOCK,
	IOB_GLYPHS_BRAILLE,
};

enum iob_link {
	IOB_LINK_LOCAL,  /* pseudo terminal, not through ssh */
	IOB_LINK_REMOTE, /* through ssh */
	IOB_LINK_VT,     /* the kernel's own console */
	IOB_LINK_SERIAL,
};

struct iob_caps_facts {
	const char *term;     /* $TERM, "" = unset */
	const char *tty;      /* ttyname, "" = unknown */
	const char *codeset;  /* nl_langinfo(CODESET) */
	const char *symbols;  /* as asked for: "auto", "ascii", ... */
	const char *no_color; /* $NO_COLOR or NULL */
	const char *escdelay; /* $ESCDELAY or NULL */
	bool ssh;             /* any of SSH_CONNECTION, SSH_TTY, SSH_CLIENT */
	int color;            /* 0 auto, 1 always, 2 never */
	int colors;           /* what terminfo says */
	uint64_t refresh_ns;  /* as asked for, 0 = choose */
};

struct iob_caps {
	enum iob_glyphs glyphs;
	enum iob_link link;
	bool color;
	int escdelay_ms;
	uint64_t refresh_ns;
	uint64_t repaint_ns; /* paint everything anew this often, 0 = never */
};

void iob_caps_decide(struct iob_caps *, const struct iob_caps_facts *);
/* -1 for "auto" and for a word that is none of the sets. */
int iob_glyphs_find(const char *name);
const char *iob_glyphs_name(enum iob_glyphs);

#endif
