/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_log_follow.h"

#include <errno.h>

#include "base/clock.h"
#include "base/units.h"
#include "load/engine.h"

/* How long to sleep when nothing is there to be read: after something was, and else. */
#define BUSY_NS (20 * IOB_NS_PER_MS)
#define IDLE_NS (500 * IOB_NS_PER_MS)
/* Syncs disturb a disk that is measured: at most so often, and at most for such a part of the time.
 */
#define SYNC_NS (3 * IOB_NS_PER_S)
#define SYNC_OF 50
#define MOST_NS (30 * IOB_NS_PER_S)
#define STACK   ((size_t)256 << 10)

static void set_options(struct iob_log_follower *l)
{
	static const enum iob_fio_log_value values[] = {
		[IOB_LOG_VALUE_AVG] = IOB_FIO_LOG_MEAN,
		[IOB_LOG_VALUE_MAX] = IOB_FIO_LOG_MAX,
		[IOB_LOG_VALUE_BOTH] = IOB_FIO_LOG_BOTH,
	};
	const struct iob_job *job = &l->fleet->clone[l->clone].settings;
	const struct iob_job_control *ctl = &job->ctl;

	l->options = (struct iob_fio_log_options){
		.window_ns = ctl->log_avg_msec * IOB_NS_PER_MS,
		.value = values[ctl->log_window_value],
		.offset = ctl->log_offset,
		.priority = ctl->log_prio,
		.coarseness = (unsigned)ctl->log_hist_coarseness,
	};
	for (int d = 0; d < IOB_NDIR; d++)
		if (iob_job_does(job, (enum iob_dir)d))
			l->options.directions |= 1u << d;
	l->slat = iob_engine_has_slat(iob_engine_find(job->ioengine), job) && !job->sqthread_poll;
}

void iob_log_follower_open(struct iob_log_follower *l, enum iob_fio_log kind)
{
	struct iob_log_file *f = &l->file[kind];
	struct iob_error err;
	int rc = iob_fio_log_part_path(l->fleet, l->clone, kind, f->path, sizeof(f->path), &err);

	f->fd = -1;
	f->page = l->page;
	f->wait = &l->words->wait;
	f->which = (unsigned)kind;
	f->room = kind == IOB_FIO_LOG_HIST ? IOB_FIO_LOG_HIST_ROOM : IOB_FIO_LOG_ROOM;
	if (rc > 0)
		iob_log_file_open(f);
	else if (rc < 0)
		iob_log_page_fail(l->page, &err);
}

/* Times are since measuring began: when that was by the clock that the job names. */
static void set_epoch(struct iob_log_follower *l)
{
	const struct iob_job_control *ctl = &l->fleet->clone[l->clone].settings.ctl;
	int64_t from_ns = (int64_t)iob_run_log_from_ns(&l->log, 0) + l->ahead_ns;

	l->has_epoch = true;
	if (ctl->log_alternate_epoch && from_ns > 0)
		l->options.epoch_ms = (uint64_t)from_ns / IOB_NS_PER_MS;
}

static void put(
	struct iob_log_follower *l, enum iob_log_kind kind, enum iob_fio_log to, const void *record)
{
	char *at = iob_log_file_next(&l->file[to]);

	if (!at || (to == IOB_FIO_LOG_SLAT && !l->slat))
		return;
	if (kind == IOB_LOG_HIST)
		at = iob_fio_log_hist(at, &l->options, record);
	else if (kind == IOB_LOG_RECORD)
		at = iob_fio_log_record(at, to, &l->options, record);
	else
		at = iob_fio_log_window(at, to, &l->options, record);
	iob_log_file_add(&l->file[to], at);
}

static int visit(void *arg, enum iob_log_kind kind, const void *record)
{
	struct iob_log_follower *l = arg;

	if (atomic_load(&l->page->finishing) == IOB_LOG_LEAVE)
		return -ECANCELED;
	if (!l->has_epoch)
		set_epoch(l);
	if (kind == IOB_LOG_HIST)
		put(l, kind, IOB_FIO_LOG_HIST, record);
	for (int i = 0; i < IOB_FIO_LOG_HIST && kind != IOB_LOG_HIST; i++)
		put(l, kind, (enum iob_fio_log)i, record);
	return 0;
}

