/* SPDX-License-Identifier: MIT */
/* What can be said before the first I/O: of the target, the job, and the machine around them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "measure/verdict.h"

#define SPARSE_SHARE  0.01
#define FOUR_KIB      4096
/* An optimal size beyond that is that of a RAID stripe or an invention of a USB bridge. */
#define OPTIMAL_LIMIT (UINT64_C(16) << 20)
/* From then on the cost of a scheduler is felt on a disk without moving parts. */
#define SCHED_IOPS    20000.0

typedef char words[32]; /* a formatted value */

static void judge_memory(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	const struct iob_surroundings *s = &f->around;
	words a, b;

	if (f->direct_refused)
		iob_warning_add(w, "ODIRECT",
			"The file system refused direct I/O, so the page cache is part of every "
			"figure; name a TARGET on ext4, xfs or btrfs, or a block device.");
	else if (s->memory_fs[0] && !f->buffered)
		iob_warning_add(w, "ODIRECT",
			"Direct I/O means nothing on %s: its files live in memory, and no disk is "
			"measured; name a TARGET on a disk.",
			s->memory_fs);
	if (s->memory_disk[0]) {
		iob_warning_add(w, "RAM",
			"What looks like a disk here is memory (%s): no disk is measured; name a TARGET "
			"on a disk.",
			s->memory_disk);
		return;
	}
	if ((!f->buffered && !s->cached_loop) || f->null_engine || f->region_bytes == 0 ||
		f->region_bytes >= f->ram_bytes)
		return;
	if (f->buffered)
		iob_warning_add(w, "RAM",
			"I/O is buffered and the region (%s) fits into memory (%s): this measures "
			"memory as much as the disk; use --direct=1, or a --size above the memory's.",
			iob_format_bytes(a, sizeof(a), f->region_bytes),
			iob_format_bytes(b, sizeof(b), f->ram_bytes));
	else
		iob_warning_add(w, "RAM",
			"The loop device goes through the page cache of what it stands on, and the "
			"region (%s) fits into memory (%s): this measures memory as much as a disk; "
			"use `losetup --direct-io=on`.",
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
	if (f->around.writer[0])
		iob_warning_add(w, "INUSE",
			"The target is open for writing elsewhere: %s; its load and its data mix with "
			"ours; end it, or name another target.",
			f->around.writer);
	if (!f->reads || (double)f->sparse_bytes <= SPARSE_SHARE * (double)f->region_bytes)
		return;
	iob_warning_add(w, "SPARSE",
		"%s of the %s that are read were never written: the file system answers zeros "
		"without asking the disk; read a file that is filled.",
		iob_format_bytes(a, sizeof(a), f->sparse_bytes),
		iob_format_bytes(b, sizeof(b), f->region_bytes));
	iob_warning_evidence(w, "sparse_bytes", (double)f->sparse_bytes);
	iob_warning_evidence(w, "region_bytes", (double)f->region_bytes);
}

static void judge_queue(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
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
	if (f->around.aio_sync) {
		iob_warning_add(w, "AIOSYNC",
			"libaio does buffered I/O one at a time: the depth of %" PRIu64
			" is not reached; use --direct=1, or --ioengine=io_uring.",
			f->depth);
		iob_warning_evidence(w, "depth", (double)f->depth);
		if (f->has_disk && !f->before)
			iob_warning_evidence(w, "device_depth", f->total->disk.aqu_sz);
	}
}

/* 0 = it begins where it should; else the unit that it misses. */
static uint64_t missed_by(const struct iob_surroundings *s, uint64_t at)
{
	uint64_t unit = s->physical_block > FOUR_KIB ? s->physical_block : FOUR_KIB;

	if (at % unit)
		return unit;
	if (s->optimal_io > unit && s->optimal_io % unit == 0 && s->optimal_io <= OPTIMAL_LIMIT &&
		at % s->optimal_io)
		return s->optimal_io;
	return 0;
}

static void judge_alignment(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	const struct iob_surroundings *s = &f->around;
	uint64_t unit = missed_by(s, s->start_bytes);
	words a, b;

	if (s->physical_block && s->alignment_bytes) {
		unit = s->physical_block;
		iob_warning_add(w, "MISALIGN",
			"The partition begins %" PRIu64
			" bytes off the disk's %s blocks (alignment_offset): each of ours touches "
			"one more; make it anew with a start that they divide.",
			s->alignment_bytes, iob_format_bytes(a, sizeof(a), unit));
	} else if (unit) {
		iob_warning_add(w, "MISALIGN",
			"The partition begins at sector %" PRIu64
			", which is no multiple of %s: blocks of ours cross those of the disk; make "
			"it anew with a start that %s divides (`fdisk -l` shows it).",
			s->start_bytes / 512, iob_format_bytes(a, sizeof(a), unit),
			iob_format_bytes(b, sizeof(b), unit));
	} else if (f->is_write_run && !f->buffered && s->physical_block &&
		   (s->smallest_block % s->physical_block ||
			   s->region_offset % s->physical_block)) {
		unit = s->physical_block;
		iob_warning_add(w, "MISALIGN",
			"Writes of %s do not fill the disk's physical blocks of %s: it reads, changes "
			"and writes back; use a --bs and --offset that %s divides.",
			iob_format_size_exact(a, sizeof(a), s->smallest_block),
			iob_format_bytes(b, sizeof(b), unit), b);
	} else {
		return;
	}
	iob_warning_evidence(w, "start_bytes", (double)s->start_bytes);
	iob_warning_evidence(w, "unit_bytes", (double)unit);
	iob_warning_evidence(w, "bs", (double)s->smallest_block);
}

static void judge_scheduler(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	const struct iob_surroundings *s = &f->around;
	bool costly = strcmp(s->scheduler, "bfq") == 0;
	bool fast = s->is_nvme || (!f->before && f->total->all.iops >= SCHED_IOPS);

	if (s->unused_scheduler[0]) {
		iob_warning_add(w, "SCHED",
			"ioscheduler=%s had no effect: no disk with a scheduler is known behind this "
			"target; leave it out.",
			s->unused_scheduler);
		return;
	}
	if (s->scheduler[0] == '\0' || strcmp(s->scheduler, "none") == 0 || f->rotational ||
		f->null_engine || !(costly || fast))
		return;
	iob_warning_add(w, "SCHED",
		"The scheduler %s orders requests that need no order: on a disk without moving parts "
		"it costs CPU time and IOPS; compare with --ioscheduler=none.",
		s->scheduler);
	if (!f->before)
		iob_warning_evidence(w, "iops", f->total->all.iops);
}

static void judge_machine(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	const struct iob_surroundings *s = &f->around;

	if (s->numa_node >= 0 && s->numa_off > 0) {
		iob_warning_add(w, "NUMA",
			"%u of %u CPUs for workers are on another NUMA node than the disk (%d): data cross "
			"the link between the sockets; pin workers with --cpus_allowed.",
			s->numa_off, s->numa_cpus, s->numa_node);
		iob_warning_evidence(w, "numa_node", s->numa_node);
		iob_warning_evidence(w, "cpus_off_node", s->numa_off);
		iob_warning_evidence(w, "cpus", s->numa_cpus);
	}
	if (s->governor[0]) {
		iob_warning_add(w, "POWERSAVE",
			"The CPU frequency governor is %s (%" PRIu64 " of %" PRIu64
			" MHz): a CPU that sleeps between I/Os adds to each latency; use `cpupower "
			"frequency-set -g performance`.",
			s->governor, s->cpu_khz / 1000, s->cpu_max_khz / 1000);
		iob_warning_evidence(w, "cpu_mhz", (double)s->cpu_khz / 1000);
		iob_warning_evidence(w, "cpu_max_mhz", (double)s->cpu_max_khz / 1000);
	}
	if (s->link_bps && s->link_bps < s->link_max_bps) {
		iob_warning_add(w, "LINK",
			"The disk's link is slower than it could be (%s): %.3g of %.3g GB/s; look at "
			"the slot, the cable and the firmware's settings.",
			s->link, (double)s->link_bps / 1e9, (double)s->link_max_bps / 1e9);
		iob_warning_evidence(w, "link_bytes_per_s", (double)s->link_bps);
		iob_warning_evidence(w, "link_max_bytes_per_s", (double)s->link_max_bps);
	}
}

/* Before a run nobody knows whether it would reach them. */
static void judge_quota(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	const struct iob_surroundings *s = &f->around;
	bool capped = s->cap_bps[0] || s->cap_bps[1] || s->cap_iops[0] || s->cap_iops[1];

	if (!f->before || (s->cpu_quota <= 0 && !capped))
		return;
	if (capped)
		iob_warning_add(w, "THROTTLED",
			"The cgroup limits what this disk may be asked for (io.max): a run may "
			"measure that limit, not the disk; raise it, or run outside of it.");
	else
		iob_warning_add(w, "THROTTLED",
			"The cgroup grants %.3g CPUs (cpu.max): a run that needs more is stopped in "
			"between, which shows as latency; raise it, or run outside of it.",
			s->cpu_quota);
	iob_warning_evidence(w, "cpu_quota", s->cpu_quota);
	iob_warning_evidence(w, "read_bytes_per_s", (double)s->cap_bps[0]);
	iob_warning_evidence(w, "write_bytes_per_s", (double)s->cap_bps[1]);
	iob_warning_evidence(w, "read_iops", (double)s->cap_iops[0]);
	iob_warning_evidence(w, "write_iops", (double)s->cap_iops[1]);
}

void iob_verdict_setting(struct iob_warnings *w, const struct iob_verdict_facts *f)
{
	judge_memory(w, f);
	judge_content(w, f);
	judge_queue(w, f);
	judge_alignment(w, f);
	judge_scheduler(w, f);
	judge_machine(w, f);
	judge_quota(w, f);
}
