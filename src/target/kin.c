/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/kin.h"

#include <fcntl.h>

struct iob_kin iob_kin_own;
static bool holds;

bool iob_kin_has_device(const struct iob_kin *kin, dev_t device)
{
	for (uint32_t i = 0; i < kin->ndevices && i < IOB_KIN_MAX_DEVICES; i++)
		if (kin->device[i] == device)
			return true;
	return false;
}

static void add_device(struct iob_kin *kin, uint64_t device)
{
	if (kin->ndevices < IOB_KIN_MAX_DEVICES && !iob_kin_has_device(kin, device))
		kin->device[kin->ndevices++] = device;
}

void iob_kin_add(struct iob_kin *to, const struct iob_kin *from)
{
	for (uint32_t i = 0; i < from->ndevices && i < IOB_KIN_MAX_DEVICES; i++)
		add_device(to, from->device[i]);
}

void iob_kin_hold_device(dev_t device, int fd)
{
	/* The claim belongs to what was opened, which lives as long as any descriptor of it. */
	if (fcntl(fd, F_DUPFD_CLOEXEC, 0) >= 0)
		holds = true;
	add_device(&iob_kin_own, device);
}

bool iob_kin_holds(void)
{
	return holds;
}
