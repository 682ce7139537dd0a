/* SPDX-License-Identifier: MIT */
#include "measure/verdict.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

#define SHORT_SECONDS 5.0
#define SHORT_IOS     1000
/* Before that the disk's counters, read ten times a second, are too far behind our own. */
#define DISK_SECONDS  0.3
#define CACHED_SHARE  0.5
#define FOREIGN_SHARE 1.05
#define FOREIGN_SLACK (1024.0 * 1024)
#define STALL_NS      UINT64_C(1000000000)
#define BEHIND_SHARE  0.95

typedef char words[32]; /* a formatted value */

/* When a run ended with its size: how many blocks that is. */
static char *room_for(const struct iob_verdict_facts *f, char *buf, size_t n)
{
	uint64_t block = f->around.smallest_block;
	uint64_t blocks = block ? f->region_bytes / block : 0;

	buf[0] = '\0';
	if (f->by_size && !f->by_number && blocks > 0 && blocks < SHORT_IOS)
		snprintf(buf, n, " (the region has room for %" PRIu64 " block%s)", blocks,
			blocks == 1 ? "" : "s");
	return buf;
}

static void judge_length(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	const struct iob_segment_figures *t = f->total;

	/* More time does not help a run that ends with its work. */
	const char *remedy = f->by_number ? "raise --number_ios"
			     : f->by_size ? "give a larger --size, or --time_based=1"
					  : "run longer (--runtime=30s or more)";

	char room[64];

	if (f->running || (t->seconds >= SHORT_SECONDS && t->all.ios >= SHORT_IOS))
		return;
	if (t->all.ios < SHORT_IOS)
		iob_warning_add(w, "SHORT",
			"Only %" PRIu64 " I/O%s measured%s: too few for high percentiles; %s.",
			t->all.ios, t->all.ios == 1 ? " was" : "s were",
			room_for(f, room, sizeof(room)), remedy);
	else
		iob_warning_add(w, "SHORT",
			"Only %.1f s were measured: too short to tell steady figures from a burst; "
			"%s.",
			t->seconds, remedy);
	iob_warning_evidence(w, "ios", (double)t->all.ios);
	iob_warning_evidence(w, "seconds", t->seconds);
}

static void judge_cache(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	double own = (double)f->total->dir[IOB_READ].bytes;
	double device = (double)f->device_read_bytes;
	words a, b;

	if (!f->has_disk || f->null_engine || f->total->seconds < DISK_SECONDS || own <= 0 ||
		device >= CACHED_SHARE * own)
		return;
	iob_warning_add(w, "CACHED",
		"The disk read %s for %s that we read: most came out of a cache in memory, so "
		"these are not the disk's figures; use --direct=1, or a region larger than memory.",
		iob_format_bytes(a, sizeof(a), f->device_read_bytes),
		iob_format_bytes(b, sizeof(b), f->total->dir[IOB_READ].bytes));
	iob_warning_evidence(w, "device_bytes", device);
	iob_warning_evidence(w, "own_bytes", own);
}

/* With direct I/O a disk may write less since it, or the file system, compresses. */
static void judge_writes_in_memory(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	double own = (double)f->total->dir[IOB_WRITE].bytes;
	double device = (double)f->device_write_bytes;
	words a, b;

	if (!f->has_disk || f->null_engine || !f->buffered || f->total->seconds < DISK_SECONDS ||
		own <= 0 || device >= CACHED_SHARE * own || iob_warnings_have(w, "CACHED"))
		return;
	iob_warning_add(w, "CACHED",
		"The disk wrote %s of %s that we wrote: memory took the rest, so these are not the "
		"disk's figures (the sync at the end tells more); use --direct=1, or run longer.",
		iob_format_bytes(a, sizeof(a), f->device_write_bytes),
		iob_format_bytes(b, sizeof(b), f->total->dir[IOB_WRITE].bytes));
	iob_warning_evidence(w, "device_bytes", device);
	iob_warning_evidence(w, "own_bytes", own);
}

/* That it mattered is not known: then CACHED has the figures. */
static void judge_kept_cache(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	if (!f->cache_kept || !f->buffered || !f->reads || iob_warnings_have(w, "CACHED"))
		return;
	iob_warning_add(w, "CACHED",
		"The page cache of the target could not be dropped before the run (that is for "
		"root): what it held of it was read from memory; run as root, or use --direct=1.");
}

static bool is_foreign(uint64_t device, uint64_t own)
{
	return (double)device > FOREIGN_SHARE * (double)own + FOREIGN_SLACK;
}

