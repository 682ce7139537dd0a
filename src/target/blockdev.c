/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/blockdev.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "target/blockdev_kind.h"
#include "target/blockdev_probe.h"
#include "target/blockdev_use.h"
#include "target/sysfs.h"

#define SECTOR 512

/* Kernel names with a slash have '!' in /sys. */
static void set_name(char *buf, size_t n, const char *folder)
{
	iob_text_clean(buf, n, folder);
	for (char *c = buf; *c; c++)
		if (*c == '!')
			*c = '/';
}

/* "[mq-deadline] none" -> "mq-deadline". */
static void active_scheduler(char *buf, size_t n, const char *list)
{
	const char *open = strchr(list, '[');
	const char *close = open ? strchr(open, ']') : NULL;

	if (close)
		snprintf(buf, n, "%.*s", (int)(close - open - 1), open + 1);
	else
		iob_text_clean(buf, n, strchr(list, ' ') ? "" : list);
}

static void read_model(struct iob_blockdev *dev, const char *folder)
{
	char vendor[64], model[64];

	iob_sysfs_text(folder, "device/vendor", vendor, sizeof(vendor));
	iob_sysfs_text(folder, "device/model", model, sizeof(model));
	if (model[0] == '\0')
		iob_sysfs_text(folder, "device/name", model, sizeof(model));
	/* "vg0-data": a mapped device has no model, but people know it by this name. */
	if (model[0] == '\0')
		iob_sysfs_text(folder, "dm/name", model, sizeof(model));
	/* A PCI number is no name, and "ATA" is that of no maker. */
	if (strncmp(vendor, "0x", 2) == 0 || strcmp(vendor, "ATA") == 0)
		vendor[0] = '\0';
	snprintf(dev->model, sizeof(dev->model), "%.31s%s%.47s", vendor,
		vendor[0] != '\0' && model[0] != '\0' ? " " : "", model);
	if (!iob_sysfs_text(folder, "serial", dev->serial, sizeof(dev->serial)))
		iob_sysfs_text(folder, "device/serial", dev->serial, sizeof(dev->serial));
}

static void read_numa(struct iob_blockdev *dev, const char *folder)
{
	uint64_t node = 0;

	dev->numa_node = -1;
	if ((iob_sysfs_uint(folder, "device/numa_node", &node) ||
		    iob_sysfs_uint(folder, "device/device/numa_node", &node)) &&
		node <= INT_MAX)
		dev->numa_node = (int)node;
}

static uint32_t read_u32(const char *folder, const char *attribute)
{
	uint64_t value = 0;

	if (!iob_sysfs_uint(folder, attribute, &value) || value > UINT32_MAX)
		return 0;
	return (uint32_t)value;
}

static void read_queue(struct iob_blockdev *dev, const char *folder)
{
	char list[256];

	dev->rotational = read_u32(folder, "queue/rotational") != 0;
	dev->removable = read_u32(folder, "removable") != 0;
	dev->logical_block_size = read_u32(folder, "queue/logical_block_size");
	if (dev->logical_block_size == 0)
		dev->logical_block_size = SECTOR;
	dev->physical_block_size = read_u32(folder, "queue/physical_block_size");
	if (dev->physical_block_size == 0)
		dev->physical_block_size = dev->logical_block_size;
	dev->optimal_io_size = read_u32(folder, "queue/optimal_io_size");
	dev->nr_requests = read_u32(folder, "queue/nr_requests");
	iob_sysfs_text(folder, "queue/scheduler", list, sizeof(list));
	active_scheduler(dev->scheduler, sizeof(dev->scheduler), list);
}

/* What takes a score of files: a machine has more devices than anybody asks for.  The folder is
 * that of the disk, for its partitions too. */
static void read_details(struct iob_blockdev *dev, const char *folder)
{
	read_model(dev, folder);
	read_numa(dev, folder);
	read_queue(dev, folder);
}

/* What disk and partition have of their own. */
static bool read_own(struct iob_blockdev *dev, const char *folder, const char *name)
{
	uint64_t sectors = 0;

	if (!iob_sysfs_devno(folder, &dev->major, &dev->minor))
		return false;
	set_name(dev->name, sizeof(dev->name), name);
	snprintf(dev->path, sizeof(dev->path), "/dev/%s", dev->name);
	if (iob_sysfs_uint(folder, "size", &sectors) && sectors <= UINT64_MAX / SECTOR)
		dev->size = sectors * SECTOR;
	dev->readonly = read_u32(folder, "ro") != 0;
	return true;
}

static int append(struct iob_blockdevs *list, const struct iob_blockdev *dev)
{
	struct iob_blockdev *grown = iob_array_extend(list->item, list->count, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	list->item = grown;
	list->item[list->count++] = *dev;
	return 0;
}

static int natural_order(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*a)->d_name, (*b)->d_name);
}

static int not_hidden(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* A partition is a folder in that of its disk, among forty other things. */
static int is_folder(const struct dirent *e)
{
	return not_hidden(e) && (e->d_type == DT_DIR || e->d_type == DT_UNKNOWN);
}

static void free_entries(struct dirent **entries, int n)
{
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
}

static int read_partitions(
	struct iob_blockdevs *list, const struct iob_blockdev *disk, const char *folder)
{
	struct dirent **entries = NULL;
	int rc = 0, n = scandir(folder, &entries, is_folder, natural_order);

	for (int i = 0; rc == 0 && i < n; i++) {
		struct iob_blockdev part = *disk;
		char path[PATH_MAX];
		int len = snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);

		if (len < 0 || (size_t)len >= sizeof(path) || !iob_sysfs_exists(path, "partition"))
			continue;
		part.is_partition = true;
		snprintf(part.parent, sizeof(part.parent), "%s", disk->name);
		snprintf(part.kind, sizeof(part.kind), "partition");
		if (read_own(&part, path, entries[i]->d_name))
			rc = append(list, &part);
	}
	free_entries(entries, n);
	return rc;
}

