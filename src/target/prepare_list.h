/* SPDX-License-Identifier: MIT */
/* The files of a list while they are prepared.  Internal to prepare_list*.c. */
#ifndef IOB_TARGET_PREPARE_LIST_H
#define IOB_TARGET_PREPARE_LIST_H

#include "target/list_size.h"
#include "target/prepare.h"
#include "target/space.h"

struct iob_list_item {
	struct iob_list_file file;
	struct stat st; /* if it exists */
	/* By iob_list_check_space: */
	uint32_t fallocate; /* enum iob_fallocate: how it is laid out */
	uint64_t most;      /* bytes that it may come to have */
	struct iob_space_asker asker;
};

/* Is what is made filled with data before the run? */
bool iob_list_wants_content(const struct iob_job *);

/*
 * All files have been measured, nothing has been made: is there room for what is laid out or set
 * aside now, and for what the job may fill later?  Where there is room only for what the job can
 * write at all (io_size, number_ios), nothing is set aside.
 */
int iob_list_check_space(
	const struct iob_prepare *, struct iob_list_item *, unsigned n, struct iob_error *);
/* It is open as fd, laid out: the rest of the space it needs. */
void iob_list_promise_space(const struct iob_prepare *, const struct iob_list_item *, int fd);

#endif
