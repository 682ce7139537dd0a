/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/guard.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/dev_dir.h"
#include "target/blockdev.h"
#include "target/blockdev_probe.h"
#include "target/blockdev_use.h"
#include "target/openers.h"

static struct iob_plan_report created[IOB_MAX_CREATED];
static unsigned ncreated, nfound;
static struct iob_identity asked;

void iob_guard_note_created(const struct stat *st)
{
	if (ncreated < IOB_MAX_CREATED)
		created[ncreated++] = (struct iob_plan_report){st->st_dev, st->st_ino};
}

void iob_guard_note_ours(const struct stat *st)
{
	iob_guard_note_created(st);
	nfound++;
}

unsigned iob_guard_found(void)
{
	return nfound;
}

static bool holds(const struct iob_plan_report *list, unsigned n, const struct stat *st)
{
	for (unsigned i = 0; i < n; i++)
		if (list[i].dev == st->st_dev && list[i].ino == st->st_ino)
			return true;
	return false;
}

bool iob_guard_is_created(const struct stat *st, const struct iob_plan *plan)
{
	return holds(created, ncreated, st) || holds(plan->created, plan->ncreated, st);
}

unsigned iob_guard_created(struct iob_plan_report *out, unsigned n)
{
	memcpy(out, created, (n < ncreated ? n : ncreated) * sizeof(*out));
	return ncreated;
}

static struct iob_identity identity_of(const struct stat *st, const struct iob_blockdev *dev)
{
	if (dev)
		return (struct iob_identity){st->st_rdev, 0, dev->diskseq};
	return (struct iob_identity){st->st_dev, st->st_ino, 0};
}

/* A device of the same number may be another disk by now, and a link lead elsewhere. */
static bool is_what_was_seen(const struct iob_identity *seen, const struct iob_identity *now)
{
	return seen->device == 0 || (seen->device == now->device && seen->file == now->file &&
					    (seen->diskseq == 0 || seen->diskseq == now->diskseq));
}

static bool consented(
	const struct iob_consent *consent, const struct stat *st, const struct iob_identity *now)
{
	for (unsigned i = 0; i < consent->count; i++) {
		struct stat named;

		if (stat(consent->path[i], &named) < 0 ||
			(named.st_mode & S_IFMT) != (st->st_mode & S_IFMT) ||
			!is_what_was_seen(&consent->seen[i], now))
			continue;
		if (S_ISBLK(st->st_mode) ? named.st_rdev == st->st_rdev
					 : named.st_dev == st->st_dev && named.st_ino == st->st_ino)
			return true;
	}
	return false;
}

struct iob_identity iob_guard_asked(void)
{
	return asked;
}

/* The words are said; this makes a question of it. */
static int ask(const struct iob_identity *about, struct iob_error *err, int code)
{
	asked = *about;
	if (!err)
		return code;
	err->code = IOB_GUARD_ASKS;
	return err->code;
}

static int refuse_used(
	struct iob_blockdev *dev, const char *path, const struct stat *st, struct iob_error *err)
{
	/* Who is not seen is not absent. */
	if (iob_blockdev_get(
		    dev, "", major(st->st_rdev), minor(st->st_rdev), IOB_PROBE_NONE, NULL) < 0)
		return iob_fail_refused(err,
			"%s: nobody can tell whether it is in use, since /sys does not know it (is "
			"it mounted?); it is never written then",
			path);
	if (dev->use != IOB_USE_FREE)
		return iob_fail_refused(err,
			"%s is in use: %s; it is never written, whatever is allowed (take it out "
			"of use first)",
			path, dev->use_text);
	return 0;
}

