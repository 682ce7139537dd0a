/* SPDX-License-Identifier: MIT */
#include "result/json_schema.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "result/result.h"

/* clang-format off */
#define U64(s, f, n)       {.name = (n), .type = IOB_J_U64, .offset = offsetof(struct s, f)}
#define U32(s, f, n)       {.name = (n), .type = IOB_J_U32, .offset = offsetof(struct s, f)}
#define REAL(s, f, n)      {.name = (n), .type = IOB_J_REAL, .offset = offsetof(struct s, f)}
#define BOOL(s, f, n)      {.name = (n), .type = IOB_J_BOOL, .offset = offsetof(struct s, f)}
#define TEXT(s, f, n)      {.name = (n), .type = IOB_J_TEXT, .offset = offsetof(struct s, f), \
			    .size = sizeof(((struct s *)0)->f)}
#define CHOICE(s, f, n, l) {.name = (n), .type = IOB_J_CHOICE, .offset = offsetof(struct s, f), \
			    .names = (l)}
#define U32_LATER(s, f, n) {.name = (n), .type = IOB_J_U32, .offset = offsetof(struct s, f), \
			    .later = true}
#define TEXT_LATER(s, f, n) {.name = (n), .type = IOB_J_TEXT, .offset = offsetof(struct s, f), \
			    .size = sizeof(((struct s *)0)->f), .later = true}
#define END                {.name = NULL}
/* clang-format on */

static const char *const target_kinds[] = {"blockdev", "file", "created", "scratch", "null", NULL};
static const char *const segment_kinds[] = {"load", "ramp", "paused", NULL};
static const char *const error_kinds[] = {"run", "usage", "refused", NULL};
_Static_assert(sizeof(enum iob_target_kind) == sizeof(uint32_t), "enums are read as 32 bits");

const struct iob_json_field iob_json_result[] = {
	TEXT(iob_result, version, "version"),
	U64(iob_result, started_s, "started"),
	U64(iob_result, elapsed_ms, "elapsed_ms"),
	U32(iob_result, exit_status, "exit_status"),
	U64(iob_result, unfinished, "unfinished"),
	U64(iob_result, longest_stall_ns, "longest_stall_ns"),
	BOOL(iob_result, has_disk, "has_disk"),
	U32_LATER(iob_result, disk_paths, "disk_paths"),
	END,
};

const struct iob_json_field iob_json_host[] = {
	TEXT(iob_host, name, "name"),
	TEXT(iob_host, kernel, "kernel"),
	TEXT(iob_host, cpu, "cpu"),
	U32(iob_host, cpus, "cpus"),
	U64(iob_host, memory, "memory"),
	TEXT_LATER(iob_host, clock, "clock"),
	U32_LATER(iob_host, clock_ns, "clock_ns"),
	END,
};

const struct iob_json_field iob_json_target[] = {
	TEXT(iob_target_info, path, "path"),
	CHOICE(iob_target_info, kind, "kind", target_kinds),
	U64(iob_target_info, size, "size"),
	U64(iob_target_info, region_offset, "region_offset"),
	U64(iob_target_info, region_size, "region_size"),
	U32(iob_target_info, files, "files"),
	U32(iob_target_info, logical_block_size, "logical_block_size"),
	U32(iob_target_info, physical_block_size, "physical_block_size"),
	BOOL(iob_target_info, direct, "direct"),
	BOOL(iob_target_info, direct_refused, "direct_refused"),
	BOOL(iob_target_info, writable, "writable"),
	BOOL(iob_target_info, rotational, "rotational"),
	BOOL(iob_target_info, has_disk, "has_disk"),
	U32(iob_target_info, major, "major"),
	U32(iob_target_info, minor, "minor"),
	TEXT(iob_target_info, disk, "disk"),
	TEXT_LATER(iob_target_info, partition, "partition"),
	U32_LATER(iob_target_info, partition_major, "partition_major"),
	U32_LATER(iob_target_info, partition_minor, "partition_minor"),
	TEXT(iob_target_info, model, "model"),
	TEXT(iob_target_info, scheduler, "scheduler"),
	TEXT(iob_target_info, filesystem, "filesystem"),
	TEXT(iob_target_info, mount_point, "mount_point"),
	U32(iob_target_info, nr_requests, "nr_requests"),
	U64(iob_target_info, sparse_bytes, "sparse_bytes"),
	U64(iob_target_info, layout_bytes, "layout_bytes"),
	END,
};

