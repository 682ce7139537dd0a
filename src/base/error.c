/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES_REMEDY " (raise `ulimit -n`)"

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Drop the last bytes if the cut went through a UTF-8 sequence. */
static void trim_partial_character(char *text)
{
	size_t n = strlen(text);
	size_t lead = n;

	while (lead > 0 && is_continuation(text[lead - 1]))
		lead--;
	if (lead == 0)
		return;
	unsigned char c = (unsigned char)text[lead - 1];
	size_t want = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	if (n - (lead - 1) < want)
		text[lead - 1] = '\0';
}

/* Moves a word of n bytes to out, which is not behind it, without its middle if it is longer than
 * most (30 at least). */
static size_t copy_word(char *out, const char *word, size_t n, size_t most)
{
	size_t head = most / 3, tail = n - most / 2;

	if (n <= most) {
		memmove(out, word, n);
		return n;
	}
	while (head > 0 && is_continuation(word[head]))
		head--;
	while (tail < n && is_continuation(word[tail]))
		tail++;
	memmove(out, word, head);
	memcpy(out + head, "...", 3);
	memmove(out + head + 3, word + tail, n - tail);
	return head + 3 + n - tail;
}

/* In place.  What is long in a text are paths, and what is to be done stands behind them. */
static size_t shorten(char *text, size_t most)
{
	size_t used = 0;

	for (const char *at = text; *at;) {
		size_t blank = strspn(at, " "), word = strcspn(at + blank, " ");

		memmove(text + used, at, blank);
		used += blank;
		at += blank;
		used += copy_word(text + used, at, word, most);
		at += word;
	}
	text[used] = '\0';
	return used;
}

/* A text of n bytes, which is too long for err. */
__attribute__((format(printf, 3, 0))) static void set_long(
	struct iob_error *err, size_t n, const char *format, va_list ap)
{
	static const size_t most[] = {200, 120, 80, 60};
	char *whole = malloc(n + 1);

	errno = -err->code; /* for %m */
	if (whole && vsnprintf(whole, n + 1, format, ap) == (int)n) {
		for (size_t i = 0; n >= sizeof(err->text) && i < sizeof(most) / sizeof(most[0]);
			i++)
			n = shorten(whole, most[i]);
		snprintf(err->text, sizeof(err->text), "%s", whole);
	}
	free(whole);
	if (n >= sizeof(err->text))
		trim_partial_character(err->text);
}

__attribute__((format(printf, 4, 0))) static void set(
	struct iob_error *err, int code, enum iob_error_kind kind, const char *format, va_list ap)
{
	va_list again;

	if (!err)
		return;
	err->code = code;
	err->kind = kind;
	errno = -code; /* for %m */
	va_copy(again, ap);
	int n = vsnprintf(err->text, sizeof(err->text), format, ap);
	if (n >= (int)sizeof(err->text))
		set_long(err, (size_t)n, format, again);
	/* Whatever was opened last does not matter. */
	else if (code == -EMFILE && n >= 0 && !strstr(err->text, "ulimit -n"))
		snprintf(err->text + n, sizeof(err->text) - (size_t)n, "%s", FILES_REMEDY);
	va_end(again);
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
