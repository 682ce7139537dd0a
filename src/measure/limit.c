/* SPDX-License-Identifier: MIT */
#include "measure/limit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

#define NEAR          0.9
#define HOST_BUSY     0.95
#define RATE_KEPT     0.95
#define OURS_SMALL    0.5
#define FOREIGN_LARGE 1.2
/* So few in flight are answered one after the other: more would tell what the disk can do. */
#define SHALLOW       4
/* Of the time of a request; what is missing passes on the way there and back. */
#define DEVICE_SHARE  0.6
#define BUSY          85.0
#define LEAST_SECONDS 0.3
/* The kernel counts sectors and we count bytes: a limit shows itself a bit below itself. */
#define CAP_SHARE     0.9

static void say(struct iob_limit *l, const char *what, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void say(struct iob_limit *l, const char *what, const char *format, ...)
{
	va_list ap;

	snprintf(l->what, sizeof(l->what), "%s", what);
	va_start(ap, format);
	vsnprintf(l->text, sizeof(l->text), format, ap);
	va_end(ap);
}

static void note_cap(struct iob_cap *cap, double used, double limit, const char *unit, int dir)
{
	if (limit <= 0 || used / limit <= cap->used)
		return;
	cap->used = used / limit;
	cap->limit = limit;
	snprintf(cap->what, sizeof(cap->what), "%s", dir == IOB_READ ? "reads" : "writes");
	if (unit[0]) {
		iob_format_count(cap->text, sizeof(cap->text), limit);
		snprintf(cap->text + strlen(cap->text), sizeof(cap->text) - strlen(cap->text), "%s",
			unit);
	} else {
		iob_format_bandwidth(cap->text, sizeof(cap->text), limit);
	}
}

bool iob_cap_reached(struct iob_cap *cap, const struct iob_verdict_facts *f)
{
	*cap = (struct iob_cap){0};
	if (f->total->seconds < LEAST_SECONDS)
		return false;
	for (int d = IOB_READ; d <= IOB_WRITE; d++) {
		const struct iob_figures *dir = &f->total->dir[d];

		note_cap(cap, dir->bw, (double)f->around.cap_bps[d], "", d);
		note_cap(cap, dir->iops, (double)f->around.cap_iops[d], " IOPS", d);
	}
	return cap->used >= CAP_SHARE;
}

/* What was imposed from outside. */
static bool find_imposed(
	struct iob_limit *l, const struct iob_verdict_facts *f, const struct iob_warnings *w)
{
	struct iob_cap cap;
	char a[32], b[32], of[40] = "";

	if (iob_warnings_have(w, "THROTTLED")) {
		if (iob_cap_reached(&cap, f))
			say(l, "throttle",
				"the cgroup's limit of %s for %s, of which %.0f %% were used",
				cap.text, cap.what, cap.used * 100);
		else
			say(l, "throttle",
				"the cgroup's quota of %.3g CPUs, which stopped us for %.2f s in all",
				f->around.cpu_quota, (double)f->around.cpu_held_ns / 1e9);
		return true;
	}
	if (f->asked_ios > 0 && f->paced_ios >= RATE_KEPT * f->asked_ios) {
		/* At random times it may be more than that. */
		if (f->asked_ios > f->paced_ios)
			snprintf(of, sizeof(of), " of %s",
				iob_format_count(b, sizeof(b), f->asked_ios));
		say(l, "rate", "the rate that was asked for: %s%s I/Os were done in time",
			iob_format_count(a, sizeof(a), f->paced_ios), of);
		return true;
	}
	return false;
}

bool iob_limit_others_busy(const struct iob_verdict_facts *f)
{
	return f->host_cpu > HOST_BUSY && f->worker_cpu_max < OURS_SMALL && f->own_cpu < OURS_SMALL;
}

/* What answered in the disk's place, or got in its way. */
static bool find_beside(
	struct iob_limit *l, const struct iob_verdict_facts *f, const struct iob_warnings *w)
{
	const struct iob_segment_figures *t = f->total;
	uint64_t own = t->dir[IOB_READ].bytes + t->dir[IOB_WRITE].bytes;
	uint64_t device = f->device_read_bytes + f->device_write_bytes;
	bool memory = f->around.memory_fs[0] || f->around.memory_disk[0];
	/* Writes that memory took are no matter of the disk's, however short the run. */
	bool cached = iob_warnings_have(w, "CACHED") ||
		      (f->has_disk && f->buffered && t->dir[IOB_WRITE].bytes);
	char a[32], b[32];

	if (memory || (cached && device * 2 < own)) {
		say(l, "cache",
			"memory: the disk moved %s for the %s of ours; workers used %.0f %% of a CPU",
			iob_format_bytes(a, sizeof(a), device), iob_format_bytes(b, sizeof(b), own),
			f->worker_cpu_max * 100);
		return true;
	}
	if (iob_limit_others_busy(f)) {
		say(l, "neighbour",
			"others on this machine: its CPUs were %.0f %% busy, and our workers used %.0f %% "
			"of them (the busiest %.0f %% of one)",
			f->host_cpu * 100, f->own_cpu * 100, f->worker_cpu_max * 100);
		return true;
	}
	if (f->worker_cpu_max > NEAR || f->host_cpu > HOST_BUSY) {
		say(l, "cpu",
			"the CPU: the busiest worker used %.0f %% of one, the machine %.0f %% of all",
			f->worker_cpu_max * 100, f->host_cpu * 100);
		return true;
	}
	device += f->beside_read_bytes + f->beside_write_bytes;
	if (iob_warnings_have(w, "FOREIGN") && (double)device > FOREIGN_LARGE * (double)own) {
		say(l, "neighbour", "somebody else: the disk moved %s, and %s of that are ours",
			iob_format_bytes(a, sizeof(a), device),
			iob_format_bytes(b, sizeof(b), own));
		return true;
	}
	return false;
}

/* By Little's law: which part of a request's time passes in the kernel's queue and in the disk. */
static double share_of_device(const struct iob_segment_figures *t)
{
	double share = t->depth > 0 ? t->disk.aqu_sz / t->depth : 0;

	return share < 1 ? share : 1;
}

static void say_where(struct iob_limit *l, const struct iob_verdict_facts *f, const char *lat)
{
	const struct iob_segment_figures *t = f->total;
	double share = share_of_device(t);

	if (!f->has_disk)
		say(l, "unknown",
			"not known: there are no counters of a disk for this target; %.1f in flight, "
			"%s per I/O, workers used %.0f %% of a CPU",
			t->depth, lat, f->worker_cpu_max * 100);
	else if (share >= DEVICE_SHARE || t->disk.util >= BUSY)
		say(l, "device",
			"the device: %.0f %% of %s per I/O pass in it and its queue (%.1f requests, busy "
			"%.0f %% of the time); workers used %.0f %% of a CPU",
			share * 100, lat, t->disk.aqu_sz, t->disk.util, f->worker_cpu_max * 100);
	else
		say(l, "unknown",
			"not clear: only %.0f %% of %s per I/O pass in the device and its queue, and "
			"workers used %.0f %% of a CPU; the rest is waiting between the two",
			share * 100, lat, f->worker_cpu_max * 100);
}

static void find_disk(struct iob_limit *l, const struct iob_verdict_facts *f)
{
	const struct iob_segment_figures *t = f->total;
	char lat[32];

	iob_format_latency(lat, sizeof(lat), (uint64_t)t->all.lat.mean_ns);
	if (f->around.link_bps && t->all.bw > NEAR * (double)f->around.link_bps)
		say(l, "link", "the link to the disk (%s): %.3g of %.3g GB/s", f->around.link,
			t->all.bw / 1e9, (double)f->around.link_bps / 1e9);
	else if (t->depth < SHALLOW && f->depth < SHALLOW && !f->seeks)
		say(l, "queue depth",
			"the queue depth: %.1f in flight at %s each; the disk may do more at once "
			"(--iodepth)",
			t->depth, lat);
	else
		say_where(l, f, lat);
}

void iob_limit_find(
	struct iob_limit *l, const struct iob_verdict_facts *f, const struct iob_warnings *w)
{
	*l = (struct iob_limit){.what = ""};
	/* What holds for one stage need not for another. */
	if (f->total->all.ios == 0 || f->stages)
		return;
	if (find_imposed(l, f, w))
		return;
	if (f->null_engine) {
		say(l, "cpu",
			"the program itself: there is no device behind this engine; the busiest worker used %.0f %% of a CPU",
			f->worker_cpu_max * 100);
		return;
	}
	if (!find_beside(l, f, w))
		find_disk(l, f);
}