const struct iob_json_field iob_json_usage[] = {
	REAL(iob_run_usage, user_s, "user_s"),
	REAL(iob_run_usage, system_s, "system_s"),
	U64(iob_run_usage, voluntary, "voluntary_switches"),
	U64(iob_run_usage, involuntary, "involuntary_switches"),
	U64(iob_run_usage, major_faults, "major_faults"),
	U64(iob_run_usage, minor_faults, "minor_faults"),
	U64(iob_run_usage, end_sync_ns, "end_sync_ns"),
	END,
};

const struct iob_json_field iob_json_error[] = {
	CHOICE(iob_error, kind, "kind", error_kinds),
	TEXT(iob_error, text, "text"),
	END,
};

const struct iob_json_field iob_json_failures[] = {
	U64(iob_failures, total, "total"),
	U64(iob_failures, ignored, "ignored"),
	U64(iob_failures, slowed, "slowed"),
	END,
};

const struct iob_json_field iob_json_failure_kind[] = {
	U32(iob_failure_kind, op, "op"),
	U32(iob_failure_kind, code, "errno"),
	U64(iob_failure_kind, count, "count"),
	U64(iob_failure_kind, ignored, "ignored"),
	END,
};

const struct iob_json_field iob_json_failure[] = {
	U64(iob_failure, at_ns, "t_ns"),
	U32(iob_failure, worker, "worker"),
	U32(iob_failure, op, "op"),
	U32(iob_failure, code, "errno"),
	U64(iob_failure, offset, "offset"),
	U64(iob_failure, length, "length"),
	TEXT(iob_failure, why, "why"),
	END,
};

const struct iob_json_field iob_json_segment[] = {
	U32(iob_segment_figures, id, "id"),
	U32(iob_segment_figures, stage, "stage"),
	CHOICE(iob_segment_figures, kind, "kind", segment_kinds),
	BOOL(iob_segment_figures, open, "open"),
	U64(iob_segment_figures, from_ms, "from_ms"),
	U64(iob_segment_figures, to_ms, "to_ms"),
	REAL(iob_segment_figures, seconds, "seconds"),
	REAL(iob_segment_figures, depth, "depth"),
	U64(iob_segment_figures, syncs, "syncs"),
	REAL(iob_segment_figures, sync_mean_ns, "sync_mean_ns"),
	U64(iob_segment_figures, sync_max_ns, "sync_max_ns"),
	REAL(iob_segment_figures, cpu, "cpu"),
	END,
};

const struct iob_json_field iob_json_figures[] = {
	U64(iob_figures, ios, "ios"),
	U64(iob_figures, bytes, "bytes"),
	REAL(iob_figures, iops, "iops"),
	REAL(iob_figures, bw, "bw_bytes"),
	U64(iob_figures, issued, "issued"),
	U64(iob_figures, shorts, "short"),
	U64(iob_figures, zeros, "zero"),
	U64(iob_figures, errors, "errors"),
	END,
};

const struct iob_json_field iob_json_latency[] = {
	U64(iob_latency, n, "N"),
	U64(iob_latency, min_ns, "min"),
	U64(iob_latency, max_ns, "max"),
	REAL(iob_latency, mean_ns, "mean"),
	REAL(iob_latency, stddev_ns, "stddev"),
	U64(iob_latency, overflow, "overflow"),
	END,
};

const struct iob_json_field iob_json_iostat[] = {
	REAL(iob_iostat, r_s, "r_s"),
	REAL(iob_iostat, w_s, "w_s"),
	REAL(iob_iostat, d_s, "d_s"),
	REAL(iob_iostat, f_s, "f_s"),
	REAL(iob_iostat, r_bytes_s, "r_bytes_s"),
	REAL(iob_iostat, w_bytes_s, "w_bytes_s"),
	REAL(iob_iostat, d_bytes_s, "d_bytes_s"),
	REAL(iob_iostat, rrqm_s, "rrqm_s"),
	REAL(iob_iostat, wrqm_s, "wrqm_s"),
	REAL(iob_iostat, r_await_ms, "r_await_ms"),
	REAL(iob_iostat, w_await_ms, "w_await_ms"),
	REAL(iob_iostat, aqu_sz, "aqu_sz"),
	REAL(iob_iostat, util, "util"),
	END,
};

