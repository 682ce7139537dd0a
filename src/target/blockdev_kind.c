/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/blockdev_kind.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "target/sysfs.h"

static const struct {
	const char *prefix, *kind;
} by_name[] = {
	{"nvme", "nvme"},
	{"vd", "virtio"},
	{"mmcblk", "mmc"},
	{"loop", "loop"},
	{"zram", "zram"},
	{"md", "md"},
	{"sr", "rom"},
	{"ram", "ram"},
	{"nbd", "nbd"},
};

/* Where the disk hangs tells what sd* is; the first that occurs in the resolved path. */
static const struct {
	const char *part, *kind;
} by_path[] = {
	{"/usb", "usb"},
	{"/ata", "sata"},
	{"/host", "scsi"},
	{"/virtio", "virtio"},
	{"/nvme", "nvme"},
	{"/mmc_host", "mmc"},
};

const char *iob_blockdev_kind(const char *directory, const char *name)
{
	char uuid[32];

	if (strncmp(name, "dm-", 3) == 0) {
		iob_sysfs_text(directory, "dm/uuid", uuid, sizeof(uuid));
		return strncmp(uuid, "LVM-", 4) == 0 ? "lvm" : "dm";
	}
	for (size_t i = 0; i < sizeof(by_name) / sizeof(by_name[0]); i++)
		if (strncmp(name, by_name[i].prefix, strlen(by_name[i].prefix)) == 0)
			return by_name[i].kind;
	IOB_FREE char *real = realpath(directory, NULL);
	/* A tree that stands for / may itself lie under any path: look below its /devices. */
	const char *where = real ? strstr(real, "/devices/") : NULL;
	for (size_t i = 0; where && i < sizeof(by_path) / sizeof(by_path[0]); i++)
		if (strstr(where, by_path[i].part))
			return by_path[i].kind;
	return strncmp(name, "sd", 2) == 0 ? "scsi" : "other";
}
