/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/caps.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"

#define REFRESH_LEAST_NS (100 * IOB_NS_PER_MS)
#define REFRESH_MOST_NS  (10 * IOB_NS_PER_S)
#define ESCDELAY_MOST_MS 5000

static const char *const names[] = {
	[IOB_GLYPHS_ASCII] = "ascii",
	[IOB_GLYPHS_CONSOLE] = "console",
	[IOB_GLYPHS_BLOCK] = "block",
	[IOB_GLYPHS_BRAILLE] = "braille",
};

int iob_glyphs_find(const char *name)
{
	for (int i = 0; name && i < (int)(sizeof(names) / sizeof(names[0])); i++)
		if (strcasecmp(name, names[i]) == 0)
			return i;
	return -1;
}

const char *iob_glyphs_name(enum iob_glyphs glyphs)
{
	return names[glyphs];
}

static bool starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static enum iob_link link_of(const struct iob_caps_facts *f)
{
	static const char *const serial[] = {"ttyS", "ttyAMA", "ttyUSB", "ttyACM", "hvc", NULL};
	const char *name = strrchr(f->tty, '/');

	name = name ? name + 1 : f->tty;
	for (int i = 0; serial[i]; i++)
		if (starts(name, serial[i]))
			return IOB_LINK_SERIAL;
	if (starts(f->term, "linux") || (starts(name, "tty") && isdigit((unsigned char)name[3])))
		return IOB_LINK_VT;
	return f->ssh ? IOB_LINK_REMOTE : IOB_LINK_LOCAL;
}

static enum iob_glyphs glyphs_of(const struct iob_caps_facts *f, enum iob_link link)
{
	bool utf8 = strcasecmp(f->codeset, "UTF-8") == 0 || strcasecmp(f->codeset, "utf8") == 0;
	int asked = iob_glyphs_find(f->symbols);

	/* No set but ascii can be encoded there, whatever was asked for. */
	if (!utf8)
		return IOB_GLYPHS_ASCII;
	if (asked >= 0)
		return (enum iob_glyphs)asked;
	if (link == IOB_LINK_VT)
		return IOB_GLYPHS_CONSOLE;
	if (link == IOB_LINK_SERIAL || starts(f->term, "vt") || starts(f->term, "ansi"))
		return IOB_GLYPHS_ASCII;
	return IOB_GLYPHS_BLOCK;
}

static int escdelay_of(const struct iob_caps_facts *f, enum iob_link link)
{
	if (f->escdelay && f->escdelay[0]) {
		char *end = NULL;
		long asked = strtol(f->escdelay, &end, 10);

		if (*end == '\0' && asked >= 0 && asked <= ESCDELAY_MOST_MS)
			return (int)asked;
	}
	switch (link) {
	case IOB_LINK_SERIAL:
		return 500;
	case IOB_LINK_REMOTE:
		return 100;
	case IOB_LINK_LOCAL:
	case IOB_LINK_VT:
		break;
	}
	return 25;
}

static uint64_t refresh_of(uint64_t asked, enum iob_link link)
{
	if (asked == 0)
		return link == IOB_LINK_SERIAL ? IOB_NS_PER_S : 250 * IOB_NS_PER_MS;
	if (asked < REFRESH_LEAST_NS)
		return REFRESH_LEAST_NS;
	return asked > REFRESH_MOST_NS ? REFRESH_MOST_NS : asked;
}

void iob_caps_decide(struct iob_caps *caps, const struct iob_caps_facts *f)
{
	memset(caps, 0, sizeof(*caps));
	caps->link = link_of(f);
	caps->glyphs = glyphs_of(f, caps->link);
	caps->escdelay_ms = escdelay_of(f, caps->link);
	caps->refresh_ns = refresh_of(f->refresh_ns, caps->link);
	caps->color = f->colors >= 8 && f->color != 2;
	if (f->color == 0 && f->no_color && f->no_color[0])
		caps->color = false;
	/* Nobody tells us when the kernel or another program scribbles on these. */
	if (caps->link == IOB_LINK_SERIAL || caps->link == IOB_LINK_VT)
		caps->repaint_ns = 30 * IOB_NS_PER_S;
}
