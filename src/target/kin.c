/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/kin.h"

#include <fcntl.h>
#include <stddef.h>

struct iob_kin iob_kin_own;
static const struct iob_kin *before_us;
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

static uint64_t outstanding(const struct iob_kin_promise *p)
{
	return p->most > p->has ? p->most - p->has : 0;
}

/* The sum for a file system without room for another promise: made of the last one that is on it.
 * Whose files they are is lost, and what they have by now. */
static void add_to_sum(struct iob_kin *kin, const struct iob_kin_promise *more)
{
	for (uint32_t i = IOB_KIN_MAX_PROMISES; i-- > 0;) {
		struct iob_kin_promise *p = &kin->promise[i];

		if (p->fs != more->fs)
			continue;
		*p = (struct iob_kin_promise){
			.fs = p->fs, .most = outstanding(p) + outstanding(more), .cap = UINT64_MAX};
		return;
	}
}

static bool same_file(const struct iob_kin_promise *a, const struct iob_kin_promise *b)
{
	return a->dev != 0 && a->fs == b->fs && a->dev == b->dev && a->ino == b->ino;
}

static void add_promise(struct iob_kin *kin, const struct iob_kin_promise *more)
{
	for (uint32_t i = 0; i < kin->npromises && i < IOB_KIN_MAX_PROMISES; i++) {
		struct iob_kin_promise *p = &kin->promise[i];

		if (p->owner != more->owner || !same_file(p, more))
			continue;
		uint64_t most = p->most > more->most ? p->most : more->most;
		*p = *more;
		p->most = most;
		return;
	}
	if (kin->npromises < IOB_KIN_MAX_PROMISES)
		kin->promise[kin->npromises++] = *more;
	else
		add_to_sum(kin, more);
}

void iob_kin_add_promises(struct iob_kin *to, const struct iob_kin *from)
{
	for (uint32_t i = 0; i < from->npromises && i < IOB_KIN_MAX_PROMISES; i++)
		add_promise(to, &from->promise[i]);
}

void iob_kin_add_devices(struct iob_kin *to, const struct iob_kin *from)
{
	for (uint32_t i = 0; i < from->ndevices && i < IOB_KIN_MAX_DEVICES; i++)
		add_device(to, from->device[i]);
}

void iob_kin_add(struct iob_kin *to, const struct iob_kin *from)
{
	iob_kin_add_devices(to, from);
	iob_kin_add_promises(to, from);
}

void iob_kin_set(struct iob_kin *to, const struct iob_kin *from)
{
	to->ndevices = to->npromises = 0;
	iob_kin_add(to, from);
}

void iob_kin_note_end(struct iob_kin *kin, const struct iob_kin *ended)
{
	for (uint32_t i = 0; i < kin->npromises && i < IOB_KIN_MAX_PROMISES; i++)
		for (uint32_t k = 0; k < ended->npromises && k < IOB_KIN_MAX_PROMISES; k++)
			if (same_file(&kin->promise[i], &ended->promise[k]))
				kin->promise[i].has = ended->promise[k].has;
}

void iob_kin_meet(const struct iob_kin *before)
{
	before_us = before;
	iob_kin_add_devices(&iob_kin_own, before);
}

const struct iob_kin *iob_kin_before(void)
{
	return before_us;
}

void iob_kin_promise(const struct iob_kin_promise *p)
{
	add_promise(&iob_kin_own, p);
}

void iob_kin_forget_promises(void)
{
	iob_kin_own.npromises = 0;
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
