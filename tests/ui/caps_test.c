/* SPDX-License-Identifier: MIT */
#include "ui/caps.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "base/clock.h"

TestSuite(caps, .timeout = 10);

struct row {
	char term[24], tty[24], codeset[16], symbols[16];
	bool ssh;
	enum iob_glyphs glyphs;
	enum iob_link link;
	int escdelay_ms;
};

static struct row rows[] = {
	{"xterm-256color", "/dev/pts/3", "UTF-8", "auto", false, IOB_GLYPHS_BLOCK, IOB_LINK_LOCAL,
		25},
	{"xterm-256color", "/dev/pts/3", "UTF-8", "auto", true, IOB_GLYPHS_BLOCK, IOB_LINK_REMOTE,
		100},
	{"xterm", "/dev/pts/3", "ANSI_X3.4-1968", "auto", false, IOB_GLYPHS_ASCII, IOB_LINK_LOCAL,
		25},
	{"xterm", "/dev/pts/3", "ANSI_X3.4-1968", "braille", false, IOB_GLYPHS_ASCII,
		IOB_LINK_LOCAL, 25},
	{"xterm", "/dev/pts/3", "UTF-8", "braille", false, IOB_GLYPHS_BRAILLE, IOB_LINK_LOCAL, 25},
	{"xterm", "/dev/pts/3", "UTF-8", "ascii", false, IOB_GLYPHS_ASCII, IOB_LINK_LOCAL, 25},
	{"linux", "/dev/tty1", "UTF-8", "auto", false, IOB_GLYPHS_CONSOLE, IOB_LINK_VT, 25},
	{"xterm", "/dev/tty12", "utf8", "auto", false, IOB_GLYPHS_CONSOLE, IOB_LINK_VT, 25},
	{"linux", "/dev/tty1", "UTF-8", "block", false, IOB_GLYPHS_BLOCK, IOB_LINK_VT, 25},
	{"vt220", "/dev/ttyS0", "UTF-8", "auto", false, IOB_GLYPHS_ASCII, IOB_LINK_SERIAL, 500},
	{"xterm", "/dev/ttyUSB0", "UTF-8", "auto", false, IOB_GLYPHS_ASCII, IOB_LINK_SERIAL, 500},
	{"xterm", "/dev/hvc0", "UTF-8", "auto", false, IOB_GLYPHS_ASCII, IOB_LINK_SERIAL, 500},
	{"vt100", "/dev/pts/0", "UTF-8", "auto", false, IOB_GLYPHS_ASCII, IOB_LINK_LOCAL, 25},
	{"xterm", "", "UTF-8", "auto", false, IOB_GLYPHS_BLOCK, IOB_LINK_LOCAL, 25},
};

ParameterizedTestParameters(caps, policy)
{
	return cr_make_param_array(struct row, rows, sizeof(rows) / sizeof(rows[0]));
}

ParameterizedTest(struct row *r, caps, policy)
{
	const struct iob_caps_facts facts = {.term = r->term,
		.tty = r->tty,
		.codeset = r->codeset,
		.symbols = r->symbols,
		.ssh = r->ssh,
		.colors = 8};
	struct iob_caps caps;

	iob_caps_decide(&caps, &facts);
	cr_expect_eq(caps.glyphs, r->glyphs);
	cr_expect_eq(caps.link, r->link);
	cr_expect_eq(caps.escdelay_ms, r->escdelay_ms);
	cr_expect(caps.color);
}

static struct iob_caps decide(struct iob_caps_facts f)
{
	struct iob_caps caps;

	f.term = "xterm";
	f.tty = f.tty ? f.tty : "/dev/pts/1";
	f.codeset = "UTF-8";
	f.symbols = "auto";
	iob_caps_decide(&caps, &f);
	return caps;
}

Test(caps, no_color_holds_unless_color_is_asked_for)
{
	cr_expect(decide((struct iob_caps_facts){.colors = 256, .no_color = ""}).color);
	cr_expect_not(decide((struct iob_caps_facts){.colors = 256, .no_color = "1"}).color);
	cr_expect(
		decide((struct iob_caps_facts){.colors = 256, .no_color = "1", .color = 1}).color);
	cr_expect_not(decide((struct iob_caps_facts){.colors = 256, .color = 2}).color);
	cr_expect_not(decide((struct iob_caps_facts){.colors = 0, .color = 1}).color);
}

Test(caps, escdelay_of_the_environment_wins_if_it_is_a_number)
{
	cr_expect_eq(decide((struct iob_caps_facts){.escdelay = "700"}).escdelay_ms, 700);
	cr_expect_eq(decide((struct iob_caps_facts){.escdelay = "7x"}).escdelay_ms, 25);
	cr_expect_eq(decide((struct iob_caps_facts){.escdelay = "-1"}).escdelay_ms, 25);
	cr_expect_eq(decide((struct iob_caps_facts){.escdelay = ""}).escdelay_ms, 25);
}

Test(caps, refresh_depends_on_the_line_and_is_bounded)
{
	cr_expect_eq(decide((struct iob_caps_facts){.ssh = true}).refresh_ns, 250 * IOB_NS_PER_MS);
	cr_expect_eq(decide((struct iob_caps_facts){.tty = "/dev/ttyS1"}).refresh_ns, IOB_NS_PER_S);
	cr_expect_eq(
		decide((struct iob_caps_facts){.refresh_ns = 1}).refresh_ns, 100 * IOB_NS_PER_MS);
	cr_expect_eq(decide((struct iob_caps_facts){.refresh_ns = UINT64_MAX}).refresh_ns,
		10 * IOB_NS_PER_S);
}
