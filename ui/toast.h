/* SPDX-License-Identifier: MIT */
/* The one line in which the program speaks to the user during a run. */
#ifndef IOB_UI_TOAST_H
#define IOB_UI_TOAST_H

#include <stdint.h>

enum iob_toast_level {
	IOB_TOAST_NONE,
	IOB_TOAST_OK,   /* four seconds */
	IOB_TOAST_WARN, /* ten seconds */
	IOB_TOAST_ERROR /* until the next key */
};

struct iob_toast {
	enum iob_toast_level level;
	uint64_t until_ns;
	char text[512];
};

void iob_toast_say(struct iob_toast *, enum iob_toast_level, uint64_t now_ns, const char *format,
	...) __attribute__((format(printf, 4, 5)));
/* A key was pressed: errors have been read. */
void iob_toast_key(struct iob_toast *);
void iob_toast_tick(struct iob_toast *, uint64_t now_ns);
/* "ok: ", "warn: ", "ERR: ". */
const char *iob_toast_prefix(enum iob_toast_level);

#endif
