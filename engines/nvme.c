/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "engines/nvme.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum opcode {
	NVME_FLUSH = 0x00,
	NVME_WRITE = 0x01,
	NVME_READ = 0x02,
	NVME_DATASET_MANAGEMENT = 0x09,
};

#define DEALLOCATE  4u
#define STATUS_BITS 0x7ffu /* type and code; above are hints for a retry */

static const struct {
	unsigned status;
	int code;
	const char *words;
} statuses[] = {
	{0x001, EOPNOTSUPP, "it does not know the command"},
	{0x002, EINVAL, "it refuses a field of the command (a transfer larger than it takes?)"},
	{0x004, EIO, "the data could not be moved"},
	{0x005, EIO, "aborted: its power was failing"},
	{0x006, EIO, "an error inside of the device"},
	{0x007, ECANCELED, "aborted by the kernel"},
	{0x008, ECANCELED, "aborted: the queue was deleted"},
	{0x00b, ENODEV, "there is no such namespace"},
	{0x020, EROFS, "the namespace is write-protected"},
	{0x080, ENXIO, "beyond the end of the namespace"},
	{0x081, ENOSPC, "its capacity is used up"},
	{0x082, EAGAIN, "the namespace is not ready"},
	{0x083, EBUSY, "another host has reserved the namespace"},
	{0x180, EINVAL, "attributes that contradict each other"},
	{0x182, EROFS, "the range is read-only"},
	{0x280, EIO, "the medium could not be written"},
	{0x281, EIO, "the medium could not be read"},
	{0x282, EILSEQ, "the guard check of the data failed"},
	{0x286, EACCES, "access is denied"},
	{0x287, ENODATA, "the block was deallocated or never written"},
	{0x370, EIO, "the path to it was lost"},
	{0x371, ECANCELED, "aborted by the kernel: the path was lost"},
};

static const size_t nstatuses = sizeof(statuses) / sizeof(*statuses);

static size_t find(unsigned status)
{
	size_t i = 0;

	while (i < nstatuses && statuses[i].status != (status & STATUS_BITS))
		i++;
	return i;
}

int iob_nvme_errno(unsigned status)
{
	size_t i = find(status);

	return i < nstatuses ? -statuses[i].code : -EIO;
}

void iob_nvme_words(unsigned status, char *buf, size_t n)
{
	size_t i = find(status);

	snprintf(buf, n, "NVMe status %#x: %s", status & STATUS_BITS,
		i < nstatuses ? statuses[i].words : "not one of the usual ones");
}

#ifdef HAVE_STRUCT_NVME_URING_CMD
static void put_little_endian(unsigned char *p, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		p[i] = (unsigned char)(value >> 8 * i);
}

int iob_nvme_build(struct nvme_uring_cmd *cmd, const struct iob_req *req, unsigned nsid,
	uint32_t block_size, struct iob_nvme_range *range)
{
	unsigned shift = (unsigned)__builtin_ctz(block_size);
	uint64_t first = req->offset >> shift;
	uint32_t blocks = req->length >> shift;

	memset(cmd, 0, sizeof(*cmd));
	cmd->nsid = nsid;
	if (req->op >= IOB_OP_FSYNC) {
		cmd->opcode = NVME_FLUSH;
		return 0;
	}
	if (blocks == 0 || ((req->offset | req->length) & (block_size - 1)) != 0)
		return -EINVAL;
	if (req->op == IOB_OP_TRIM) {
		memset(range, 0, sizeof(*range));
		put_little_endian(range->bytes + 4, blocks, 4);
		put_little_endian(range->bytes + 8, first, 8);
		cmd->opcode = NVME_DATASET_MANAGEMENT;
		cmd->addr = (uintptr_t)range;
		cmd->data_len = sizeof(*range);
		cmd->cdw10 = 0; /* one range */
		cmd->cdw11 = DEALLOCATE;
		return 0;
	}
	if (blocks > IOB_NVME_MOST_BLOCKS)
		return -EINVAL;
	cmd->opcode = req->op == IOB_OP_WRITE ? NVME_WRITE : NVME_READ;
	cmd->addr = (uintptr_t)req->buf;
	cmd->data_len = req->length;
	cmd->cdw10 = (uint32_t)first;
	cmd->cdw11 = (uint32_t)(first >> 32);
	cmd->cdw12 = blocks - 1;
	return 0;
}
#endif