static void judge_foreign(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	uint64_t read = f->total->dir[IOB_READ].bytes;
	/* Holes that are punched into a file make the file system write. */
	uint64_t wrote = f->total->dir[IOB_WRITE].bytes + f->total->dir[IOB_TRIM].bytes;
	uint64_t device_read = f->device_read_bytes + f->beside_read_bytes;
	uint64_t device_wrote = f->device_write_bytes + f->beside_write_bytes;
	bool reads = is_foreign(device_read, read);
	bool writes = is_foreign(device_wrote, wrote);
	words a, b;

	if (!f->has_disk || f->null_engine || f->total->seconds < DISK_SECONDS ||
		(!reads && !writes))
		return;
	uint64_t device = reads ? device_read : device_wrote;
	uint64_t own = reads ? read : wrote;
	iob_warning_add(w, "FOREIGN",
		"The disk %s %s while we %s %s: other programs (or the file system itself) used it "
		"at the same time and slowed this run; stop them and run again.",
		reads ? "read" : "wrote", iob_format_bytes(a, sizeof(a), device),
		reads ? "read" : "wrote", iob_format_bytes(b, sizeof(b), own));
	iob_warning_evidence(w, reads ? "device_read_bytes" : "device_write_bytes", (double)device);
	iob_warning_evidence(w, reads ? "own_read_bytes" : "own_write_bytes", (double)own);
	if (reads && writes) {
		iob_warning_evidence(w, "device_write_bytes", (double)device_wrote);
		iob_warning_evidence(w, "own_write_bytes", (double)wrote);
	}
}

static void judge_stall(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	if (f->stall_ns < STALL_NS + f->slot_ns || f->silent_ns)
		return;
	iob_warning_add(w, "STALL",
		"Nothing came back for %.1f s on end: look into the kernel's log (dmesg) for errors "
		"and resets of the disk, and for throttling.",
		(double)f->stall_ns / 1e9);
	iob_warning_evidence(w, "stall_seconds", (double)f->stall_ns / 1e9);
}

/* While it lasts, after it, or the sleep of which the clock knows nothing. */
static void say_gap(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	const struct iob_gap_view *g = &f->gap;
	double asleep = (double)g->asleep_ns / 1e9;

	if (f->silent_ns)
		iob_warning_add(w, "GAP",
			"The program itself has not run for %.1f s: its load process is stopped, "
			"frozen, or gets no CPU; it says nothing of the device.",
			(double)f->silent_ns / 1e9);
	else if (g->ns == 0)
		iob_warning_add(w, "GAP",
			"The machine slept for %.1f s in the middle of the run: no figure counts that "
			"time, but what came after waking up; run again without it.",
			asleep);
	else
		iob_warning_add(w, "GAP",
			"The program itself did not run for %.1f s (stopped, frozen, or without a "
			"CPU; %u time%s): no rate counts that time, nor does the latency of what was "
			"in flight (I/Os: %" PRIu64 ").",
			(double)g->ns / 1e9, g->count, g->count == 1 ? "" : "s", f->gap_ios);
}

static void judge_gap(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	const struct iob_gap_view *g = &f->gap;

	if (g->count == 0 && f->silent_ns == 0)
		return;
	say_gap(w, f);
	iob_warning_evidence(w, "gap_seconds", (double)(g->ns + f->silent_ns) / 1e9);
	iob_warning_evidence(w, "gaps", (double)(g->count + (f->silent_ns > 0)));
	iob_warning_evidence(w, "asleep_seconds", (double)g->asleep_ns / 1e9);
	iob_warning_evidence(w, "ios_in_flight", (double)f->gap_ios);
}

static void judge_rate(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	double missing = f->asked_ios - f->paced_ios;

	/* Of a few, even at random times, some may be missing by chance: three standard deviations.
	 */
	if (f->paced_ios >= BEHIND_SHARE * f->asked_ios || missing * missing < 9 * f->asked_ios)
		return;
	double behind = (double)f->behind_ns / 1e9;
	words done, asked;
	iob_warning_add(w, "BEHIND",
		"Only %s of the %s I/Os that rate_iops asked for were done (%.0f %%), and the schedule "
		"was %.1f s behind at the end; ask for less, or raise --iodepth or --numjobs.",
		iob_format_count(done, sizeof(done), f->paced_ios),
		iob_format_count(asked, sizeof(asked), f->asked_ios),
		100 * f->paced_ios / f->asked_ios, behind);
	iob_warning_evidence(w, "asked_ios", f->asked_ios);
	iob_warning_evidence(w, "done_ios", f->paced_ios);
	iob_warning_evidence(w, "behind_seconds", behind);
}

void iob_verdict(struct iob_warnings *out, const struct iob_verdict_facts *f)
{
	memset(out, 0, sizeof(*out));
	if (!f->before) {
		judge_length(out, f);
		judge_cache(out, f);
		judge_writes_in_memory(out, f);
		judge_kept_cache(out, f);
		judge_foreign(out, f);
	}
	iob_verdict_setting(out, f);
	if (!f->before) {
		judge_stall(out, f);
		judge_gap(out, f);
		judge_rate(out, f);
		iob_verdict_course(out, f);
	}
}
