/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/generic.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/nvme_ioctl.h>
#include <scsi/sg.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

#define NVME_IDENTIFY      0x06
#define SCSI_SERVICE_IN_16 0x9e
#define SCSI_READ_CAPACITY 0x10
#define SCSI_TIMEOUT_MS    10000

/* The device's folder in /sys, links resolved. */
static bool folder_of(const char *root, const struct stat *st, char *buf)
{
	char link[PATH_MAX];

	snprintf(link, sizeof(link), "%s/sys/dev/char/%u:%u", root, major(st->st_rdev),
		minor(st->st_rdev));
	return realpath(link, buf) != NULL;
}

enum iob_generic_kind iob_generic_kind_of(const char *root, const struct stat *st)
{
	char folder[PATH_MAX];
	unsigned controller, space;

	if (!S_ISCHR(st->st_mode) || !folder_of(root, st, folder))
		return IOB_GENERIC_NONE;
	const char *name = strrchr(folder, '/');
	if (!name)
		return IOB_GENERIC_NONE;
	if (sscanf(name, "/ng%un%u", &controller, &space) == 2)
		return IOB_GENERIC_NVME;
	if (sscanf(name, "/sg%u", &controller) == 1)
		return IOB_GENERIC_SCSI;
	return IOB_GENERIC_NONE;
}

/* The one folder in device/block. */
static bool scsi_disk(const char *folder, char *name, size_t n)
{
	char path[PATH_MAX];
	struct dirent *entry;

	if (snprintf(path, sizeof(path), "%s/device/block", folder) >= (int)sizeof(path))
		return false;
	DIR *dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			break;
	bool found = dir && entry;
	if (found)
		snprintf(name, n, "%s", entry->d_name);
	if (dir)
		closedir(dir);
	return found;
}

bool iob_generic_disk(const char *root, const struct stat *st, char *name, size_t n)
{
	enum iob_generic_kind kind = iob_generic_kind_of(root, st);
	char folder[PATH_MAX];

	if (kind == IOB_GENERIC_NONE || !folder_of(root, st, folder))
		return false;
	if (kind == IOB_GENERIC_SCSI)
		return scsi_disk(folder, name, n);
	snprintf(name, n, "nvme%s", strrchr(folder, '/') + strlen("/ng"));
	return true;
}

static uint64_t little_endian(const unsigned char *p, unsigned bytes)
{
	uint64_t value = 0;

	while (bytes-- > 0)
		value = value << 8 | p[bytes];
	return value;
}

static uint64_t big_endian(const unsigned char *p, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value = value << 8 | p[i];
	return value;
}

static int set_geometry(
	struct iob_geometry *g, uint64_t blocks, uint64_t block, struct iob_error *err)
{
	if (block < 512 || block > 65536 || (block & (block - 1)) != 0)
		return iob_fail(err, -EINVAL,
			"a logical block of %llu bytes is none that can be used",
			(unsigned long long)block);
	if (blocks == 0 || blocks > INT64_MAX / block)
		return iob_fail(
			err, -ENXIO, "it says that it has %llu blocks", (unsigned long long)blocks);
	*g = (struct iob_geometry){blocks * block, (uint32_t)block};
	return 0;
}

int iob_nvme_decode(struct iob_geometry *g, const unsigned char *id, struct iob_error *err)
{
	/* Low bits of the format's number, then its high bits. */
	unsigned format = (id[26] & 0xfu) | (id[26] >> 1 & 0x30u);
	const unsigned char *lbaf = id + 128 + 4 * (size_t)format;
	unsigned shift = lbaf[2];

	if (little_endian(lbaf, 2) != 0)
		return iob_fail(err, -EOPNOTSUPP,
			"its format has %u bytes of metadata per block; format it without, or use "
			"the block device",
			(unsigned)little_endian(lbaf, 2));
	return set_geometry(g, little_endian(id, 8), shift < 32 ? UINT64_C(1) << shift : 0, err);
}

int iob_scsi_decode(struct iob_geometry *g, const unsigned char *data, struct iob_error *err)
{
	uint64_t last = big_endian(data, 8);

	return set_geometry(g, last + 1, big_endian(data + 8, 4), err);
}

static int ask_nvme(int fd, unsigned char *id, struct iob_error *err)
{
	int nsid = ioctl(fd, NVME_IOCTL_ID);

	if (nsid < 0)
		return iob_fail(err, -errno, "asking for the namespace: %m");
	struct nvme_admin_cmd cmd = {.opcode = NVME_IDENTIFY,
		.nsid = (unsigned)nsid,
		.addr = (uintptr_t)id,
		.data_len = IOB_NVME_IDENTIFY_SIZE};
	int status = ioctl(fd, NVME_IOCTL_ADMIN_CMD, &cmd);
	if (status < 0)
		return iob_fail(err, -errno, "identifying the namespace: %m (run as root)");
	if (status > 0)
		return iob_fail(err, -EIO, "identifying the namespace: NVMe status %#x", status);
	return 0;
}

static int ask_scsi(int fd, unsigned char *data, struct iob_error *err)
{
	unsigned char cdb[16] = {
		SCSI_SERVICE_IN_16, SCSI_READ_CAPACITY, [13] = IOB_SCSI_CAPACITY_SIZE};
	unsigned char sense[32];
	struct sg_io_hdr io = {.interface_id = 'S',
		.dxfer_direction = SG_DXFER_FROM_DEV,
		.cmd_len = sizeof(cdb),
		.cmdp = cdb,
		.mx_sb_len = sizeof(sense),
		.sbp = sense,
		.dxfer_len = IOB_SCSI_CAPACITY_SIZE,
		.dxferp = data,
		.timeout = SCSI_TIMEOUT_MS};

	if (ioctl(fd, SG_IO, &io) < 0)
		return iob_fail(err, -errno, "asking for the capacity: %m");
	if (io.status || io.host_status || io.driver_status)
		return iob_fail(err, -EIO,
			"asking for the capacity: SCSI status %#x, host %#x, driver %#x", io.status,
			io.host_status, io.driver_status);
	return 0;
}

int iob_generic_geometry(
	struct iob_geometry *g, enum iob_generic_kind kind, int fd, struct iob_error *err)
{
	alignas(4096) unsigned char answer[IOB_NVME_IDENTIFY_SIZE] = {0};

	if (kind == IOB_GENERIC_NVME) {
		int rc = ask_nvme(fd, answer, err);
		return rc < 0 ? rc : iob_nvme_decode(g, answer, err);
	}
	int rc = ask_scsi(fd, answer, err);
	return rc < 0 ? rc : iob_scsi_decode(g, answer, err);
}
