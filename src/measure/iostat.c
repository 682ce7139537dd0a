/* SPDX-License-Identifier: MIT */
#include "measure/hoststat.h"

#define SECTOR 512.0 /* the unit of /proc/diskstats, whatever the device's blocks are */

static double each(uint64_t ms, uint64_t n)
{
	return n ? (double)ms / (double)n : 0;
}

void iob_iostat_compute(struct iob_iostat *out, const struct iob_diskstat *d, uint64_t ns)
{
	*out = (struct iob_iostat){0};
	if (ns == 0)
		return;
	double s = (double)ns / 1e9;

	*out = (struct iob_iostat){
		.r_s = (double)d->reads / s,
		.w_s = (double)d->writes / s,
		.d_s = (double)d->discards / s,
		.f_s = (double)d->flushes / s,
		.r_bytes_s = (double)d->read_sectors * SECTOR / s,
		.w_bytes_s = (double)d->write_sectors * SECTOR / s,
		.d_bytes_s = (double)d->discard_sectors * SECTOR / s,
		.rrqm_s = (double)d->read_merges / s,
		.wrqm_s = (double)d->write_merges / s,
		.r_await_ms = each(d->read_ms, d->reads),
		.w_await_ms = each(d->write_ms, d->writes),
		.aqu_sz = (double)d->weighted_ms / 1e3 / s,
		.util = (double)d->io_ms / 10 / s,
	};
	/* io_ms is counted in jiffies of its own, so a short span can come out above the whole. */
	if (out->util > 100)
		out->util = 100;
}
