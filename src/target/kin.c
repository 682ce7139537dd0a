/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/kin.h"

#include <fcntl.h>

struct iob_kin iob_kin_own;
static bool holds;

static bool has_file(const struct iob_kin *kin, uint64_t dev, uint64_t ino)
{
	for (uint32_t i = 0; i < kin->nfiles && i < IOB_KIN_MAX_FILES; i++)
		if (kin->file[i].dev == dev && kin->file[i].ino == ino)
			return true;
	return false;
}

bool iob_kin_has_file(const struct iob_kin *kin, const struct stat *st)
{
	return has_file(kin, st->st_dev, st->st_ino);
}

bool iob_kin_has_device(const struct iob_kin *kin, dev_t device)
{
	for (uint32_t i = 0; i < kin->ndevices && i < IOB_KIN_MAX_DEVICES; i++)
		if (kin->device[i] == device)
			return true;
	return false;
}

static void add_file(struct iob_kin *kin, uint64_t dev, uint64_t ino)
{
	if (kin->nfiles >= IOB_KIN_MAX_FILES || has_file(kin, dev, ino))
		return;
	kin->file[kin->nfiles].dev = dev;
	kin->file[kin->nfiles].ino = ino;
	kin->nfiles++;
}

static void add_device(struct iob_kin *kin, uint64_t device)
{
	if (kin->ndevices < IOB_KIN_MAX_DEVICES && !iob_kin_has_device(kin, device))
		kin->device[kin->ndevices++] = device;
}

void iob_kin_add(struct iob_kin *to, const struct iob_kin *from)
{
	for (uint32_t i = 0; i < from->nfiles && i < IOB_KIN_MAX_FILES; i++)
		add_file(to, from->file[i].dev, from->file[i].ino);
	for (uint32_t i = 0; i < from->ndevices && i < IOB_KIN_MAX_DEVICES; i++)
		add_device(to, from->device[i]);
}

void iob_kin_note_file(const struct stat *st)
{
	add_file(&iob_kin_own, st->st_dev, st->st_ino);
}

void iob_kin_hold_device(dev_t device, int fd)
{
	/* The claim belongs to what was opened, which lives as long as any descriptor of it. */
	holds |= fcntl(fd, F_DUPFD_CLOEXEC, 0) >= 0;
	add_device(&iob_kin_own, device);
}

bool iob_kin_holds(void)
{
	return holds;
}
