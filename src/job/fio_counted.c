/* SPDX-License-Identifier: MIT */
#include "job/fio_counted.h"

#include <stdlib.h>
#include <string.h>

struct counted {
	char *text;
	unsigned *kind;
	const char **words;
};

static void say(const struct counted *c, unsigned kind, const char *words)
{
	*c->kind = kind;
	*c->words = words;
}

/* Arithmetic in parentheses is left alone. */
static bool is_arithmetic(const char *text)
{
	return strchr(text, '(') != NULL;
}

/* "2g // of data": fio leaves it out behind a number. */
static void cut_comment(const struct counted *c)
{
	char *comment = strstr(c->text, "//");

	if (!comment || comment == c->text || (comment[-1] != ' ' && comment[-1] != '\t'))
		return;
	while (comment > c->text && (comment[-1] == ' ' || comment[-1] == '\t'))
		comment--;
	*comment = '\0';
	say(c, IOB_FIO_LEFT_COMMENT,
		"// begins no comment, though it is left out behind a number; # and ; begin one");
}

/* Removes what stands between each '/' and the next separator. */
static bool cut_shares(char *text)
{
	char *to = text;
	bool cut = false;

	for (const char *from = text; *from != '\0'; from++) {
		if (*from == '/') {
			cut = true;
			from += strcspn(from, ":,") - 1;
			continue;
		}
		*to++ = *from;
	}
	*to = '\0';
	return cut;
}

/* Keeps two ends in each item of the list. */
static bool cut_third_ends(char *text)
{
	char *to = text;
	unsigned ends = 1;
	bool cut = false;

	for (const char *from = text; *from != '\0'; from++) {
		if (*from == ',')
			ends = 1;
		else if ((*from == ':' || *from == '-') && from > text && from[-1] != ',')
			ends++;
		if (ends > 2)
			cut = true;
		else
			*to++ = *from;
	}
	*to = '\0';
	return cut;
}

static void count_range(const struct counted *c, const struct iob_param *p)
{
	bool is_split = strchr(c->text, '/') && strchr(c->text, ':') && cut_shares(c->text);
	bool has_third = cut_third_ends(c->text);

	if (is_split)
		say(c, IOB_FIO_LEFT_SPLIT,
			"this is how bssplit is written; the first two sizes are taken as the ends "
			"of a range, as in fio");
	else if (has_third)
		say(c, IOB_FIO_LEFT_END,
			"a range has two ends: the first two are taken, as in fio");
	else if (p->offset == offsetof(struct iob_job, bs) && strcmp(p->name, "bsrange") != 0 &&
		 strpbrk(c->text, ":-"))
		say(c, IOB_FIO_LEFT_RANGE,
			"fio takes the second size for writes; it is a range here, as in bsrange (write "
			"a comma if it is for writes)");
}

/* One number, or with commas one for each direction. */
static void count_numbers(const struct counted *c, const struct iob_param *p)
{
	char *end = c->text + strcspn(c->text, p->type == IOB_P_PERCENT ? ",:/" : ",:");

	if (*end == '\0' || end == c->text)
		return;
	if (!(p->flags & IOB_PF_SPLIT)) {
		*end = '\0';
		say(c, IOB_FIO_LEFT_MORE, "there is one number: the first is taken, as in fio");
		return;
	}
	if (!strchr(c->text, ':'))
		return;
	for (char *colon = strchr(c->text, ':'); colon; colon = strchr(colon, ':'))
		*colon = ',';
	say(c, IOB_FIO_LEFT_COLON, "the colon is taken for a comma, as in fio: write a comma");
}

char *iob_fio_counted(
	const struct iob_param *p, const char *text, unsigned *kind, const char **words)
{
	struct counted c = {.text = strdup(text), .kind = kind, .words = words};

	*kind = 0;
	*words = NULL;
	if (!c.text)
		return NULL;
	cut_comment(&c);
	if (is_arithmetic(c.text))
		return c.text;
	if (p->type == IOB_P_RANGE)
		count_range(&c, p);
	/* What "1:30" means as a time is anybody's guess. */
	else if (p->type != IOB_P_TIME)
		count_numbers(&c, p);
	return c.text;
}
