/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "engines/scsi.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum opcode {
	SCSI_READ_10 = 0x28,
	SCSI_WRITE_10 = 0x2a,
	SCSI_SYNCHRONIZE_CACHE_10 = 0x35,
	SCSI_UNMAP = 0x42,
	SCSI_READ_16 = 0x88,
	SCSI_WRITE_16 = 0x8a,
};

enum status {
	STATUS_CHECK_CONDITION = 0x02,
	STATUS_BUSY = 0x08,
	STATUS_RESERVED = 0x18,
	STATUS_QUEUE_FULL = 0x28,
};

enum host_status {
	HOST_NO_CONNECT = 1,
	HOST_BUS_BUSY = 2,
	HOST_TIME_OUT = 3,
	HOST_RESET = 8,
	HOST_IMMEDIATE_RETRY = 12,
};

enum sense_key {
	KEY_NONE = 0,
	KEY_RECOVERED = 1,
	KEY_NOT_READY = 2,
	KEY_ILLEGAL_REQUEST = 5,
	KEY_UNIT_ATTENTION = 6,
};

#define FORCE_UNIT_ACCESS 0x08 /* byte 1 of reads and writes */
#define NO_MEDIUM         0x3a /* additional sense codes */
#define UNKNOWN_COMMAND   0x20
#define BEYOND_THE_END    0x21
#define DRIVER_ERRORS     0x07 /* all but "there are sense data" */

static const struct {
	int code;
	const char *words;
} keys[16] = {
	{0, "no error"},
	{0, "recovered error"},
	{ENXIO, "not ready"},
	{EIO, "medium error"},
	{EREMOTEIO, "hardware error"},
	{EINVAL, "illegal request"},
	{EAGAIN, "unit attention"},
	{EROFS, "write-protected"},
	{ENODATA, "blank"},
	{EIO, "vendor specific"},
	{EIO, "copy aborted"},
	{EIO, "command aborted"},
	{EIO, "reserved key"},
	{ENOSPC, "volume overflow"},
	{EILSEQ, "miscompare"},
	{EIO, "completed"},
};

static void put(unsigned char *p, uint64_t value, unsigned bytes)
{
	while (bytes-- > 0) {
		p[bytes] = (unsigned char)value;
		value >>= 8;
	}
}

static void build_transfer(
	struct iob_scsi_command *cmd, const struct iob_req *req, uint64_t first, uint32_t blocks)
{
	bool write = req->op == IOB_OP_WRITE;

	/* Small bridges know the short form alone. */
	if (first + blocks <= UINT32_MAX && blocks <= UINT16_MAX) {
		cmd->length = 10;
		cmd->cdb[0] = write ? SCSI_WRITE_10 : SCSI_READ_10;
		put(cmd->cdb + 2, first, 4);
		put(cmd->cdb + 7, blocks, 2);
		return;
	}
	cmd->length = 16;
	cmd->cdb[0] = write ? SCSI_WRITE_16 : SCSI_READ_16;
	put(cmd->cdb + 2, first, 8);
	put(cmd->cdb + 10, blocks, 4);
}

void iob_scsi_force_access(struct iob_scsi_command *cmd)
{
	cmd->cdb[1] |= FORCE_UNIT_ACCESS;
}

static void build_unmap(struct iob_scsi_command *cmd, uint64_t first, uint32_t blocks)
{
	cmd->length = 10;
	cmd->cdb[0] = SCSI_UNMAP;
	put(cmd->cdb + 7, IOB_SCSI_UNMAP_SIZE, 2);
	put(cmd->unmap, IOB_SCSI_UNMAP_SIZE - 2, 2);
	put(cmd->unmap + 2, IOB_SCSI_UNMAP_SIZE - 8, 2);
	put(cmd->unmap + 8, first, 8);
	put(cmd->unmap + 16, blocks, 4);
}

