/* SPDX-License-Identifier: MIT */
/* The list of warnings itself: adding, finding, and holding on to them for a screen. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "measure/verdict.h"

#define HOLD_NS  UINT64_C(5000000000)
#define RENEW_NS UINT64_C(2000000000)

void iob_warning_add(struct iob_warnings *w, const char *code, const char *format, ...)
{
	va_list ap;

	if (w->count >= IOB_MAX_WARNINGS)
		return;
	struct iob_warning *item = &w->item[w->count++];
	memset(item, 0, sizeof(*item));
	snprintf(item->code, sizeof(item->code), "%s", code);
	va_start(ap, format);
	vsnprintf(item->text, sizeof(item->text), format, ap);
	va_end(ap);
}

void iob_warning_evidence(struct iob_warnings *w, const char *name, double value)
{
	if (w->count == 0)
		return;
	struct iob_warning *item = &w->item[w->count - 1];
	if (item->nevidence >= sizeof(item->evidence) / sizeof(item->evidence[0]))
		return;
	struct iob_evidence *e = &item->evidence[item->nevidence++];
	snprintf(e->name, sizeof(e->name), "%s", name);
	e->value = value;
}

/* Its place; count if it is not there. */
static unsigned find(const struct iob_warnings *w, const char *code)
{
	unsigned i = 0;

	while (i < w->count && strcmp(w->item[i].code, code) != 0)
		i++;
	return i;
}

bool iob_warnings_have(const struct iob_warnings *w, const char *code)
{
	return find(w, code) < w->count;
}

static void drop(struct iob_held_warnings *h, unsigned at)
{
	unsigned rest = --h->shown.count - at;

	memmove(&h->shown.item[at], &h->shown.item[at + 1], rest * sizeof(h->shown.item[0]));
	memmove(&h->seen_ns[at], &h->seen_ns[at + 1], rest * sizeof(h->seen_ns[0]));
	memmove(&h->said_ns[at], &h->said_ns[at + 1], rest * sizeof(h->said_ns[0]));
}

static void take(struct iob_held_warnings *h, const struct iob_warning *item, uint64_t now_ns)
{
	unsigned at = find(&h->shown, item->code);
	bool old = at < h->shown.count;

	if (at == IOB_MAX_WARNINGS)
		return;
	h->shown.count += old ? 0 : 1;
	h->seen_ns[at] = now_ns;
	if (old && now_ns < h->said_ns[at] + RENEW_NS)
		return;
	h->shown.item[at] = *item;
	h->said_ns[at] = now_ns;
}

void iob_warnings_hold(struct iob_held_warnings *h, const struct iob_warnings *now, uint64_t now_ns)
{
	for (unsigned i = 0; i < now->count; i++)
		take(h, &now->item[i], now_ns);
	for (unsigned i = h->shown.count; i-- > 0;)
		if (now_ns > h->seen_ns[i] + HOLD_NS)
			drop(h, i);
}
