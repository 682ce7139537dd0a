/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/fio_bssplit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "job/bssplit.h"

#define WHOLE 100

/* "64k/50", whose share stands where text begins; without one it is left alone. */
struct piece {
	const char *text;
	size_t size, length; /* of the size; of all of it */
	unsigned long share;
	bool has_share;
};

struct list {
	unsigned count;
	struct piece piece[IOB_BSSPLIT_MOST];
};

/* "36k-60k/29:64k/5.": fio takes the first size of a range, and such text is about. */
static char *without_ranges(const struct iob_fio_text *v)
{
	char *text = malloc(strlen(v->text) + 1), *to = text;
	bool odd = false;

	for (const char *c = v->text; text && *c != '\0'; c++) {
		if (*c == '-' && c > v->text) {
			odd = true;
			while (c[1] != '\0' && !strchr("/:,", c[1]))
				c++;
		} else if (*c != '.' || (c[1] != '\0' && !strchr(":,", c[1]))) {
			*to++ = *c;
		}
	}
	if (text)
		*to = '\0';
	if (odd)
		iob_fio_warn_value(v, IOB_SAID_SPLIT,
			"there are no ranges in it: the first size of each is taken, as in fio");
	return text;
}

static void read_piece(struct piece *p, const char *text, size_t length)
{
	const char *slash = memchr(text, '/', length);
	char *end;

	*p = (struct piece){.text = text, .size = length, .length = length};
	if (!slash || slash[1] < '0' || slash[1] > '9')
		return;
	errno = 0;
	p->share = strtoul(slash + 1, &end, 10);
	p->has_share = errno == 0 && p->share <= WHOLE && end == text + length;
	if (p->has_share)
		p->size = (size_t)(slash - text);
}

/* The largest share loses what all have too much of the whole, then the next one. */
static bool cut_shares(struct list *l)
{
	unsigned long sum = 0;
	bool cut = false;

	for (unsigned i = 0; i < l->count; i++)
		sum += l->piece[i].share;
	while (sum > WHOLE) {
		struct piece *largest = &l->piece[0];
		unsigned long off = sum - WHOLE;

		for (unsigned i = 1; i < l->count; i++)
			if (l->piece[i].share >= largest->share)
				largest = &l->piece[i];
		off = off < largest->share ? off : largest->share;
		largest->share -= off;
		sum -= off;
		cut = true;
	}
	return cut;
}

static void write_list(FILE *out, const struct list *l)
{
	for (unsigned i = 0; i < l->count; i++) {
		const struct piece *p = &l->piece[i];

		fprintf(out, "%s%.*s", i ? ":" : "", (int)p->size, p->text);
		if (p->has_share)
			fprintf(out, "/%lu", p->share);
	}
}

/* One direction; returns whether its shares were cut.  More sizes than there may be stay as they
 * are, for the table to refuse. */
static bool write_direction(FILE *out, const char *text, size_t n)
{
	struct list l = {0};
	const char *end = text + n;

	for (const char *at = text; at < end;) {
		const char *colon = memchr(at, ':', (size_t)(end - at));
		size_t length = (size_t)((colon ? colon : end) - at);

		if (l.count == IOB_BSSPLIT_MOST) {
			fprintf(out, "%.*s", (int)n, text);
			return false;
		}
		read_piece(&l.piece[l.count++], at, length);
		at += length + 1;
	}
	bool cut = cut_shares(&l);
	write_list(out, &l);
	return cut;
}

int iob_fio_bssplit(const struct iob_fio_text *v)
{
	IOB_FREE char *text = without_ranges(v);
	bool cut = false;

	if (!text)
		return iob_fail(v->err, -ENOMEM, "%s: %m", v->p->name);
	for (const char *at = text;; at++) {
		size_t n = strcspn(at, ",");

		cut |= write_direction(v->out, at, n);
		at += n;
		if (*at == '\0')
			break;
		putc(',', v->out);
	}
	if (cut)
		iob_fio_warn_value(v, IOB_SAID_SHARES,
			"the shares are more than 100 per cent together: the largest loses what is "
			"too much, as in fio");
	return 0;
}
