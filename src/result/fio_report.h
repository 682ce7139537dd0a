/* SPDX-License-Identifier: MIT */
/*
 * All that fio's reports say, as plain figures: fio_build fills it in from a fleet
 * (src/run/fleet.h), the writers (fio_text, fio_json, fio_terse) only format it.  An entry is one
 * block of the report: one worker, or all workers of a group with group_reporting, already added
 * up.  Formulas: doc/measuring.md, "fio's figures"; where ours differ from fio's:
 * doc/fio-differences.md.
 */
#ifndef IOB_RESULT_FIO_REPORT_H
#define IOB_RESULT_FIO_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/direction.h"
#include "base/error.h"
#include "job/jobfile.h"
#include "measure/detail.h"
#include "measure/hoststat.h"
#include "measure/idle_prof.h"

#define IOB_FIO_MAX_PERCENTILES 20

/* Samples of bandwidth (KiB/s) or IOPS over bwavgtime / iopsavgtime. */
struct iob_fio_samples {
	uint64_t n;
	double min, max, mean, dev; /* of a group: sums over the members, as fio adds them, but for
				       min and max, which are of the members' common windows */
};

struct iob_fio_dir_report {
	uint64_t runtime_ms;            /* group: the longest of the members */
	const struct iob_detail_dir *d; /* never NULL */
	struct iob_fio_samples bw, iops;
	uint64_t zone_resets; /* writes */
	/* Latency by priority: IOB_DETAIL_PRIORITIES spans, those with a bit in `priorities` used;
	 * NULL = no request has one of its own. */
	const struct iob_span *by_priority;
	uint32_t priorities;
};

struct iob_fio_entry {
	char jobname[256];
	char description[256];
	unsigned groupid, members;
	int error;             /* errno, 0 = in order */
	char error_where[160]; /* what failed: "read of /dev/sdb"; "" = only its errno is known */
	int64_t pid;
	uint64_t started_ms;     /* of the job, since the epoch */
	uint64_t finished_s;     /* wall clock, for the header line */
	uint64_t eta_s;          /* UINT64_MAX = unknown; 0 when done */
	uint64_t elapsed_s;      /* of the whole run up to now */
	uint64_t job_runtime_ms; /* sum over the members */
	/* As typed, of the last member. */
	size_t noptions;
	const struct iob_option *option;
	char typed_name[256]; /* of the last member, if it is one of the command line; or "" */
	struct iob_fio_dir_report dir[IOB_NDIR];
	/* All directions together, only with unified; d points into all. */
	struct iob_fio_dir_report mixed;
	struct iob_detail_dir *all; /* owned: iob_fio_entry_mix makes it; NULL without unified */
	struct iob_detail *detail;  /* owned: sums over the members */
	struct iob_detail_priorities *priorities; /* owned: likewise; NULL = none */
	struct iob_span *all_priorities;          /* owned: of `mixed`; NULL likewise */
	uint16_t thread_ioprio;                   /* of requests without one of their own */
	double usr_cpu, sys_cpu; /* per cent of a member's wall time, mean over the members */
	uint32_t iodepth;
	bool synchronous; /* no slat row */
	/* What is printed. */
	bool clat_percentiles, lat_percentiles, slat_percentiles;
	unsigned npercentiles;
	double percentile[IOB_FIO_MAX_PERCENTILES];
	unsigned percentile_precision; /* decimals printed: the most that were typed; default 2 */
	bool disable_slat, disable_clat, disable_lat, disable_bw;
	unsigned unified; /* 0 none, 1 mixed, 2 both */
	bool continue_on_error;
	int kb_base;                  /* 1024 or 1000: which base comes first */
	int unit_base;                /* 0, 1 (bits) or 8 (bytes) */
	unsigned significant_figures; /* 0 = 4 */
	/* latency_target; without one 0, 0 and 100. */
	uint64_t latency_target_ns, latency_window_us;
	double latency_percentile;
	unsigned latency_depth; /* where the search ended; iodepth without a target; 0 = none */
};

struct iob_fio_group_dir {
	double agg_bw, min_bw, max_bw; /* bytes per second; min and max over the entries */
	uint64_t bytes;
	uint64_t min_ms, max_ms; /* max 0: nothing was done, no row */
};

struct iob_fio_group {
	unsigned groupid;
	struct iob_fio_group_dir dir[IOB_NDIR];
	struct iob_fio_group_dir mixed; /* only with unified */
	int kb_base, unit_base;
	unsigned unified;             /* as in the entries: 0 none, 1 mixed alone, 2 both */
	unsigned significant_figures; /* 0 = 4 */
};

struct iob_fio_disk {
	char name[64];
	struct iob_diskstat delta;
	double util;     /* per cent */
	bool aggregated; /* it lies on others: means over these, and the greatest utilisation */
	unsigned members;
	struct iob_diskstat mean;
	double max_util;
	bool below; /* printed indented: it is one of those under the disk before */
};

struct iob_fio_report {
	uint64_t timestamp_ms; /* wall clock */
	size_t nglobals;
	const struct iob_option *global;
	size_t nentries;
	struct iob_fio_entry *entry; /* owned */
	size_t ngroups;
	struct iob_fio_group *group; /* owned */
	size_t ndisks;
	struct iob_fio_disk *disk;           /* owned */
	bool interim;                        /* --status-interval: not the end */
	const struct iob_idleness *idleness; /* NULL = not asked for */
	bool percpu;                         /* of each CPU, too */
	/* For the key iotop_bench of the JSON. */
	uint64_t seed;
	size_t nwarnings;
	const char *const *warning; /* whole lines */
};

/* Legal on a zeroed object. */
void iob_fio_report_free(struct iob_fio_report *);
/* Fill in mixed.d (counts and spans added up) and mixed.runtime_ms; its samples are the builder's
 * affair, since those of the directions do not tell what they were together. */
int iob_fio_entry_mix(struct iob_fio_entry *, struct iob_error *);

int iob_fio_report_text(const struct iob_fio_report *, FILE *, struct iob_error *);
/* plus: json+, with bins. */
int iob_fio_report_json(const struct iob_fio_report *, bool plus, FILE *, struct iob_error *);
/* version: 2, 3, 4 or 5. */
int iob_fio_report_terse(
	const struct iob_fio_report *, unsigned version, FILE *, struct iob_error *);

#endif
