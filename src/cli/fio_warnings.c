/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_warnings.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"

struct seen {
	unsigned job;
	char code[sizeof(((struct iob_warning *)0)->code)];
};

struct work {
	struct iob_fio_warnings *out;
	struct seen *seen;
	size_t nseen, room;
};

/* What compares a clone with its disk is wrong when others use the disk as well. */
static bool is_about_the_disk(const char *code)
{
	static const char *const codes[] = {"FOREIGN", "CACHED", "ODIRECT"};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (strcmp(code, codes[i]) == 0)
			return true;
	return false;
}

static bool is_new(struct work *w, unsigned job, const char *code)
{
	for (size_t i = 0; i < w->nseen; i++)
		if (w->seen[i].job == job && strcmp(w->seen[i].code, code) == 0)
			return false;
	if (w->nseen == w->room) {
		size_t room = w->room ? 2 * w->room : 16;
		struct seen *grown = realloc(w->seen, room * sizeof(*grown));

		if (!grown)
			return false;
		w->seen = grown;
		w->room = room;
	}
	struct seen *s = &w->seen[w->nseen++];
	s->job = job;
	snprintf(s->code, sizeof(s->code), "%s", code);
	return true;
}

static void add(struct work *w, const struct iob_fleet_clone *c, const char *code, const char *text)
{
	struct iob_fio_warnings *out = w->out;
	char *line, name[256];

	if (!is_new(w, c->job, code))
		return;
	char **grown = realloc(out->line, (out->count + 1) * sizeof(*grown));
	if (!grown)
		return;
	out->line = grown;
	if (asprintf(&line, "%s: %s: %s", iob_text_clean(name, sizeof(name), c->source->jobname),
		    code, text) >= 0)
		out->line[out->count++] = line;
}

void iob_fio_warnings_collect(struct iob_fio_warnings *out, struct iob_fleet *f)
{
	IOB_FREE struct iob_snapshot *snap = malloc(sizeof(*snap));
	struct work w = {.out = out};

	for (unsigned i = 0; snap && i < f->count; i++) {
		const struct iob_fleet_clone *c = &f->clone[i];

		if (!c->run)
			continue;
		iob_run_snapshot(c->run, snap);
		for (unsigned k = 0; k < snap->warnings.count; k++) {
			const struct iob_warning *warning = &snap->warnings.item[k];

			if (f->count == 1 || !is_about_the_disk(warning->code))
				add(&w, c, warning->code, warning->text);
		}
		if (iob_fleet_overlaps(f, i))
			add(&w, c, "OVERLAP",
				"other jobs read or write the same range of the same file at the same "
				"time, as fio's clones do; offset_increment=, or files of their own, "
				"keep them apart");
	}
	free(w.seen);
}

void iob_fio_warnings_print(const struct iob_fio_warnings *w, FILE *f)
{
	for (size_t i = 0; i < w->count; i++)
		fprintf(f, "iotop-bench: warning: %s\n", w->line[i]);
}

void iob_fio_warnings_free(struct iob_fio_warnings *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->line[i]);
	free(w->line);
	*w = (struct iob_fio_warnings){0};
}
