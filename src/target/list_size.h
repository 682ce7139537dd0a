/* SPDX-License-Identifier: MIT */
/* How much of each file of a list a job covers, by fio's rules.  Pure arithmetic. */
#ifndef IOB_TARGET_LIST_SIZE_H
#define IOB_TARGET_LIST_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/rng.h"
#include "job/job.h"
#include "target/region.h"

struct iob_list_file {
	const char *path;
	uint64_t real; /* bytes that it has */
	bool exists;
	bool fixed; /* a device: it cannot grow */
	struct iob_target_region region;
	uint64_t end; /* bytes that it must have; more than `real`: it is to grow */
};

/* File `number` of `count`.  clone: for offset_increment. */
struct iob_list_place {
	unsigned number, count;
	uint64_t clone;
};
int iob_list_measure(struct iob_list_file *, const struct iob_job *, struct iob_list_place,
	struct iob_rng *, struct iob_error *);

#endif
