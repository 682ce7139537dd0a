/* SPDX-License-Identifier: MIT */
/*
 * The members of the iotop_bench key that are plain fields of our structs: one list for writing and
 * reading.
 */
#ifndef IOB_RESULT_JSON_SCHEMA_H
#define IOB_RESULT_JSON_SCHEMA_H

#include <stddef.h>

#include "result/json_in.h"
#include "result/json_out.h"

enum iob_json_type {
	IOB_J_U64,
	IOB_J_U32,
	IOB_J_REAL, /* double */
	IOB_J_BOOL,
	IOB_J_TEXT,   /* char[size] */
	IOB_J_CHOICE, /* an enum, by names */
};

struct iob_json_field {
	const char *name;
	enum iob_json_type type;
	size_t offset;
	size_t size;              /* of a text */
	const char *const *names; /* of a choice, ends with NULL */
	bool later;               /* files of earlier versions lack it: then it is left alone */
};

/* Lists end with name NULL. */
extern const struct iob_json_field iob_json_result[];       /* struct iob_result */
extern const struct iob_json_field iob_json_host[];         /* struct iob_host */
extern const struct iob_json_field iob_json_target[];       /* struct iob_target_info */
extern const struct iob_json_field iob_json_usage[];        /* struct iob_run_usage */
extern const struct iob_json_field iob_json_error[];        /* struct iob_error */
extern const struct iob_json_field iob_json_failures[];     /* struct iob_failures */
extern const struct iob_json_field iob_json_failure_kind[]; /* struct iob_failure_kind */
extern const struct iob_json_field iob_json_failure[];      /* struct iob_failure */
extern const struct iob_json_field iob_json_segment[];      /* struct iob_segment_figures */
extern const struct iob_json_field iob_json_figures[];      /* struct iob_figures */
extern const struct iob_json_field iob_json_latency[];      /* struct iob_latency */
extern const struct iob_json_field iob_json_iostat[];       /* struct iob_iostat */
extern const struct iob_json_field iob_json_diskstat[];     /* struct iob_diskstat */
extern const struct iob_json_field iob_json_interval[];     /* struct iob_interval_dir */

/* What an entry of the timeline says besides its figures; that it has the disk's shows in the
 * figures themselves.  Ends with name NULL. */
struct iob_json_flag {
	const char *name;
	uint32_t flag; /* enum iob_interval_flag */
};
extern const struct iob_json_flag iob_json_interval_flags[];

/* A percentile's key, as fio writes it: "99.990000". */
char *iob_json_percentile_key(char *buf, size_t n, double percentile);

/* All fields of a list, from or to the struct that it is of; reading is strict (json_in.h). */
void iob_json_put(struct iob_json, const struct iob_json_field *, const void *from);
void iob_json_get(const struct iob_json_in *, const struct iob_json_field *, void *to);

#endif
