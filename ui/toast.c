/* SPDX-License-Identifier: MIT */
#include "ui/toast.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"

void iob_toast_say(struct iob_toast *toast, enum iob_toast_level level, uint64_t now_ns,
	const char *format, ...)
{
	static const uint64_t life[] = {0, 4 * IOB_NS_PER_S, 10 * IOB_NS_PER_S, UINT64_MAX};
	va_list ap;

	toast->level = level;
	toast->until_ns = life[level] == UINT64_MAX ? UINT64_MAX : now_ns + life[level];
	va_start(ap, format);
	vsnprintf(toast->text, sizeof(toast->text), format, ap);
	va_end(ap);
}

void iob_toast_key(struct iob_toast *toast)
{
	if (toast->level == IOB_TOAST_ERROR)
		toast->level = IOB_TOAST_NONE;
}

void iob_toast_tick(struct iob_toast *toast, uint64_t now_ns)
{
	if (now_ns >= toast->until_ns)
		toast->level = IOB_TOAST_NONE;
}

const char *iob_toast_prefix(enum iob_toast_level level)
{
	static const char *const prefix[] = {"", "ok: ", "warn: ", "ERR: "};

	return prefix[level];
}
