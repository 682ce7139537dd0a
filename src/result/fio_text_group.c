/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <inttypes.h>

#include "result/fio_text.h"

static void put_dir(
	const struct iob_fio_group *g, const char *name, const struct iob_fio_group_dir *d, FILE *f)
{
	const unsigned digits = g->significant_figures;
	struct iob_fio_pair agg = iob_fio_pair_rate(d->agg_bw, g->kb_base, g->unit_base, digits);
	struct iob_fio_pair min = iob_fio_pair_rate(d->min_bw, g->kb_base, g->unit_base, digits);
	struct iob_fio_pair max = iob_fio_pair_rate(d->max_bw, g->kb_base, g->unit_base, digits);
	struct iob_fio_pair io = iob_fio_pair_bytes(d->bytes, g->kb_base, digits);

	if (d->max_ms == 0)
		return;
	fprintf(f, "%7s: bw=%s (%s), %s-%s (%s-%s), ", name, agg.first, agg.second, min.first,
		max.first, min.second, max.second);
	fprintf(f, "io=%s (%s), run=%" PRIu64 "-%" PRIu64 "msec\n", io.first, io.second, d->min_ms,
		d->max_ms);
}

void iob_fio_text_group(const struct iob_fio_group *g, FILE *f)
{
	static const char *const names[IOB_NDIR] = {"READ", "WRITE", "TRIM"};

	fprintf(f, "\nRun status group %u (all jobs):\n", g->groupid);
	for (int i = 0; i < IOB_NDIR && g->unified != 1; i++)
		put_dir(g, names[i], &g->dir[i], f);
	if (g->unified)
		put_dir(g, "MIXED", &g->mixed, f);
}

static void put_stat(const char *prefix, const struct iob_diskstat *s, FILE *f)
{
	fprintf(f, "%sios=%" PRIu64 "/%" PRIu64 ", %smerge=%" PRIu64 "/%" PRIu64 ", ", prefix,
		s->reads, s->writes, prefix, s->read_merges, s->write_merges);
	fprintf(f, "%sticks=%" PRIu64 "/%" PRIu64 ", %sin_queue=%" PRIu64 ", ", prefix, s->read_ms,
		s->write_ms, prefix, s->weighted_ms);
}

void iob_fio_text_disk(const struct iob_fio_disk *d, FILE *f)
{
	fprintf(f, "%s%s: ", d->aggregated ? "    " : "  ", d->name);
	put_stat("", &d->delta, f);
	fprintf(f, "util=%3.2f%%", d->util);
	if (d->aggregated) {
		fputs(", ", f);
		put_stat("aggr", &d->mean, f);
		fprintf(f, "aggrutil=%3.2f%%", d->max_util);
	}
	fputc('\n', f);
}
