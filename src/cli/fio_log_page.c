/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_log_page.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

void iob_log_page_fail(struct iob_log_page *page, const struct iob_error *err)
{
	if (atomic_fetch_add(&page->failures, 1) > 0)
		return;
	page->error = *err;
	atomic_store(&page->failed, 1);
}

void iob_log_wait_begin(struct iob_log_wait *wait, unsigned which)
{
	atomic_store(&wait->which, which);
	atomic_store(&wait->since_ns, iob_now_ns());
}

void iob_log_wait_end(struct iob_log_wait *wait)
{
	atomic_store(&wait->since_ns, 0);
}

void iob_log_words_end(struct iob_log_words *words)
{
	atomic_store(&words->ended, 1);
	syscall(SYS_futex, &words->ended, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void iob_log_words_sleep(struct iob_log_words *words, uint64_t ns)
{
	struct timespec ts = {(time_t)(ns / IOB_NS_PER_S), (long)(ns % IOB_NS_PER_S)};

	syscall(SYS_futex, &words->ended, FUTEX_WAIT, 0, &ts, NULL, 0);
}
