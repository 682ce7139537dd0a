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

/* The plain kinds of rows in one piece.  What has more than this (an alias, a suffix, a check), or
 * is of another type, is written out.  initial is text, as on the command line; unit "" is none. */
#define NUMBER_ROW(name_, group_, type_, flags_, field_, min_, max_, initial_, unit_, help_)       \
	{                                                                                          \
		.name = (name_), .group = (group_), .type = (type_), .flags = (flags_),            \
		FIELD(field_), .min = (min_), .max = (max_), .initial = (initial_),                \
		.unit = (unit_), .help = (help_)                                                   \
	}
#define BOOL_ROW(name_, group_, flags_, field_, initial_, help_)                                   \
	NUMBER_ROW(name_, group_, IOB_P_BOOL, flags_, field_, 0, 1, initial_, "", help_)
#define UINT_ROW(name_, group_, flags_, field_, min_, max_, initial_, unit_, help_)                \
	NUMBER_ROW(name_, group_, IOB_P_UINT, flags_, field_, min_, max_, initial_, unit_, help_)
#define PERCENT_ROW(name_, group_, flags_, field_, initial_, help_)                                \
	NUMBER_ROW(name_, group_, IOB_P_PERCENT, flags_, field_, 0, 100, initial_, "%", help_)
#define BYTES_ROW(name_, group_, flags_, field_, max_, initial_, help_)                            \
	NUMBER_ROW(name_, group_, IOB_P_BYTES, flags_, field_, 0, max_, initial_, "bytes", help_)
#define TIME_ROW(name_, group_, flags_, field_, max_, initial_, help_)                             \
	NUMBER_ROW(name_, group_, IOB_P_TIME, flags_, field_, 0, max_, initial_, "s", help_)
#define TEXT_ROW(name_, group_, flags_, field_, initial_, help_)                                   \
	{                                                                                          \
		.name = (name_), .group = (group_), .type = IOB_P_TEXT, .flags = (flags_),         \
		TEXT_FIELD(field_), .initial = (initial_), .unit = "", .help = (help_)             \
	}
#define CHOICE_ROW(name_, group_, flags_, field_, initial_, choices_, help_)                       \
	{                                                                                          \
		.name = (name_), .group = (group_), .type = IOB_P_CHOICE, .flags = (flags_),       \
		FIELD(field_), .initial = (initial_), .unit = "", .choices = (choices_),           \
		.help = (help_)                                                                    \
	}

#endif
