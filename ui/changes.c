/* SPDX-License-Identifier: MIT */
#include "ui/changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ui/fmt.h"
#include "ui/tuning.h"

#define SOUND_S     10.0 /* a segment's figures are good from then on */
#define TOO_SHORT_S 2.0

static struct iob_change *append(struct iob_changes *c)
{
	struct iob_change *grown = iob_array_extend(c->item, c->count, sizeof(*grown));

	if (!grown)
		return NULL;
	c->item = grown;
	memset(&c->item[c->count], 0, sizeof(c->item[0]));
	return &c->item[c->count++];
}

static char letter_of(unsigned n)
{
	static const char letters[] = "0abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return n < sizeof(letters) - 1 ? letters[n] : '+';
}

static int load_before(const struct iob_changes *c, size_t i)
{
	while (i-- > 0)
		if (c->item[i].params.kind == IOB_SEGMENT_LOAD)
			return (int)i;
	return -1;
}

static void describe_load(struct iob_changes *c, size_t i)
{
	struct iob_change *now = &c->item[i];
	char bs[120];

	if (now->before < 0 || c->item[now->before].params.stage != now->params.stage) {
		int n = now->params.stage > 0 ? snprintf(now->what, sizeof(now->what),
							"stage %u:", now->params.stage + 1)
					      : snprintf(now->what, sizeof(now->what), "start:");
		snprintf(now->what + n, sizeof(now->what) - (size_t)n,
			" qd %llu bs %s jobs %llu %s", (unsigned long long)now->params.live.iodepth,
			iob_live_bs(bs, sizeof(bs), &now->params.live),
			(unsigned long long)now->params.live.numjobs,
			iob_rw_name(now->params.live.rw));
		return;
	}
	iob_live_diff(now->what, sizeof(now->what), &c->item[now->before].params.live,
		&now->params.live, c->scope);
	if (!now->what[0])
		snprintf(now->what, sizeof(now->what), "%s",
			(size_t)now->before + 1 == i ? "reset" : "resumed");
}

static void describe(struct iob_changes *c, size_t i)
{
	struct iob_change *now = &c->item[i];

	now->letter = ' ';
	now->before = load_before(c, i);
	switch (now->params.kind) {
	case IOB_SEGMENT_RAMP:
		snprintf(now->what, sizeof(now->what), "ramp");
		break;
	case IOB_SEGMENT_PAUSED:
		snprintf(now->what, sizeof(now->what), "paused");
		break;
	case IOB_SEGMENT_LOAD:
		now->letter = letter_of(c->letters++);
		describe_load(c, i);
		break;
	}
}

void iob_changes_update(struct iob_changes *c, const struct iob_source *source, unsigned nsegments)
{
	/* Late samples still reach a segment that was closed a moment ago. */
	size_t from = c->count > 3 ? c->count - 3 : 0;

	for (size_t i = from; i < nsegments; i++) {
		bool fresh = i >= c->count;
		struct iob_change *item = fresh ? append(c) : &c->item[i];

		if (!item)
			return;
		if (!source->segment(source->self, (uint32_t)i, &item->figures, &item->params)) {
			if (fresh)
				c->count--;
			return;
		}
		if (fresh)
			describe(c, i);
	}
}

void iob_changes_free(struct iob_changes *c)
{
	free(c->item);
	memset(c, 0, sizeof(*c));
}

char *iob_change_effect(const struct iob_changes *c, size_t i, char *buf, size_t n)
{
	const struct iob_change *now = &c->item[i];
	char iops[16], bw[16], p99[16];

	buf[0] = '\0';
	if (now->params.kind != IOB_SEGMENT_LOAD || now->before < 0)
		return buf;
	const struct iob_figures *a = &c->item[now->before].figures.all, *b = &now->figures.all;
	if (now->figures.seconds < TOO_SHORT_S) {
		snprintf(
			buf, n, "%s", now->figures.open ? "measuring ..." : "too short to compare");
		return buf;
	}
	snprintf(buf, n, "%sIOPS %s MiB/s %s p99 %s", now->figures.seconds < SOUND_S ? "~" : "",
		iob_fmt_change(iops, sizeof(iops), a->iops, b->iops),
		iob_fmt_change(bw, sizeof(bw), a->bw, b->bw),
		iob_fmt_change(p99, sizeof(p99), (double)a->lat.percentile_ns[IOB_P99],
			(double)b->lat.percentile_ns[IOB_P99]));
	return buf;
}