int iob_scsi_build(struct iob_scsi_command *cmd, const struct iob_req *req, uint32_t block_size)
{
	unsigned shift = (unsigned)__builtin_ctz(block_size);
	uint32_t blocks = req->length >> shift;

	memset(cmd, 0, sizeof(*cmd));
	if (req->op >= IOB_OP_FSYNC) {
		cmd->length = 10;
		cmd->cdb[0] = SCSI_SYNCHRONIZE_CACHE_10; /* of all blocks */
		return 0;
	}
	if (blocks == 0 || ((req->offset | req->length) & (block_size - 1)) != 0)
		return -EINVAL;
	if (req->op == IOB_OP_TRIM)
		build_unmap(cmd, req->offset >> shift, blocks);
	else
		build_transfer(cmd, req, req->offset >> shift, blocks);
	return 0;
}

/* Key and code of fixed (70h, 71h) and descriptor (72h, 73h) sense data; false if there are none.
 */
static bool decode(const struct iob_scsi_outcome *o, unsigned sense[3])
{
	unsigned form = o->sense_length ? o->sense[0] & 0x7fu : 0;
	bool descriptor = form == 0x72 || form == 0x73;

	if (!descriptor && form != 0x70 && form != 0x71)
		return false;
	unsigned key = descriptor ? 1 : 2, code = descriptor ? 2 : 12;
	if (o->sense_length <= key)
		return false;
	sense[0] = o->sense[key] & 0xfu;
	sense[1] = o->sense_length > code ? o->sense[code] : 0;
	sense[2] = o->sense_length > code + 1 ? o->sense[code + 1] : 0;
	return true;
}

static int errno_of_sense(const unsigned sense[3])
{
	if (sense[0] == KEY_NOT_READY && sense[1] == NO_MEDIUM)
		return -ENOMEDIUM;
	if (sense[0] == KEY_ILLEGAL_REQUEST && sense[1] == UNKNOWN_COMMAND)
		return -EOPNOTSUPP;
	if (sense[0] == KEY_ILLEGAL_REQUEST && sense[1] == BEYOND_THE_END)
		return -ENXIO;
	return -keys[sense[0]].code;
}

static int errno_of_host(unsigned host_status)
{
	switch (host_status) {
	case HOST_NO_CONNECT:
		return -ENODEV;
	case HOST_TIME_OUT:
		return -ETIMEDOUT;
	case HOST_BUS_BUSY:
	case HOST_RESET:
	case HOST_IMMEDIATE_RETRY:
		return -EAGAIN;
	default:
		return -EIO;
	}
}

int iob_scsi_errno(const struct iob_scsi_outcome *o)
{
	unsigned sense[3];

	if (o->host_status != 0)
		return errno_of_host(o->host_status);
	if (o->status == STATUS_BUSY || o->status == STATUS_QUEUE_FULL)
		return -EAGAIN;
	if (o->status == STATUS_RESERVED)
		return -EBUSY;
	if (o->status == STATUS_CHECK_CONDITION)
		return decode(o, sense) ? errno_of_sense(sense) : -EIO;
	if ((o->driver_status & DRIVER_ERRORS) != 0)
		return -EIO;
	return o->status == 0 ? 0 : -EIO;
}

void iob_scsi_words(const struct iob_scsi_outcome *o, char *buf, size_t n)
{
	unsigned sense[3];

	if (o->host_status == HOST_NO_CONNECT)
		snprintf(buf, n, "the device does not answer any more");
	else if (o->host_status == HOST_TIME_OUT)
		snprintf(buf, n, "the device did not answer in time");
	else if (o->host_status != 0)
		snprintf(buf, n, "the adapter failed (host status %#x)", o->host_status);
	else if (o->status == STATUS_RESERVED)
		snprintf(buf, n, "another host has reserved the device");
	else if (o->status == STATUS_CHECK_CONDITION && decode(o, sense))
		snprintf(buf, n, "%s (sense %x/%02x/%02x)", keys[sense[0]].words, sense[0],
			sense[1], sense[2]);
	else
		snprintf(buf, n, "SCSI status %#x, driver status %#x", o->status, o->driver_status);
}
