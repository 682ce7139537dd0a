/* SPDX-License-Identifier: MIT */
/* Requests as SCSI commands, and what a device's sense data mean. */
#ifndef IOB_ENGINES_SCSI_H
#define IOB_ENGINES_SCSI_H

#include <stddef.h>
#include <stdint.h>

#include "load/engine.h"

#define IOB_SCSI_CDB_SIZE   16
#define IOB_SCSI_UNMAP_SIZE 24
#define IOB_SCSI_SENSE_SIZE 64

struct iob_scsi_command {
	unsigned char cdb[IOB_SCSI_CDB_SIZE];
	unsigned length;                          /* of the cdb */
	unsigned char unmap[IOB_SCSI_UNMAP_SIZE]; /* what a trim sends */
};

/* Reads or writes with force unit access: past the device's cache. */
void iob_scsi_force_access(struct iob_scsi_command *);

/* 0, or -EINVAL where offset or length are no whole blocks or more than a command takes. */
int iob_scsi_build(struct iob_scsi_command *, const struct iob_req *, uint32_t block_size);

/* How a command ended. */
struct iob_scsi_outcome {
	unsigned status, host_status, driver_status; /* of struct sg_io_hdr */
	unsigned sense_length;
	unsigned char sense[IOB_SCSI_SENSE_SIZE];
};

/* 0 when it did what it should; -EAGAIN: the same command may be sent again; else a negative errno.
 */
int iob_scsi_errno(const struct iob_scsi_outcome *);
/* "medium error (sense 3/11/00)". */
void iob_scsi_words(const struct iob_scsi_outcome *, char *buf, size_t n);

#endif