static void flush_all(struct iob_log_follower *l)
{
	for (int i = 0; i < IOB_FIO_NLOGS; i++)
		iob_log_file_flush(&l->file[i]);
}

static void sync_all(struct iob_log_follower *l)
{
	uint64_t start = iob_now_ns();

	for (int i = 0; i < IOB_FIO_NLOGS; i++)
		iob_log_file_sync(&l->file[i]);
	uint64_t now = iob_now_ns(), pause = (now - start) * SYNC_OF;
	pause = pause < SYNC_NS ? SYNC_NS : pause;
	l->sync_ns = now + (pause < MOST_NS ? pause : MOST_NS);
}

static const char *name_of(const struct iob_log_follower *l)
{
	return l->fleet->clone[l->clone].settings.name;
}

static ssize_t read_log(struct iob_log_follower *l)
{
	struct iob_error err;
	ssize_t n = l->log.shared ? iob_run_log_read(&l->log, 0, visit, l) : 0;

	if (n < 0) {
		if (n == -ECANCELED)
			iob_fail(&err, (int)n,
				"the logs of %s are not whole: a signal came before all was written",
				name_of(l));
		else
			iob_fail(&err, (int)n, "reading what is to be in the logs of %s: %m",
				name_of(l));
		iob_log_page_fail(l->page, &err);
		iob_run_log_close(&l->log);
	}
	return n;
}

static void follow(struct iob_log_follower *l)
{
	bool last, has_read = false;

	l->sync_ns = iob_now_ns() + SYNC_NS;
	do {
		last = atomic_load(&l->words->ended);
		if (read_log(l) > 0) {
			has_read = true;
		} else if (!last) {
			flush_all(l);
			iob_log_words_sleep(l->words, has_read ? BUSY_NS : IDLE_NS);
			has_read = false;
		}
		if (iob_now_ns() >= l->sync_ns) {
			flush_all(l);
			sync_all(l);
		}
	} while (!last);
	flush_all(l);
	sync_all(l);
}

static void tell_lost(struct iob_log_follower *l)
{
	uint64_t lost = l->log.shared ? iob_run_log_lost(&l->log, 0) : 0;
	char room[32];
	struct iob_error err;

	if (lost == 0)
		return;
	iob_fail(&err, -ENOBUFS,
		"%llu I/Os or windows of %s are not in its logs: they were written more slowly than they "
		"came, and no more could wait (room: %s); log_avg_msec= makes logs small, or have "
		"them on a faster disk",
		(unsigned long long)lost, name_of(l),
		iob_format_bytes(room, sizeof(room), iob_run_log_room(&l->log)));
	iob_log_page_fail(l->page, &err);
}

static void *run(void *arg)
{
	struct iob_log_follower *l = arg;
	bool shared = !l->fleet->clone[l->clone].settings.ctl.per_job_logs;
	struct iob_error err;

	set_options(l);
	for (int i = 0; i < IOB_FIO_NLOGS; i++)
		iob_log_follower_open(l, (enum iob_fio_log)i);
	if (l->fd >= 0 && iob_run_log_open(&l->log, l->fd, &err) < 0)
		iob_log_page_fail(l->page, &err);
	follow(l);
	tell_lost(l);
	iob_run_log_close(&l->log);
	for (int i = 0; i < IOB_FIO_NLOGS && !shared; i++)
		iob_log_file_close(&l->file[i]);
	return NULL;
}

int iob_log_follower_start(struct iob_log_follower *l)
{
	pthread_attr_t attr;

	l->log.fd = -1;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	int rc = pthread_create(&l->thread, &attr, run, l);
	pthread_attr_destroy(&attr);
	return -rc;
}