int iob_guard_may_write_device(const char *path, const struct stat *st,
	const struct iob_consent *consent, struct iob_error *err)
{
	struct iob_blockdev dev = {0};

	int rc = refuse_used(&dev, path, st, err);
	if (rc < 0)
		return rc;
	/* Nothing is read from a device whose owner has agreed: it may be slow to answer. */
	struct iob_identity now = identity_of(st, &dev);
	if (consented(consent, st, &now))
		return 0;
	iob_blockdevs_probe(&dev, 1, IOB_PROBE_DEADLINE_NS);
	if (strcmp(dev.contents, "empty") == 0)
		return ask(&now, err,
			iob_fail_refused(err,
				"%s would be overwritten (nothing known is on it); to agree say "
				"--allow-write=%s",
				path, path));
	return ask(&now, err,
		iob_fail_refused(err, "%s holds %s; to overwrite it say --allow-write=%s", path,
			dev.contents[0] ? dev.contents : "unknown data", path));
}

int iob_guard_refuse_busy(const char *path, const struct stat *st, struct iob_error *err)
{
	struct iob_blockdev dev;
	struct iob_openers others;

	if (iob_blockdev_get(
		    &dev, "", major(st->st_rdev), minor(st->st_rdev), IOB_PROBE_NONE, NULL) == 0 &&
		dev.use != IOB_USE_FREE)
		return iob_fail_refused(
			err, "%s is in use: %s; it is never written", path, dev.use_text);
	iob_openers_find(&others, st, false);
	if (others.count)
		return iob_fail_refused(err,
			"%s is in use: the kernel does not give it away exclusively, and %s has it "
			"open; it is never written",
			path, others.text);
	return iob_fail_refused(err,
		"%s is in use: the kernel does not give it away exclusively (a mount in another "
		"namespace, a member of a pool, another program); it is never written",
		path);
}

/* What only looks (losetup searching for a free device, partition tools) is gone in a moment. */
#define LOOKS     5
#define LOOK_NEXT (60 * IOB_NS_PER_MS)

int iob_guard_check_claimed(const char *path, const struct stat *st, struct iob_error *err)
{
	struct iob_openers others;
	struct iob_blockdev dev;

	int rc = refuse_used(&dev, path, st, err);
	if (rc < 0)
		return rc;
	iob_openers_find(&others, st, true);
	for (unsigned looks = 1; others.count > 0 && looks < LOOKS; looks++) {
		iob_sleep_until(iob_now_ns() + LOOK_NEXT);
		iob_openers_find(&others, st, true);
	}
	if (others.count == 0)
		return 0;
	return iob_fail_refused(err,
		"%s is in use: %s has it open (a virtual machine or a database may live there); it "
		"is never written, whatever is allowed (end that first)",
		path, others.text);
}

int iob_guard_may_write(
	const char *path, const struct stat *st, const struct iob_plan *plan, struct iob_error *err)
{
	char text[96];

	if (S_ISBLK(st->st_mode))
		return iob_guard_may_write_device(path, st, &plan->consent, err);
	if (iob_file_is_held(st, text, sizeof(text)))
		return iob_fail_refused(err,
			"%s is in use: %s; it is never written, whatever is allowed", path, text);
	struct iob_identity now = identity_of(st, NULL);
	if (iob_guard_is_created(st, plan) || consented(&plan->consent, st, &now))
		return 0;
	return ask(&now, err,
		iob_fail_refused(err,
			"%s exists and was not made by this run; to overwrite its content say "
			"--allow-write=%s",
			path, path));
}

static int refuse_dev(const char *path, struct iob_error *err)
{
	return iob_fail_refused(err,
		"%s does not exist, and nothing is created under /dev; `iotop-bench devices` lists "
		"the block devices",
		path);
}

int iob_guard_may_create(const char *path, struct iob_error *err)
{
	IOB_FREE char *copy = strdup(path);

	if (!copy)
		return iob_fail(err, -ENOMEM, "create %s: %m", path);
	if (strncmp(path, "/dev/", 5) == 0 || iob_is_dev_directory(dirname(copy)))
		return refuse_dev(path, err);
	return 0;
}
