/* SPDX-License-Identifier: MIT */
/* How the screen is to look, kept from one time to the next: $XDG_CONFIG_HOME/iotop-bench/config.
 */
#ifndef IOB_UI_PREFS_H
#define IOB_UI_PREFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "ui/axis.h"

struct iob_prefs {
	char symbols[16];    /* "auto", "braille", ... */
	int color;           /* 0 auto, 1 always, 2 never */
	uint64_t refresh_ns; /* 0 = by the kind of terminal */
	enum iob_yaxis yaxis;
	bool mouse;
};

/* What nobody has said is automatic.  A file that is not there is no error; of one that is wrong
 * the rest holds, and *err says what is wrong. */
int iob_prefs_load(struct iob_prefs *, struct iob_error *);
/* path gets its name. */
int iob_prefs_save(const struct iob_prefs *, char *path, size_t n, struct iob_error *);

#endif
