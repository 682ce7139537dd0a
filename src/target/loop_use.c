/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/loop_use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "target/backing.h"
#include "target/blockdev_use.h"
#include "target/sysfs.h"

/* Loop devices can stand on each other; deeper than this nobody builds. */
#define DEEPEST 32
#define SECTOR  512

struct loop {
	struct iob_blockdev *dev, *below; /* below: NULL = a file, or a device that nobody knows */
	const struct iob_blockdev *user;  /* NULL = free, but for twins */
	struct iob_backing backing;
	/* Its bytes in the end: of this disk, or NULL = of what bottom stands on; from there on. */
	const struct iob_blockdev *disk;
	const struct loop *bottom;
	uint64_t from;
};

struct loops {
	struct loop *item;
	unsigned count;
	const struct iob_blockdevs *list;
	const char *root;
};

static struct iob_blockdev *find_below(
	struct iob_blockdevs *list, const char *root, const struct iob_backing *b)
{
	bool by_name = root[0] || (b->device == 0 && b->ino == 0);

	for (size_t i = 0; i < list->count; i++) {
		struct iob_blockdev *dev = &list->item[i];

		if (by_name ? strcmp(dev->path, b->path) == 0
			    : b->device && makedev(dev->major, dev->minor) == b->device)
			return dev;
	}
	return NULL;
}

static void collect(struct loops *loops, struct iob_blockdevs *list, struct libmnt_table *mounts)
{
	for (size_t i = 0; i < list->count; i++) {
		struct loop *l = &loops->item[loops->count];

		if (strcmp(list->item[i].kind, "loop") != 0 ||
			!iob_backing_find(&l->backing, loops->root, list->item[i].name, mounts, 0))
			continue;
		l->dev = &list->item[i];
		l->below = find_below(list, loops->root, &l->backing);
		loops->count++;
	}
}

/* One may stand on another. */
static void take_from_below(const struct loops *loops)
{
	char text[320];

	for (bool more = true; more;) {
		more = false;
		for (unsigned i = 0; i < loops->count; i++) {
			const struct loop *l = &loops->item[i];
			const struct iob_blockdev *user =
				l->below ? iob_blockdevs_user(loops->list, l->below) : NULL;

			if (!user || l->dev->use != IOB_USE_FREE)
				continue;
			snprintf(text, sizeof(text), "it stands on %s: %s", user->name,
				user->use_text);
			iob_blockdev_set_use(l->dev, user->use, text);
			more = true;
		}
	}
}

static const struct loop *loop_of(const struct loops *loops, const struct iob_blockdev *dev)
{
	for (unsigned i = 0; i < loops->count; i++)
		if (loops->item[i].dev == dev)
			return &loops->item[i];
	return NULL;
}

static uint64_t start_of(const struct loops *loops, const struct iob_blockdev *dev)
{
	char folder[PATH_MAX];
	uint64_t sectors = 0;

	if (dev->is_partition && iob_blockdev_folder(dev, loops->root, folder, sizeof(folder)))
		(void)iob_sysfs_uint(folder, "start", &sectors);
	return sectors * SECTOR;
}

/* Down to a file, or to a disk that is no loop device. */
static void find_ground(const struct loops *loops, struct loop *l)
{
	const struct loop *at = l;

	for (unsigned depth = 0; at && depth < DEEPEST; depth++) {
		l->bottom = at;
		l->from += at->backing.offset;
		if (!at->below)
			return;
		l->from += start_of(loops, at->below);
		l->disk = iob_blockdevs_disk(loops->list, at->below);
		at = loop_of(loops, l->disk);
		if (at)
			l->disk = NULL;
	}
}

static bool are_the_same(const struct iob_backing *a, const struct iob_backing *b)
{
	if (a->device || b->device)
		return a->device == b->device;
	if (a->ino && b->ino)
		return a->ino == b->ino && a->fs == b->fs;
	return strcmp(a->path, b->path) == 0;
}

static bool share_bytes(const struct loop *a, const struct loop *b)
{
	if (a->disk != b->disk ||
		(!a->disk && !are_the_same(&a->bottom->backing, &b->bottom->backing)))
		return false;
	return a->from < b->from + b->dev->size && b->from < a->from + a->dev->size;
}

static bool stands_on(const struct loops *loops, const struct loop *upper, const struct loop *lower)
{
	const struct loop *at = upper;

	for (unsigned depth = 0; at && at->below && depth < DEEPEST; depth++) {
		at = loop_of(loops, iob_blockdevs_disk(loops->list, at->below));
		if (at == lower)
			return true;
	}
	return false;
}

static void note_twin(struct loop *l, const struct loop *twin)
{
	char text[320];

	snprintf(text, sizeof(text), "it shares its bytes with %s%s%s", twin->dev->name,
		twin->user ? ": " : "", twin->user ? twin->user->use_text : "");
	iob_blockdev_set_use(l->dev, IOB_USE_HELD, text);
}

/* Those in use are named first. */
static void find_twins(const struct loops *loops)
{
	struct loop *l = loops->item;

	for (unsigned i = 0; i < loops->count; i++) {
		l[i].user = iob_blockdevs_user(loops->list, l[i].dev);
		find_ground(loops, &l[i]);
	}
	for (int used = 1; used >= 0; used--)
		for (unsigned i = 0; i < loops->count; i++)
			for (unsigned j = 0; j < loops->count; j++)
				if (i != j && (l[j].user != NULL) == used && !l[i].user &&
					share_bytes(&l[i], &l[j]) &&
					!stands_on(loops, &l[i], &l[j]) &&
					!stands_on(loops, &l[j], &l[i]))
					note_twin(&l[i], &l[j]);
}

void iob_loops_find_uses(struct iob_blockdevs *list, const char *root, struct libmnt_table *mounts)
{
	IOB_FREE struct loop *item = calloc(list->count + 1, sizeof(*item));
	struct loops loops = {.item = item, .list = list, .root = root};
	char text[96];

	if (!item)
		return;
	collect(&loops, list, mounts);
	take_from_below(&loops);
	find_twins(&loops);
	/* Last: being held by a loop device is no reason to call that one in use. */
	for (unsigned i = 0; i < loops.count; i++) {
		snprintf(text, sizeof(text), "held by %s", item[i].dev->name);
		if (item[i].below)
			iob_blockdev_set_use(item[i].below, IOB_USE_HELD, text);
	}
}
