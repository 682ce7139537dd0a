/* SPDX-License-Identifier: MIT */
/*
 * All that is known of a run when it is over, self-contained: reports are written from it alone,
 * and a saved run is read back into it.
 */
#ifndef IOB_RESULT_RESULT_H
#define IOB_RESULT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "run/run.h"

struct iob_host {
	char name[128];
	char kernel[128]; /* release */
	char cpu[128];    /* model */
	unsigned cpus;
	uint64_t memory;   /* bytes */
	char clock[16];    /* that times are read from: "tsc", "monotonic"; "" = unknown */
	uint32_t clock_ns; /* what reading it once takes */
};

struct iob_result_segment {
	struct iob_segment_figures figures;
	struct iob_segment_params params;
};

/* Figures of one stage, as one entry of fio's jobs[]. */
struct iob_result_stage {
	struct iob_segment_figures figures; /* load segments only */
	struct iob_hist
		*hist[IOB_NDIR]; /* owned; NULL = nothing came, or read from a file that has none */
	struct iob_diskstat disk; /* delta over its load segments */
};

struct iob_result {
	char version[32];
	uint64_t started_s;  /* wall clock, seconds since the epoch */
	uint64_t elapsed_ms; /* from t0 to the end */
	enum iob_outcome outcome;
	int exit_status; /* 0 or 1 (gates and signals are the command's affair) */
	struct iob_error error;
	uint64_t unfinished;
	struct iob_host host;
	struct iob_target_info target;
	char engine[32];
	char engine_flags[128];
	struct iob_plan *plan;  /* owned */
	struct iob_sweep sweep; /* param "" = none; the plan's, or one that was driven by hand */
	struct iob_run_usage usage;
	unsigned nstages;
	struct iob_result_stage *stage; /* owned */
	size_t nsegments;
	struct iob_result_segment *segment; /* owned */
	size_t nintervals;
	struct iob_interval *interval; /* owned: the timeline */
	struct iob_segment_figures total;
	struct iob_warnings warnings;
	struct iob_marks marks;
	struct iob_limit limit;       /* what limits the result; what "" = not known */
	struct iob_failures failures; /* at_ns is since t0 here */
	uint64_t longest_stall_ns;
	bool has_disk;
	unsigned disk_paths; /* its figures are the sum of so many paths; 0 = its own */
};

/* After iob_run_wait said true, or in the middle (a save by key: outcome NONE). */
int iob_result_build(struct iob_result *, struct iob_run *, struct iob_error *);
/* Legal on a zeroed object. */
void iob_result_free(struct iob_result *);

/* The segment that stands for the run: the longest load segment; NULL if there is none. */
const struct iob_result_segment *iob_result_headline(const struct iob_result *);

/* Read from fio's own JSON: of the host, the seed and much of the target nothing is known. */
bool iob_result_is_foreign(const struct iob_result *);

/* Was the engine of the stage one that does one request at a time, whatever iodepth said? */
bool iob_result_is_synchronous(const struct iob_result *, unsigned stage);

/* A report format: a table of them in formats.c. */
struct iob_format {
	const char *name;   /* "text", "json" */
	const char *suffix; /* ".txt" */
	const char *summary;
	/* Writes the whole report; the caller checks the stream. */
	int (*write)(const struct iob_result *, FILE *, struct iob_error *);
};

extern const struct iob_format iob_formats[]; /* ends with name NULL */
const struct iob_format *iob_format_find(const char *name);

/* The writers of the table above, one file each.  0 or a negative errno (memory). */
int iob_report_text(const struct iob_result *, FILE *, struct iob_error *);
int iob_report_json(const struct iob_result *, FILE *, struct iob_error *);
int iob_report_json_plus(const struct iob_result *, FILE *, struct iob_error *);
int iob_report_fio(const struct iob_result *, FILE *, struct iob_error *);
int iob_report_terse(const struct iob_result *, FILE *, struct iob_error *);
int iob_report_ndjson(const struct iob_result *, FILE *, struct iob_error *);
int iob_report_html(const struct iob_result *, FILE *, struct iob_error *);
int iob_report_csv(const struct iob_result *, FILE *, struct iob_error *);

/* Read a saved run (our JSON).  Usage error naming the file and what is missing or of the wrong
 * type. */
int iob_result_read(struct iob_result *, const char *path, struct iob_error *);

/* I/Os of it never came back. */
bool iob_result_has_hung(const struct iob_result *);
/* Write a report by iob_document_save. */
int iob_result_write(
	const struct iob_result *, const struct iob_format *, const char *path, struct iob_error *);
/* The JSON, which iob_result_read reads. */
int iob_result_save(const struct iob_result *, const char *path, struct iob_error *);

#endif
