/* SPDX-License-Identifier: MIT */
#include "ui/command.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"

const struct iob_verb_row iob_verbs[] = {
	{"qd", IOB_VERB_QD, "N", "queue depth"},
	{"bs", IOB_VERB_BS, "SIZE", "block size"},
	{"rw", IOB_VERB_RW, "KIND", "pattern: read, randread, randrw, ... as rw="},
	{"rd", IOB_VERB_RD, "N", "share of reads in per cent"},
	{"cap", IOB_VERB_CAP, "N|off", "limit of the rate: I/Os per second of all workers"},
	{"jobs", IOB_VERB_JOBS, "N", "number of workers"},
	{"undo", IOB_VERB_UNDO, NULL, "the parameters before the last change"},
	{"redo", IOB_VERB_REDO, NULL, "what was undone"},
	{"pause", IOB_VERB_PAUSE, NULL, "pause the load, or go on"},
	{"reset", IOB_VERB_RESET, NULL, "figures anew, in a new segment"},
	{"mark", IOB_VERB_MARK, "[TEXT]", "a mark on the time axis"},
	{"baseline", IOB_VERB_BASELINE, NULL, "set or clear the baseline"},
	{"view", IOB_VERB_VIEW, "METRIC", "iops, mib, p50, p99, p99.9, max, depth, util or heat"},
	{"zoom", IOB_VERB_ZOOM, "N", "seconds per column: 1, 2, 5, 10, 30 or 60"},
	{"yaxis", IOB_VERB_YAXIS, "MODE", "auto, sticky, fixed or log"},
	{"sweep", IOB_VERB_SWEEP, "[RANGE [STEP]|on|off]",
		"find the knee: iodepth=1..256 5s; on or off: graphs fill from left to right"},
	{"delay", IOB_VERB_DELAY, "MS", "milliseconds between two frames, 100 to 10000"},
	{"symbols", IOB_VERB_SYMBOLS, "SET", "auto, braille, block, console or ascii"},
	{"color", IOB_VERB_COLOR, "WHEN", "auto, always or never"},
	{"mouse", IOB_VERB_MOUSE, "on|off", "wheel and clicks"},
	{"save", IOB_VERB_SAVE, "FILE", "save the figures so far; .txt as text"},
	{"dump", IOB_VERB_DUMP, "FILE", "write the screen into a file"},
	{"sleep", IOB_VERB_SLEEP, "TIME", "in a script: wait"},
	{"start", IOB_VERB_START, NULL, "start the run"},
	{"stop", IOB_VERB_STOP, NULL, "stop and show the summary"},
	{"q", IOB_VERB_QUIT, NULL, "quit; a script does not ask"},
	{NULL, IOB_VERB_NONE, NULL, NULL},
};

static const char *skip_blanks(const char *p)
{
	return p + strspn(p, " \t");
}

static const struct iob_verb_row *find(const char *word, size_t n)
{
	for (const struct iob_verb_row *v = iob_verbs; v->name; v++)
		if (strlen(v->name) == n && strncmp(v->name, word, n) == 0)
			return v;
	return NULL;
}

static int unknown(const char *word, size_t n, struct iob_error *err)
{
	char copy[32];
	struct iob_nearest nearest = {.typed = copy};

	snprintf(copy, sizeof(copy), "%.*s", n > 30 ? 30 : (int)n, word);
	for (const struct iob_verb_row *v = iob_verbs; v->name; v++)
		iob_nearest_offer(&nearest, v->name);
	if (nearest.best)
		return iob_fail_usage(
			err, "\"%s\": no such command; did you mean %s?", copy, nearest.best);
	return iob_fail_usage(err, "\"%s\": no such command; ? lists them", copy);
}

int iob_command_parse(struct iob_command *c, const char *line, struct iob_error *err)
{
	const char *word = skip_blanks(line);
	size_t n = strcspn(word, " \t\r\n");

	memset(c, 0, sizeof(*c));
	if (n == 0 || word[0] == '#')
		return 0;
	const struct iob_verb_row *v = find(word, n);
	if (!v)
		return unknown(word, n, err);
	const char *argument = skip_blanks(word + n);
	size_t length = strcspn(argument, "\r\n");
	while (length > 0 && (argument[length - 1] == ' ' || argument[length - 1] == '\t'))
		length--;
	if (length >= sizeof(c->text))
		return iob_fail_usage(err, "%s: the argument is too long", v->name);
	if (length && !v->argument)
		return iob_fail_usage(
			err, "%s %.60s: this command takes no argument", v->name, argument);
	if (!length && v->argument && v->argument[0] != '[')
		return iob_fail_usage(
			err, "%s: say %s %s (%s)", v->name, v->name, v->argument, v->help);
	c->verb = v->verb;
	memcpy(c->text, argument, length);
	return 0;
}
