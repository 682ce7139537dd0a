/* SPDX-License-Identifier: MIT */
/* What the workers' books say of failed requests, for the front. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "run/private.h"
#include "target/sysfs.h"

void iob_run_failures(struct iob_run *run, struct iob_failures *out)
{
	const struct iob_shared *sh = run->shared;

	memset(out, 0, sizeof(*out));
	for (uint32_t i = 0; i < sh->nslots && i < IOB_MAX_WORKERS; i++)
		iob_failures_add(out, &sh->slot[i].failures);
}

void iob_run_fail_by_requests(struct iob_run *run)
{
	struct iob_failures f;
	char kinds[160], first[240] = "";

	iob_run_failures(run, &f);
	if (run->error.code || f.total == f.ignored)
		return;
	if (f.nfirst)
		iob_failure_words(first, sizeof(first), &f.first[0]);
	for (char *p = first; *p; p++)
		if (*p == '\t')
			*p = ' ';
	iob_fail(&run->error, f.nfirst && f.first[0].code ? -f.first[0].code : -EIO,
		"%llu requests failed and were let pass (%s)%s%s",
		(unsigned long long)(f.total - f.ignored),
		iob_failures_words(kinds, sizeof(kinds), &f), first[0] ? "; the first: " : "",
		first);
}

/* The kernel has taken away what it knew of it, or is about to: SCSI's and NVMe's words for that.
 */
static bool is_gone(const char *disk)
{
	static const char *const words[] = {"cancel", "deleted", "deleting", "dead", "offline"};
	char path[96], state[32];

	snprintf(path, sizeof(path), "/sys/block/%.64s", disk);
	if (access(path, F_OK) < 0)
		return errno == ENOENT && access("/sys/block", X_OK) == 0;
	if (!iob_sysfs_text(path, "device/state", state, sizeof(state)))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(state, words[i]) == 0)
			return true;
	return false;
}

void iob_run_note_gone_disk(struct iob_run *run)
{
	const struct iob_target_info *t = &run->shared->target;
	struct iob_error e = run->error;
	char disk[sizeof(t->disk)];

	/* These have their words. */
	if (!e.code || e.code == -ENODEV || e.code == -ENXIO)
		return;
	if (!iob_run_knows_target(run))
		return;
	iob_text_clean(disk, sizeof(disk), t->disk);
	if (disk[0] == '\0' || strchr(disk, '/') || !is_gone(disk))
		return;
	iob_fail(&run->error, e.code, "%s; the disk %s is gone", e.text, disk);
	run->error.kind = e.kind;
}

void iob_run_warn_of_failures(struct iob_warnings *w, const struct iob_failures *f)
{
	char kinds[100];
	struct iob_failures all = *f;

	if (f->total == 0)
		return;
	/* Ignored ones are named here, too. */
	for (uint32_t i = 0; i < all.nkinds; i++)
		all.kind[i].ignored = 0;
	iob_warning_add(w, "ERRORS", "%llu request%s failed (%s)%s%s%s.",
		(unsigned long long)f->total, f->total == 1 ? "" : "s",
		iob_failures_words(kinds, sizeof(kinds), &all),
		f->ignored == f->total ? ", which ignore_error lets pass"
		: f->ignored           ? ", of which ignore_error lets some pass"
				       : "",
		f->slowed ? "; submitting was slowed down, since nothing but failures came back"
			  : "",
		f->total == 1 ? "; it is in no other figure" : "; they are in no other figure");
	iob_warning_evidence(w, "failed", (double)f->total);
	iob_warning_evidence(w, "ignored", (double)f->ignored);
	iob_warning_evidence(w, "slowed", (double)f->slowed);
}
