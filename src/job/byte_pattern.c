/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/byte_pattern.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "job/job.h"

struct parser {
	const char *name, *text;
	const char *at;
	unsigned char *out; /* NULL = syntax only */
	size_t n;
	struct iob_error *err;
};

static int fail(const struct parser *p, const char *what)
{
	return iob_fail_usage(p->err,
		"%s=%.100s: %s at character %zu; write 0xdeadbeef, -9, \"text\", 'file' or several "
		"of these one after the other, at most %d bytes together",
		p->name, p->text, what, (size_t)(p->at - p->text) + 1, IOB_BYTE_PATTERN_MAX);
}

static int put(struct parser *p, const void *bytes, size_t n)
{
	if (n > IOB_BYTE_PATTERN_MAX - p->n)
		return fail(p, "too long");
	if (p->out)
		memcpy(p->out + p->n, bytes, n);
	p->n += n;
	return 0;
}

static unsigned nibble(char c)
{
	return isdigit((unsigned char)c) ? (unsigned)(c - '0')
					 : (unsigned)(tolower((unsigned char)c) - 'a') + 10;
}

/* An odd number of digits has a 0 in front. */
static int take_hex(struct parser *p)
{
	size_t digits = strspn(p->at += 2, "0123456789abcdefABCDEF");
	size_t i = 0;
	int rc = digits ? 0 : fail(p, "no digits");

	while (i < digits && rc == 0) {
		unsigned char byte = (unsigned char)nibble(p->at[i++]);

		if (i != 1 || digits % 2 == 0)
			byte = (unsigned char)((unsigned)byte << 4 | nibble(p->at[i++]));
		rc = put(p, &byte, 1);
	}
	p->at += digits;
	return rc;
}

/* How long the number at hand is: in "-120xdead" it ends before "0x". */
static size_t decimal_length(const char *text)
{
	size_t sign = *text == '-', digits = strspn(text + sign, "0123456789");
	char next = text[sign + digits];

	if (digits > 1 && (next == 'x' || next == 'X') && text[sign + digits - 1] == '0')
		digits--;
	return digits ? sign + digits : 0;
}

static int take_decimal(struct parser *p)
{
	char text[24] = "";
	unsigned char bytes[4];
	size_t n = 1, length = decimal_length(p->at);

	if (length == 0)
		return fail(p, "not understood");
	if (length >= sizeof(text))
		return fail(p, "more than 32 bits");
	memcpy(text, p->at, length);
	errno = 0;
	long long value = strtoll(text, NULL, 10);
	if (errno || value < INT32_MIN || value > UINT32_MAX)
		return fail(p, "more than 32 bits");
	for (unsigned i = 0; i < 4; i++) {
		bytes[i] = (unsigned char)((uint32_t)value >> (8 * i));
		if (bytes[i])
			n = i + 1;
	}
	int rc = put(p, bytes, n);
	p->at += length;
	return rc;
}

static int read_file(struct parser *p, const char *path)
{
	IOB_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	unsigned char bytes[IOB_BYTE_PATTERN_MAX];

	if (fd < 0)
		return iob_fail_usage(p->err, "%s: open %.200s: %m", p->name, path);
	ssize_t n = read(fd, bytes, sizeof(bytes) - p->n);
	if (n < 0)
		return iob_fail_usage(p->err, "%s: read %.200s: %m", p->name, path);
	if (n == 0)
		return iob_fail_usage(p->err, "%s: %.200s is empty", p->name, path);
	return put(p, bytes, (size_t)n);
}

static int take_file(struct parser *p, const char *path, size_t n)
{
	char name[IOB_PATH_MAX];

	if (n == 0 || n >= sizeof(name))
		return fail(p, "no name of a file");
	if (p->n == IOB_BYTE_PATTERN_MAX)
		return fail(p, "too long");
	if (!p->out) {
		p->n++; /* at least */
		return 0;
	}
	memcpy(name, path, n);
	name[n] = '\0';
	return read_file(p, name);
}

static int take_quoted(struct parser *p)
{
	char quote = *p->at;
	const char *start = p->at + 1, *end = strchr(start, quote);

	if (!end)
		return fail(p, "a quote that is not closed");
	size_t n = (size_t)(end - start);
	int rc = quote == '"' ? put(p, start, n) : take_file(p, start, n);
	p->at = end + 1;
	return rc;
}

int iob_byte_pattern_parse(
	unsigned char *out, const char *name, const char *text, struct iob_error *err)
{
	struct parser p = {.name = name, .text = text, .at = text, .out = out, .err = err};
	int rc = 0;

	while (*p.at && rc == 0) {
		if (p.at[0] == '0' && (p.at[1] == 'x' || p.at[1] == 'X'))
			rc = take_hex(&p);
		else if (*p.at == '"' || *p.at == '\'')
			rc = take_quoted(&p);
		else
			rc = take_decimal(&p);
	}
	if (rc == 0 && p.n == 0)
		rc = fail(&p, "nothing");
	return rc < 0 ? rc : (int)p.n;
}
