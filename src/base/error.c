/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FILES_REMEDY " (raise `ulimit -n`)"

/* Drop the last bytes if the cut went through a UTF-8 sequence. */
static void trim_partial_character(char *text)
{
	size_t n = strlen(text);
	size_t lead = n;

	while (lead > 0 && ((unsigned char)text[lead - 1] & 0xc0) == 0x80)
		lead--;
	if (lead == 0)
		return;
	unsigned char c = (unsigned char)text[lead - 1];
	size_t want = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	if (n - (lead - 1) < want)
		text[lead - 1] = '\0';
}

__attribute__((format(printf, 4, 0))) static void set(
	struct iob_error *err, int code, enum iob_error_kind kind, const char *format, va_list ap)
{
	if (!err)
		return;
	err->code = code;
	err->kind = kind;
	errno = -code; /* for %m */
	int n = vsnprintf(err->text, sizeof(err->text), format, ap);
	if (n >= (int)sizeof(err->text))
		trim_partial_character(err->text);
	/* Whatever was opened last does not matter. */
	else if (code == -EMFILE && n >= 0 && !strstr(err->text, "ulimit -n"))
		snprintf(err->text + n, sizeof(err->text) - (size_t)n, "%s", FILES_REMEDY);
}

int iob_fail(struct iob_error *err, int code, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	set(err, code, IOB_ERR_RUN, format, ap);
	va_end(ap);
	return code;
}

int iob_fail_usage(struct iob_error *err, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	set(err, -EINVAL, IOB_ERR_USAGE, format, ap);
	va_end(ap);
	return -EINVAL;
}

int iob_fail_refused(struct iob_error *err, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	set(err, -EPERM, IOB_ERR_REFUSED, format, ap);
	va_end(ap);
	return -EPERM;
}

void iob_error_prefix(struct iob_error *err, const char *format, ...)
{
	char old[sizeof(err->text)];
	va_list ap;

	if (!err)
		return;
	memcpy(old, err->text, sizeof(old));
	va_start(ap, format);
	int n = vsnprintf(err->text, sizeof(err->text), format, ap);
	va_end(ap);
	if (n < 0 || n >= (int)sizeof(err->text))
		return;
	size_t room = sizeof(err->text) - (size_t)n;
	if (strlen(old) >= room) {
		old[room - 1] = '\0';
		trim_partial_character(old);
	}
	memcpy(err->text + n, old, strlen(old) + 1);
}

int iob_error_exit_status(const struct iob_error *err)
{
	switch (err->kind) {
	case IOB_ERR_USAGE:
		return 2;
	case IOB_ERR_REFUSED:
		return 3;
	case IOB_ERR_RUN:
		break;
	}
	return 1;
}
