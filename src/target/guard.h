/* SPDX-License-Identifier: MIT */
/*
 * May this target be written?  The rules of DESIGN §5, asked before every open for writing.
 *
 *	block device, mounted, swap or held (also through a partition or a holder): refused,
 *		whatever was said
 *	block device, free: consent that names it, by any path that leads to the same device
 *	regular file that existed before us: the same consent
 *	a swap file, or a file that backs a loop device: refused
 *	anything under /dev that does not exist: refused (nothing is created there)
 */
#ifndef IOB_TARGET_GUARD_H
#define IOB_TARGET_GUARD_H

#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "job/plan.h"

/* The code of a refusal that consent would change. */
#define IOB_GUARD_ASKS (-ENOKEY)

/* path exists and was stat'ed into *st.  0, or a refusal that says who uses it or what is on it,
 * and how consent is given: "... holds ext4 \"backup\"; to overwrite it say
 * --allow-write=/dev/sdb". */
int iob_guard_may_write(
	const char *path, const struct stat *st, const struct iob_plan *, struct iob_error *);

/* What the last refusal of that kind spoke of. */
struct iob_identity iob_guard_asked(void);

/* The same for what is known to be a block device. */
int iob_guard_may_write_device(
	const char *path, const struct stat *st, const struct iob_consent *, struct iob_error *);

/* The kernel said EBUSY to O_EXCL: refuses in words that say why, as far as can be found out. */
int iob_guard_refuse_busy(const char *path, const struct stat *, struct iob_error *);

/*
 * Asked again, of a device that is open exclusively and cannot become another one any more (what is
 * attached to a loop device may have changed since).  A refusal, too, if somebody has it open for
 * writing, which O_EXCL does not tell.
 */
int iob_guard_check_claimed(const char *path, const struct stat *, struct iob_error *);

/* path does not exist: may it be created?  */
int iob_guard_may_create(const char *path, struct iob_error *);

/* Remember a file that this process made: a later stage of the same run may write it without
 * consent.  Not for more than one thread. */
void iob_guard_note_created(const struct stat *st);
/* The same of one that an earlier command made. */
void iob_guard_note_ours(const struct stat *st);
/* By this process, or by another run of the same command. */
bool iob_guard_is_created(const struct stat *st, const struct iob_plan *);
/* Those of this process; returns how many, of which at most n are filled in. */
unsigned iob_guard_created(struct iob_plan_report *out, unsigned n);
/* How many of them it found there. */
unsigned iob_guard_found(void);

#endif
