/* SPDX-License-Identifier: MIT */
/* Pieces of the parameter table: a file for each, put together by param_table.c.  For the param_*.c
 * files alone. */
#ifndef IOB_JOB_PARAM_ROWS_H
#define IOB_JOB_PARAM_ROWS_H

#include <stddef.h>

#include "job/param.h"

struct iob_param_rows {
	const struct iob_param *row;
	size_t n;
};

#define IOB_PARAM_ROWS(name_, rows_)                                                               \
	const struct iob_param_rows name_ = {(rows_), sizeof(rows_) / sizeof((rows_)[0])}

extern const struct iob_param_rows iob_param_what;
extern const struct iob_param_rows iob_param_where;
extern const struct iob_param_rows iob_param_files;
extern const struct iob_param_rows iob_param_how;
extern const struct iob_param_rows iob_param_cache;
extern const struct iob_param_rows iob_param_error;
extern const struct iob_param_rows iob_param_thread;
extern const struct iob_param_rows iob_param_when;
extern const struct iob_param_rows iob_param_memory;
extern const struct iob_param_rows iob_param_engine;
extern const struct iob_param_rows iob_param_cmdprio;
extern const struct iob_param_rows iob_param_fault;
extern const struct iob_param_rows iob_param_job;
extern const struct iob_param_rows iob_param_report;
extern const struct iob_param_rows iob_param_log;
extern const struct iob_param_rows iob_param_compat;

#define FIELD(f)      .offset = offsetof(struct iob_job, f)
#define TEXT_FIELD(f) FIELD(f), .size = sizeof(((struct iob_job *)0)->f)
#define KILO          UINT64_C(1024)
#define GIB           (KILO * KILO * KILO)
#define SECOND        UINT64_C(1000000000)
#define MOST_RUNTIME  (1000000 * SECOND)
#define MOST_BLOCK    (4 * GIB - 512)       /* of 32 bits, whole sectors */
#define MOST_BYTES    ((uint64_t)INT64_MAX) /* of an offset */
#define MOST_DEPTH    65536
#define MOST_RATE     1000000000
#define MOST_FLUSH    1000000000

/* Rows of struct iob_job_pattern and iob_job_files. */
#define MORE_ROW(name_, group_, type_, flags_, field_, min_, max_, initial_, unit_)                \
	.name = (name_), .group = (group_), .type = (type_), .flags = (flags_),                    \
	.offset = offsetof(struct iob_job, field_), .min = (min_), .max = (max_),                  \
	.initial = (initial_), .unit = (unit_)
#define MORE_BOOL(name_, group_, flags_, field_, initial_, help_)                                  \
	{                                                                                          \
		MORE_ROW(name_, group_, IOB_P_BOOL, flags_, field_, 0, 1, initial_, ""),           \
			.help = (help_)                                                            \
	}

/* Rows of struct iob_job_control. */
#define JOB_ROW(name_, group_, field_, flags_, initial_, help_)                                    \
	.name = (name_), .group = (group_), .flags = IOB_PF_JOBFILE | (flags_), FIELD(ctl.field_), \
	.initial = (initial_), .unit = "", .help = (help_)
#define JOB_BOOL(name_, aliases_, group_, field_, initial_, help_)                                 \
	{                                                                                          \
		JOB_ROW(name_, group_, field_, 0, initial_, help_),                                \
			.type = IOB_P_BOOL, .aliases = (aliases_), .max = 1                        \
	}
#define JOB_UINT(name_, group_, field_, min_, max_, initial_, help_)                               \
	{                                                                                          \
		JOB_ROW(name_, group_, field_, 0, initial_, help_), .type = IOB_P_UINT,            \
								    .min = (min_), .max = (max_)   \
	}
#define JOB_CHOICE(name_, group_, field_, initial_, choices_, help_)                               \
	{                                                                                          \
		JOB_ROW(name_, group_, field_, 0, initial_, help_), .type = IOB_P_CHOICE,          \
								    .choices = (choices_)          \
	}
#define JOB_TEXT(name_, group_, field_, flags_, help_)                                             \
	{                                                                                          \
		JOB_ROW(name_, group_, field_, flags_, "", help_),                                 \
			.type = IOB_P_TEXT, .size = sizeof(((struct iob_job *)0)->ctl.field_)      \
	}

#endif
