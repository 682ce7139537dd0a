/* SPDX-License-Identifier: MIT */
/* Requests as commands of the NVMe command set, and what its status codes mean. */
#ifndef IOB_ENGINES_NVME_H
#define IOB_ENGINES_NVME_H

#include <linux/nvme_ioctl.h>
#include <stddef.h>

#include "load/engine.h"

#define IOB_NVME_MOST_BLOCKS 65536 /* of one command */

/* One range of a deallocation, as the device reads it. */
struct iob_nvme_range {
	unsigned char bytes[16];
};

#ifdef HAVE_STRUCT_NVME_URING_CMD
/* 0, or -EINVAL where offset or length are no whole blocks or more than a command takes. */
int iob_nvme_build(struct nvme_uring_cmd *, const struct iob_req *, unsigned nsid,
	uint32_t block_size, struct iob_nvme_range *);
#endif

/* Negative errno for a status that is not 0. */
int iob_nvme_errno(unsigned status);
/* "NVMe status 0x281: the medium could not be read". */
void iob_nvme_words(unsigned status, char *buf, size_t n);

#endif
