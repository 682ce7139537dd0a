/* SPDX-License-Identifier: MIT */
/* The files that a job works on: how they are named, made, taken in turn and left; rows of the
 * parameter table, but for `fio`. */
#ifndef IOB_JOB_JOB_FILES_H
#define IOB_JOB_JOB_FILES_H

#include <stdbool.h>
#include <stdint.h>

/* Inclusive range; min == max for a single value. */
struct iob_range {
	uint64_t min, max;
};

enum iob_file_service {
	IOB_SERVICE_ROUNDROBIN,
	IOB_SERVICE_SEQUENTIAL,
	IOB_SERVICE_RANDOM,
	IOB_SERVICE_ZIPF,
	IOB_SERVICE_PARETO
};

enum iob_fallocate {
	IOB_FALLOCATE_NATIVE,
	IOB_FALLOCATE_NONE,
	IOB_FALLOCATE_POSIX,
	IOB_FALLOCATE_KEEP,
	IOB_FALLOCATE_TRUNCATE,
};

enum iob_fadvise {
	IOB_FADVISE_PATTERN, /* by what rw does */
	IOB_FADVISE_NONE,
	IOB_FADVISE_SEQUENTIAL,
	IOB_FADVISE_RANDOM,
	IOB_FADVISE_NOREUSE,
};

struct iob_job_files {
	/* No row, set by those who read job files: filename is a list of names with ':' between
	 * ("\:" is a colon, "\\" a backslash); directories that are missing are made; sizes are
	 * those of fio (more than there is is cut down); a file that a job writes is made without
	 * content; what was made stays. */
	bool fio;
	uint32_t service; /* enum iob_file_service */
	/* Before the next file's turn; 0 = 1.  Of zipf and pareto, which turn each time: theta or h
	 * in millionths, 0 = the default. */
	int64_t service_requests;
	uint64_t openfiles;        /* no effect: all are open */
	struct iob_range filesize; /* bytes; max 0 = not given */
	bool create_serialize;     /* no effect: files are made one after the other */
	bool no_create_fsync;      /* the opposite of create_fsync */
	bool create_on_open;       /* no effect but that files are made as late as others are */
	bool create_only;
	bool no_file_create; /* the opposite of allow_file_create */
	uint32_t fallocate;  /* enum iob_fallocate */
	bool overwrite;
	bool unlink, unlink_each_loop;
	bool pre_read;
	uint32_t fadvise; /* enum iob_fadvise */
	bool file_append;
};

#endif
