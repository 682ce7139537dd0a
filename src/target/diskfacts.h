/* SPDX-License-Identifier: MIT */
/*
 * What /sys tells of a disk beyond struct iob_blockdev: the place of a partition, the settings of
 * the queue, the link that the disk hangs on, its temperature.  Reading a temperature can send a
 * command to the disk, so it is for the load process.
 */
#ifndef IOB_TARGET_DISKFACTS_H
#define IOB_TARGET_DISKFACTS_H

#include <stddef.h>
#include <stdint.h>

/* A plain value; 0 and "" = not known. */
struct iob_diskfacts {
	uint64_t start_bytes;      /* where the partition begins on its disk; 0 for a whole disk */
	uint32_t alignment_offset; /* bytes by which it misses the disk's blocks, as the kernel says
				    */
	uint32_t minimum_io, optimal_io; /* bytes */
	uint32_t max_request;            /* bytes of one request */
	uint32_t read_ahead;             /* bytes */
	uint32_t nr_requests;
	int nomerges;                    /* 0 merges, 1 simple ones only, 2 none; -1 = not known */
	int numa_node;                   /* -1 = not known, or all the same */
	char write_cache[24];            /* "write back" */
	uint64_t link_bps, link_max_bps; /* bytes per second of data that it can carry */
	char link[64];                   /* "PCIe 8.0 GT/s x4", "SATA 6.0 Gbps", "USB 5000 Mb/s" */
	int32_t temp_mc, temp_limit_mc;  /* thousandths of a degree */
};

/* root: "" = the real /sys.  Never fails: what cannot be read is not known. */
void iob_diskfacts_read(struct iob_diskfacts *, const char *root, unsigned major, unsigned minor);
/* The temperature alone, again; 0 = not known. */
int32_t iob_diskfacts_temperature(const char *root, unsigned major, unsigned minor);

#endif
