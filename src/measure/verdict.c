/* SPDX-License-Identifier: MIT */
#include "measure/verdict.h"

#include <inttypes.h>
#include <stdarg.h>
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
#define TOOL_SHARE    0.9
#define SPARSE_SHARE  0.01
#define STALL_NS      UINT64_C(1000000000)
#define BEHIND_SHARE  0.95

typedef char words[32]; /* a formatted value */

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

static void judge_length(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	const struct iob_segment_figures *t = f->total;

	/* More time does not help a run that ends with its work. */
	const char *remedy = f->by_number ? "raise --number_ios"
			     : f->by_size ? "give a larger --size, or --time_based=1"
					  : "run longer (--runtime=30s or more)";

	if (f->running || (t->seconds >= SHORT_SECONDS && t->all.ios >= SHORT_IOS))
		return;
	if (t->all.ios < SHORT_IOS)
		iob_warning_add(w, "SHORT",
			"Only %" PRIu64 " I/Os were measured: too few for high percentiles; %s.",
			t->all.ios, remedy);
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

static bool is_foreign(uint64_t device, uint64_t own)
{
	return (double)device > FOREIGN_SHARE * (double)own + FOREIGN_SLACK;
}

static void judge_foreign(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	uint64_t read = f->total->dir[IOB_READ].bytes, wrote = f->total->dir[IOB_WRITE].bytes;
	bool reads = is_foreign(f->device_read_bytes, read);
	bool writes = is_foreign(f->device_write_bytes, wrote);
	words a, b;

	if (!f->has_disk || f->null_engine || f->total->seconds < DISK_SECONDS ||
		(!reads && !writes))
		return;
	uint64_t device = reads ? f->device_read_bytes : f->device_write_bytes;
	uint64_t own = reads ? read : wrote;
	iob_warning_add(w, "FOREIGN",
		"The disk %s %s while we %s %s: other programs (or the file system itself) used it "
		"at the same time and slowed this run; stop them and run again.",
		reads ? "read" : "wrote", iob_format_bytes(a, sizeof(a), device),
		reads ? "read" : "wrote", iob_format_bytes(b, sizeof(b), own));
	iob_warning_evidence(w, reads ? "device_read_bytes" : "device_write_bytes", (double)device);
	iob_warning_evidence(w, reads ? "own_read_bytes" : "own_write_bytes", (double)own);
	if (reads && writes) {
		iob_warning_evidence(w, "device_write_bytes", (double)f->device_write_bytes);
		iob_warning_evidence(w, "own_write_bytes", (double)wrote);
	}
}

static void judge_memory(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	words a, b;

	if (f->direct_refused)
		iob_warning_add(w, "ODIRECT",
			"The file system refused direct I/O, so the page cache is part of every "
			"figure; name a TARGET on ext4, xfs or btrfs, or a block device.");
	if (!f->buffered || f->null_engine || f->region_bytes == 0 ||
		f->region_bytes >= f->ram_bytes)
		return;
	iob_warning_add(w, "RAM",
		"I/O is buffered and the region (%s) fits into memory (%s): this measures memory as "
		"much as the disk; use --direct=1, or a --size above the memory's.",
		iob_format_bytes(a, sizeof(a), f->region_bytes),
		iob_format_bytes(b, sizeof(b), f->ram_bytes));
	iob_warning_evidence(w, "region_bytes", (double)f->region_bytes);
	iob_warning_evidence(w, "ram_bytes", (double)f->ram_bytes);
}

static void judge_content(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	words a, b;

	if (f->region_overlap)
		iob_warning_add(w, "OVERLAP",
			"Several workers share one range, so a block that one has read can be in a "
			"cache for the next; give each a part of its own, or use one worker.");
	if (f->zero_buffers && f->is_write_run)
		iob_warning_add(w, "ZERO",
			"Only zeros are written: a device that compresses or skips them looks "
			"faster than it is; use --zero_buffers=0.");
	if (f->total->dir[IOB_READ].ios == 0 ||
		(double)f->sparse_bytes <= SPARSE_SHARE * (double)f->region_bytes)
		return;
	iob_warning_add(w, "SPARSE",
		"%s of the %s that are read were never written: the file system answers zeros "
		"without asking the disk; read a file that is filled.",
		iob_format_bytes(a, sizeof(a), f->sparse_bytes),
		iob_format_bytes(b, sizeof(b), f->region_bytes));
	iob_warning_evidence(w, "sparse_bytes", (double)f->sparse_bytes);
	iob_warning_evidence(w, "region_bytes", (double)f->region_bytes);
}

static void judge_load(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	if (f->worker_cpu_max > TOOL_SHARE && !f->null_engine) {
		iob_warning_add(w, "TOOLBOUND",
			"A worker used %.0f %% of its CPU: the CPU may be the limit, not the disk; use "
			"more workers (--numjobs) or larger blocks.",
			f->worker_cpu_max * 100);
		iob_warning_evidence(w, "worker_cpu", f->worker_cpu_max);
	}
	if (f->queue_limit && f->depth > f->queue_limit && !f->null_engine) {
		iob_warning_add(w, "SMALLQUEUE",
			"%" PRIu64
			" requests are kept in flight but the kernel's queue for this disk "
			"holds %" PRIu64
			" (nr_requests): the rest wait outside and count as latency; "
			"lower --iodepth.",
			f->depth, f->queue_limit);
		iob_warning_evidence(w, "depth", (double)f->depth);
		iob_warning_evidence(w, "nr_requests", (double)f->queue_limit);
	}
	if (f->one_deep[0])
		iob_warning_add(w, "SYNCDEPTH",
			"The engine %s does one request at a time, so iodepth has no effect; use "
			"--ioengine=io_uring, or more workers (--numjobs).",
			f->one_deep);
	if (f->stall_ns >= STALL_NS) {
		iob_warning_add(w, "STALL",
			"Nothing came back for %.1f s on end: look into the kernel's log (dmesg) for "
			"errors and resets of the disk, and for throttling.",
			(double)f->stall_ns / 1e9);
		iob_warning_evidence(w, "stall_seconds", (double)f->stall_ns / 1e9);
	}
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
	judge_length(out, f);
	judge_cache(out, f);
	judge_foreign(out, f);
	judge_memory(out, f);
	judge_content(out, f);
	judge_load(out, f);
	judge_rate(out, f);
}
