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

static void add_promise(struct iob_kin *kin, const struct iob_kin_promise *more)
{
	for (uint32_t i = 0; i < kin->npromises && i < IOB_KIN_MAX_PROMISES; i++) {
		struct iob_kin_promise *p = &kin->promise[i];

		if (p->fs == more->fs && p->ino == more->ino) {
			p->bytes = p->bytes < more->bytes ? more->bytes : p->bytes;
			return;
		}
	}
	if (kin->npromises < IOB_KIN_MAX_PROMISES)
		kin->promise[kin->npromises++] = *more;
}

void iob_kin_add(struct iob_kin *to, const struct iob_kin *from)
{
	for (uint32_t i = 0; i < from->ndevices && i < IOB_KIN_MAX_DEVICES; i++)
		add_device(to, from->device[i]);
	for (uint32_t i = 0; i < from->npromises && i < IOB_KIN_MAX_PROMISES; i++)
		add_promise(to, &from->promise[i]);
}

void iob_kin_promise(dev_t fs, ino_t ino, uint64_t bytes)
{
	if (bytes)
		add_promise(&iob_kin_own, &(struct iob_kin_promise){fs, ino, bytes});
}

uint64_t iob_kin_promised(dev_t fs, ino_t ino, uint64_t *others)
{
	uint64_t own = 0;

	*others = 0;
	for (uint32_t i = 0; i < iob_kin_own.npromises; i++) {
		const struct iob_kin_promise *p = &iob_kin_own.promise[i];

		if (p->fs != fs)
			continue;
		*(p->ino == ino ? &own : others) += p->bytes;
	}
	return own;
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