static int read_disk(
	struct iob_blockdevs *list, const char *folder, const char *name, bool detailed)
{
	struct iob_blockdev dev = {0};

	/* The single paths of a multipath NVMe have no device node. */
	if (read_u32(folder, "hidden") != 0 || !read_own(&dev, folder, name))
		return 0;
	snprintf(dev.kind, sizeof(dev.kind), "%s", iob_blockdev_kind(folder, name));
	if (detailed)
		read_details(&dev, folder);
	int rc = append(list, &dev);
	return rc < 0 ? rc : read_partitions(list, &dev, folder);
}

static void disk_folder(char *buf, size_t n, const char *root, const struct iob_blockdev *dev)
{
	const char *name = dev->is_partition ? dev->parent : dev->name;
	int len = snprintf(buf, n, "%s/sys/block/", root);

	snprintf(buf + len, n - (size_t)len, "%s", name);
	for (char *c = buf + len; *c; c++)
		if (*c == '/')
			*c = '!';
}

/* Everything that /sys/block knows, with its users. */
static int read_all(
	struct iob_blockdevs *list, const char *root, bool detailed, struct iob_error *err)
{
	struct dirent **entries = NULL;
	char base[PATH_MAX], folder[PATH_MAX];
	int rc = 0;

	*list = (struct iob_blockdevs){0};
	snprintf(base, sizeof(base), "%s/sys/block", root);
	int n = scandir(base, &entries, not_hidden, natural_order);
	if (n < 0)
		return iob_fail(err, -errno, "%s: %m (is /sys mounted?)", base);
	for (int i = 0; rc == 0 && i < n; i++) {
		int len = snprintf(folder, sizeof(folder), "%s/%s", base, entries[i]->d_name);

		if (len > 0 && (size_t)len < sizeof(folder))
			rc = read_disk(list, folder, entries[i]->d_name, detailed);
	}
	free_entries(entries, n);
	if (rc < 0) {
		iob_blockdevs_free(list);
		return iob_fail(err, rc, "%s: %m", base);
	}
	iob_blockdevs_find_uses(list, root);
	return 0;
}

static bool worth_showing(const struct iob_blockdev *dev)
{
	return dev->size > 0 && (strcmp(dev->kind, "ram") != 0 || dev->use != IOB_USE_FREE);
}

int iob_blockdevs_list(struct iob_blockdevs *list, const char *root, enum iob_blockdev_probe probe,
	struct iob_error *err)
{
	size_t kept = 0;

	int rc = read_all(list, root, true, err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < list->count; i++)
		if (worth_showing(&list->item[i]))
			list->item[kept++] = list->item[i];
	list->count = kept;
	if (probe == IOB_PROBE_CONTENTS && root[0] == '\0')
		iob_blockdevs_probe(list->item, list->count, IOB_PROBE_DEADLINE_NS);
	return 0;
}

void iob_blockdevs_free(struct iob_blockdevs *list)
{
	free(list->item);
	*list = (struct iob_blockdevs){0};
}

int iob_blockdev_get(struct iob_blockdev *dev, const char *root, unsigned major, unsigned minor,
	enum iob_blockdev_probe probe, struct iob_error *err)
{
	struct iob_blockdevs list;
	char folder[PATH_MAX];

	int rc = read_all(&list, root, false, err);
	if (rc < 0)
		return rc;
	rc = -ENODEV;
	for (size_t i = 0; i < list.count; i++) {
		if (list.item[i].major == major && list.item[i].minor == minor) {
			*dev = list.item[i];
			rc = 0;
			break;
		}
	}
	iob_blockdevs_free(&list);
	if (rc < 0)
		return iob_fail(err, rc, "block device %u:%u: %m", major, minor);
	disk_folder(folder, sizeof(folder), root, dev);
	read_details(dev, folder);
	if (probe == IOB_PROBE_CONTENTS && root[0] == '\0')
		iob_blockdevs_probe(dev, 1, IOB_PROBE_DEADLINE_NS);
	return 0;
}

static bool identify(struct iob_blockdev_id *id, char *folder)
{
	if (!iob_sysfs_devno(folder, &id->major, &id->minor))
		return false;
	set_name(id->name, sizeof(id->name), basename(folder));
	return true;
}

bool iob_blockdev_whole(const char *root, unsigned major, unsigned minor,
	struct iob_blockdev_id *disk, struct iob_blockdev_id *partition)
{
	struct iob_blockdev_id part = {0};
	char link[PATH_MAX];

	snprintf(link, sizeof(link), "%s/sys/dev/block/%u:%u", root, major, minor);
	IOB_FREE char *folder = realpath(link, NULL);
	if (!folder)
		return false;
	if (iob_sysfs_exists(folder, "partition")) {
		if (!identify(&part, folder))
			return false;
		*strrchr(folder, '/') = '\0';
	}
	if (partition)
		*partition = part;
	return identify(disk, folder);
}
