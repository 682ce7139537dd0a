/* SPDX-License-Identifier: MIT */
/*
 * Character devices that take commands instead of reads and writes: NVMe namespaces (/dev/ngXnY)
 * and SCSI devices (/dev/sgN).  What they answer about themselves, decoded; and the block device of
 * the same medium, which tells whether it is in use.
 */
#ifndef IOB_TARGET_GENERIC_H
#define IOB_TARGET_GENERIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"

enum iob_generic_kind {
	IOB_GENERIC_NONE, /* another character device */
	IOB_GENERIC_NVME,
	IOB_GENERIC_SCSI,
};

#define IOB_NVME_IDENTIFY_SIZE 4096
#define IOB_SCSI_CAPACITY_SIZE 32

struct iob_geometry {
	uint64_t size;  /* bytes */
	uint32_t block; /* bytes of a logical block */
};

/* By its place in /sys below root ("" but for tests). */
enum iob_generic_kind iob_generic_kind_of(const char *root, const struct stat *);
/* Kernel name of its block device ("nvme0n1", "sda"); false if it has none. */
bool iob_generic_disk(const char *root, const struct stat *, char *name, size_t n);

/* Identify Namespace (CNS 0), IOB_NVME_IDENTIFY_SIZE bytes. */
int iob_nvme_decode(struct iob_geometry *, const unsigned char *, struct iob_error *);
/* READ CAPACITY (16), IOB_SCSI_CAPACITY_SIZE bytes. */
int iob_scsi_decode(struct iob_geometry *, const unsigned char *, struct iob_error *);
/* Ask the device. */
int iob_generic_geometry(struct iob_geometry *, enum iob_generic_kind, int fd, struct iob_error *);

#endif