const struct iob_json_field iob_json_diskstat[] = {
	U64(iob_diskstat, reads, "reads"),
	U64(iob_diskstat, read_merges, "read_merges"),
	U64(iob_diskstat, read_sectors, "read_sectors"),
	U64(iob_diskstat, read_ms, "read_ms"),
	U64(iob_diskstat, writes, "writes"),
	U64(iob_diskstat, write_merges, "write_merges"),
	U64(iob_diskstat, write_sectors, "write_sectors"),
	U64(iob_diskstat, write_ms, "write_ms"),
	U64(iob_diskstat, in_flight, "in_flight"),
	U64(iob_diskstat, io_ms, "io_ms"),
	U64(iob_diskstat, weighted_ms, "weighted_ms"),
	U64(iob_diskstat, discards, "discards"),
	U64(iob_diskstat, discard_merges, "discard_merges"),
	U64(iob_diskstat, discard_sectors, "discard_sectors"),
	U64(iob_diskstat, discard_ms, "discard_ms"),
	U64(iob_diskstat, flushes, "flushes"),
	U64(iob_diskstat, flush_ms, "flush_ms"),
	END,
};

const struct iob_json_field iob_json_interval[] = {
	U64(iob_interval_dir, ios, "ios"),
	U64(iob_interval_dir, bytes, "bytes"),
	U64(iob_interval_dir, sum_ns, "sum"),
	U64(iob_interval_dir, p50_ns, "p50"),
	U64(iob_interval_dir, p99_ns, "p99"),
	U64(iob_interval_dir, p999_ns, "p999"),
	U64(iob_interval_dir, max_ns, "max"),
	END,
};

const struct iob_json_flag iob_json_interval_flags[] = {
	{"late", IOB_INTERVAL_LATE},
	{"spread", IOB_INTERVAL_SPREAD},
	{"idle", IOB_INTERVAL_IDLE},
	{"gap", IOB_INTERVAL_GAP},
	{NULL, 0},
};

char *iob_json_percentile_key(char *buf, size_t n, double percentile)
{
	snprintf(buf, n, "%.6f", percentile);
	return buf;
}

static uint32_t load_u32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint64_t load_u64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static double load_real(const void *p)
{
	double v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static const char *choice_name(const struct iob_json_field *f, uint32_t value)
{
	uint32_t i = 0;

	while (f->names[i + 1] && i < value)
		i++;
	return f->names[i];
}

void iob_json_put(struct iob_json out, const struct iob_json_field *f, const void *from)
{
	for (; f->name; f++) {
		const char *p = (const char *)from + f->offset;

		switch (f->type) {
		case IOB_J_U64:
			iob_json_u64(out, f->name, load_u64(p));
			break;
		case IOB_J_U32:
			iob_json_u64(out, f->name, load_u32(p));
			break;
		case IOB_J_REAL:
			iob_json_real(out, f->name, load_real(p));
			break;
		case IOB_J_BOOL:
			iob_json_bool(out, f->name, *(const bool *)p);
			break;
		case IOB_J_TEXT:
			iob_json_text(out, f->name, p);
			break;
		case IOB_J_CHOICE:
			iob_json_text(out, f->name, choice_name(f, load_u32(p)));
			break;
		}
	}
}

static uint32_t get_choice(const struct iob_json_in *in, const struct iob_json_field *f)
{
	const char *text = iob_in_string(in, f->name);

	for (uint32_t i = 0; f->names[i]; i++)
		if (strcmp(text, f->names[i]) == 0)
			return i;
	iob_in_fail(in, f->name, "is none of the known words");
	return 0;
}

void iob_json_get(const struct iob_json_in *in, const struct iob_json_field *f, void *to)
{
	for (; f->name; f++) {
		char *p = (char *)to + f->offset;
		uint64_t u64;
		uint32_t u32;
		double real;

		if (f->later && !iob_in_has(in, f->name))
			continue;
		switch (f->type) {
		case IOB_J_U64:
			u64 = iob_in_u64(in, f->name, INT64_MAX);
			memcpy(p, &u64, sizeof(u64));
			break;
		case IOB_J_U32:
			u32 = (uint32_t)iob_in_u64(in, f->name, UINT32_MAX);
			memcpy(p, &u32, sizeof(u32));
			break;
		case IOB_J_REAL:
			real = iob_in_real(in, f->name);
			memcpy(p, &real, sizeof(real));
			break;
		case IOB_J_BOOL:
			*(bool *)p = iob_in_bool(in, f->name);
			break;
		case IOB_J_TEXT:
			iob_in_text(in, f->name, p, f->size);
			break;
		case IOB_J_CHOICE:
			u32 = get_choice(in, f);
			memcpy(p, &u32, sizeof(u32));
			break;
		}
	}
}
