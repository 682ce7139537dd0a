/* SPDX-License-Identifier: MIT */
/* Rows of the group "how": caches, and what makes writes durable. */
#include "job/param_rows.h"
#include "job/sync_range.h"

static const struct iob_param_choice sync_choices[] = {
	{"none", IOB_SYNC_NONE, "writes may stay in the device's cache"},
	{"sync", IOB_SYNC_SYNC,
		"O_SYNC: data and metadata are on the medium before a write returns"},
	{"dsync", IOB_SYNC_DSYNC, "O_DSYNC: data are on the medium before a write returns"},
	{"0", IOB_SYNC_NONE, "the same as none"},
	{"1", IOB_SYNC_SYNC, "the same as sync"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice hint_choices[] = {
	{"none", IOB_WRITE_HINT_NONE, "nothing is known"},
	{"short", IOB_WRITE_HINT_SHORT, "soon"},
	{"medium", IOB_WRITE_HINT_MEDIUM, "later than those of short"},
	{"long", IOB_WRITE_HINT_LONG, "later than those of medium"},
	{"extreme", IOB_WRITE_HINT_EXTREME, "later than those of long"},
	{NULL, 0, NULL},
};

static const struct iob_param rows[] = {
	BOOL_ROW("direct", "how", IOB_PF_COMMON, direct, "1",
		"Bypass the page cache (O_DIRECT), so that the disk is measured and not the "
		"memory."),
	BOOL_ROW("buffered", "how", IOB_PF_COMPLEMENT, direct, "0",
		"Go through the page cache: the opposite of direct; the later of both "
		"counts."),
	CHOICE_ROW("sync", "how", 0, sync, "none", sync_choices,
		"Whether each write waits for the medium."),
	UINT_ROW("fsync", "how", 0, fsync, 0, MOST_FLUSH, "0", "I/Os",
		"Sync data and metadata after every N writes; 0 never does."),
	UINT_ROW("fdatasync", "how", 0, fdatasync, 0, MOST_FLUSH, "0", "I/Os",
		"Sync data after every N writes; 0 never does."),
	BOOL_ROW("end_fsync", "how", 0, end_fsync, "0",
		"Sync once at the end of the stage. A buffered write run always does."),
	BOOL_ROW("invalidate", "how", 0, invalidate, "1",
		"Drop what the page cache holds of the target before the start."),
	BOOL_ROW("fsync_on_close", "how", 0, fsync_on_close, "0",
		"Sync the files when they are closed, even after direct I/O."),
	{
		.name = "sync_file_range",
		.group = "how",
		.type = IOB_P_TEXT,
		TEXT_FIELD(sync_file_range_text),
		.initial = "",
		.unit = "",
		.check = iob_sync_range_check,
		.settle = iob_sync_range_settle,
		.help = "After every N writes push out what they wrote: write:N, or wait_before, write "
			"and wait_after with commas between. This is no sync: no metadata and no cache "
			"of the device is flushed.",
	},
	CHOICE_ROW("write_hint", "how", 0, write_hint, "none", hint_choices,
		"What the kernel and the device are told of how soon the data written will be "
		"overwritten (fcntl F_SET_RW_HINT)."),
};

IOB_PARAM_ROWS(iob_param_cache, rows);
