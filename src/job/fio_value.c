/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/fio_value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/blank.h"
#include "base/cleanup.h"
#include "job/fio_bssplit.h"
#include "job/fio_counted.h"
#include "job/fio_scalar.h"

/* Without blanks at both ends; what fio would have tripped over is said. */
static char *trimmed(const struct iob_fio_text *v, const char *text, size_t n)
{
	size_t before = strspn(text, " \t");

	if (before > n)
		before = n;
	if (before > 0)
		iob_fio_warn_value(
			v, IOB_SAID_BLANK, "fio loses a unit behind a blank; it is read here");
	text += before;
	n -= before;
	while (n > 0 && iob_is_blank(text[n - 1]))
		n--;
	return strndup(text, n);
}

/* One number of the row's type, in the table's words. */
static int scalar(const struct iob_fio_text *v, const char *text, size_t n)
{
	IOB_FREE char *item = trimmed(v, text, n);
	bool is_time = v->p->type == IOB_P_TIME;
	uint64_t value = 0;

	if (!item)
		return iob_fail(v->err, -ENOMEM, "%s: %m", v->p->name);
	if (strlen(item) > IOB_FIO_LONGEST_NUMBER && item[0] != '(')
		return iob_fio_fail_value(v, "%s", "too long for a number");
	size_t length = strlen(item);
	if (length > 2 && strcmp(item + length - 2, "%%") == 0) {
		iob_fio_warn_value(v, IOB_SAID_PERCENT, "the second % is left out, as in fio");
		item[--length] = '\0';
	}
	bool percent = length > 1 && item[length - 1] == '%' && item[0] != '(';
	if (percent && (v->p->type == IOB_P_AMOUNT || v->p->type == IOB_P_PERCENT)) {
		fputs(item, v->out);
		return 0;
	}
	int rc = is_time ? iob_fio_scalar_time(v, item, &value)
			 : iob_fio_scalar_number(v, item, &value);
	if (rc < 0)
		return rc;
	fprintf(v->out, "%llu%s", (unsigned long long)value, is_time ? "ns" : "");
	return 0;
}

/* Up to the end or one of the separators, none of them within parentheses. */
static size_t item_length(const char *text, size_t n, const char *separators)
{
	int depth = 0;

	for (size_t i = 0; i < n; i++) {
		depth += (text[i] == '(') - (text[i] == ')');
		if (depth <= 0 && i > 0 && strchr(separators, text[i]))
			return i;
	}
	return n;
}

/* "4k" or "4k-64k"; fio takes the ends in either order. */
static int range(struct iob_fio_text *v, const char *text, size_t n)
{
	size_t first = item_length(text, n, "-:");
	FILE *out = v->out;
	char *item[2] = {NULL, NULL};
	size_t size[2] = {0, 0};
	int rc = 0;

	if (first == n)
		return scalar(v, text, n);
	for (int i = 0; i < 2 && rc == 0; i++) {
		v->out = open_memstream(&item[i], &size[i]);
		if (!v->out)
			rc = iob_fail(v->err, -ENOMEM, "%s: %m", v->p->name);
		else if (i == 0)
			rc = scalar(v, text, first);
		else
			rc = scalar(v, text + first + 1, n - first - 1);
		if (v->out)
			fclose(v->out);
	}
	v->out = out;
	if (rc == 0) {
		bool swap = strtoull(item[0], NULL, 10) > strtoull(item[1], NULL, 10);

		fprintf(v->out, "%s-%s", item[swap], item[!swap]);
	}
	free(item[0]);
	free(item[1]);
	return rc;
}

static bool takes_range(const struct iob_param *p)
{
	return p->type == IOB_P_RANGE || (p->flags & IOB_PF_SPAN);
}

/* An empty item stays empty: the table knows fio's rule of commas. */
static int items(struct iob_fio_text *v)
{
	unsigned kind;
	const char *words;
	IOB_FREE char *counted = iob_fio_counted(v->p, v->text, &kind, &words);
	const char *text = counted;

	if (!counted)
		return iob_fail(v->err, -ENOMEM, "%s: %m", v->p->name);
	if (words)
		iob_fio_warn_value(v, kind, words);
	if (v->p->type == IOB_P_TIME && strchr(text, ',') && !(v->p->flags & IOB_PF_SPLIT))
		return iob_fio_fail_value(
			v, "%s", "there is one time; write one such as 30, 500ms or 2m");
	for (;;) {
		size_t n = text[0] == ',' ? 0 : item_length(text, strlen(text), ",");
		int rc = 0;

		if (n > 0)
			rc = takes_range(v->p) ? range(v, text, n) : scalar(v, text, n);
		if (rc < 0 || text[n] == '\0')
			return rc;
		putc(',', v->out);
		text += n + 1;
	}
}

/* Any number but 0 switches on. */
static int boolean(const struct iob_fio_text *v)
{
	size_t n = strlen(v->text);
	bool digits = strspn(v->text, "0123456789") == n;

	if (digits && strspn(v->text, "0") != n) {
		if (strcmp(v->text, "1") != 0)
			iob_fio_warn_value(
				v, IOB_SAID_NUMBER, "any number but 0 means 1 here, as in fio");
		putc('1', v->out);
	} else {
		fputs(digits ? "0" : v->text, v->out);
	}
	return 0;
}

/* "mmaphuge:/mnt/huge/file": the memory is no file of its own here. */
static void memory(const struct iob_fio_text *v)
{
	size_t n = strcspn(v->text, ":");

	if (v->text[n] == ':')
		iob_fio_warn_value(v, IOB_SAID_MEMORY_FILE,
			"the file has no effect: the kernel gives the memory without one");
	fprintf(v->out, "%.*s", (int)n, v->text);
}

static int convert(struct iob_fio_text *v)
{
	if (v->p->offset == offsetof(struct iob_job, pattern.bssplit))
		return iob_fio_bssplit(v);
	if (v->p->offset == offsetof(struct iob_job, mem)) {
		memory(v);
		return 0;
	}
	switch (v->p->type) {
	case IOB_P_BOOL:
		return boolean(v);
	case IOB_P_CHOICE:
	case IOB_P_TEXT:
		fputs(v->text, v->out);
		return 0;
	case IOB_P_UINT:
	case IOB_P_BYTES:
	case IOB_P_RANGE:
	case IOB_P_AMOUNT:
	case IOB_P_TIME:
	case IOB_P_PERCENT:
		break;
	}
	return items(v);
}

int iob_fio_value(const struct iob_fio_value_context *c, const struct iob_param *p,
	const char *text, char **out, struct iob_error *err)
{
	IOB_FREE char *done = NULL;
	size_t size = 0;
	struct iob_fio_text v = {.c = c, .p = p, .text = text, .err = err};

	*out = NULL;
	if (text[0] == '\0')
		return iob_fail_place(err, c->place,
			"%s=: the value is empty; give one or leave %s out", p->name, p->name);
	v.out = open_memstream(&done, &size);
	if (!v.out)
		return iob_fail(err, -ENOMEM, "%s: %m", p->name);
	int rc = convert(&v);
	if (fclose(v.out) != 0 && rc == 0)
		rc = iob_fail(err, -ENOMEM, "%s: no memory", p->name);
	if (rc == 0)
		*out = iob_steal(&done);
	return rc;
}
