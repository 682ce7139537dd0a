/* SPDX-License-Identifier: MIT */
/*
 * The block devices of this machine from /sys/block, what is on them (libblkid) and who uses them
 * (libmount, /proc/swaps, holders).  Everything textual is cleaned of control characters.
 */
#ifndef IOB_TARGET_BLOCKDEV_H
#define IOB_TARGET_BLOCKDEV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum iob_blockdev_use {
	IOB_USE_FREE,
	IOB_USE_MOUNTED, /* it, or a partition or holder of it */
	IOB_USE_SWAP,
	IOB_USE_HELD, /* LVM, md, dm, loop, bcache; or opened exclusively by somebody */
};

struct iob_blockdev {
	char name[64];   /* "nvme0n1", kernel name */
	char path[72];   /* "/dev/nvme0n1" */
	char parent[64]; /* whole disk of a partition, else "" */
	char kind[16];   /* nvme sata scsi usb virtio mmc loop zram md dm lvm rom ram nbd partition
			    other */
	char model[80];  /* vendor and model, or the name of a mapped device; "" = unknown */
	char serial[64];
	char scheduler[32]; /* the active one; "none"; "" = has none */
	char contents[128]; /* "ext4 \"backup\"", "gpt, 3 partitions", "empty", "unknown (no
			       permission)" */
	char use_text[192]; /* "/ (mounted)", "swap", "held by dm-0 (vg0-data)", "" = free */
	enum iob_blockdev_use use;
	bool has_signature; /* libblkid knows what is on it */
	bool readonly, rotational, removable, is_partition;
	unsigned major, minor;
	uint64_t size;    /* bytes */
	uint64_t diskseq; /* grows with each disk or image that is attached; 0 = unknown */
	uint32_t logical_block_size, physical_block_size, optimal_io_size;
	uint32_t nr_requests; /* 0 = unknown */
	int numa_node;        /* -1 = unknown */
};

struct iob_blockdevs {
	struct iob_blockdev
		*item; /* disks in natural order of names, each followed by its partitions */
	size_t count;
};

enum iob_blockdev_probe {
	IOB_PROBE_NONE,     /* never opens a device: contents is "" */
	IOB_PROBE_CONTENTS, /* opens each with libblkid, in a child process that is given up after a
			       deadline (2 s in all) */
};

/*
 * root: "" for the real machine, else a folder that stands for / (tests; nothing is probed then).
 * Devices of size 0 and ram disks that hold nothing are left out.  0 or negative errno.
 */
int iob_blockdevs_list(
	struct iob_blockdevs *, const char *root, enum iob_blockdev_probe, struct iob_error *);
void iob_blockdevs_free(struct iob_blockdevs *);

/* One device by number, without the list. -ENODEV if /sys does not know it. */
int iob_blockdev_get(struct iob_blockdev *, const char *root, unsigned major, unsigned minor,
	enum iob_blockdev_probe, struct iob_error *);

struct iob_blockdev_id {
	unsigned major, minor;
	char name[64]; /* kernel name, as in /proc/diskstats */
};

/* The whole disk behind a device number (partition -> disk); false if unknown (anonymous devices:
 * btrfs, overlay, tmpfs).  partition (may be NULL): the device itself if it is one, else name "".
 */
bool iob_blockdev_whole(const char *root, unsigned major, unsigned minor,
	struct iob_blockdev_id *disk, struct iob_blockdev_id *partition);

#endif
