/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/same_disk.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "target/blockdev_use.h"
#include "target/sysfs.h"

typedef char wwid[80];

/* Names that are the same nowhere else; "t10." is made of texts of the maker, "0" of nothing. */
static bool is_unique(const char *name)
{
	static const char *const prefixes[] = {"naa.", "eui.", "uuid.", "nvme."};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t n = strlen(prefixes[i]);

		if (strncmp(name, prefixes[i], n) == 0)
			return strspn(name + n, "0-") < strlen(name + n);
	}
	return false;
}

static void read_name(wwid name, const struct iob_blockdev *dev, const char *root)
{
	char folder[PATH_MAX];

	name[0] = '\0';
	/* Of these there are many, and they have none. */
	if (strcmp(dev->kind, "loop") == 0 || strcmp(dev->kind, "ram") == 0)
		return;
	if (dev->is_partition || !iob_blockdev_folder(dev, root, folder, sizeof(folder)) ||
		(!iob_sysfs_text(folder, "wwid", name, sizeof(wwid)) &&
			!iob_sysfs_text(folder, "device/wwid", name, sizeof(wwid))) ||
		!is_unique(name))
		name[0] = '\0';
}

void iob_disks_find_uses(struct iob_blockdevs *list, const char *root)
{
	IOB_FREE wwid *name = calloc(list->count + 1, sizeof(*name));
	char text[320];

	for (size_t i = 0; name && i < list->count; i++)
		read_name(name[i], &list->item[i], root);
	for (size_t i = 0; name && i < list->count; i++) {
		const struct iob_blockdev *dev = &list->item[i], *user = NULL;

		if (name[i][0] == '\0' || !(user = iob_blockdevs_user(list, dev)))
			continue;
		snprintf(text, sizeof(text), "it is the same disk as %s: %s", user->name,
			user->use_text);
		for (size_t j = 0; j < list->count; j++)
			if (j != i && list->item[j].size == dev->size &&
				strcmp(name[i], name[j]) == 0 &&
				!iob_blockdevs_user(list, &list->item[j]))
				iob_blockdev_set_use(&list->item[j], user->use, text);
	}
}
