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
	{
		.name = "direct",
		.group = "how",
		.type = IOB_P_BOOL,
		.flags = IOB_PF_COMMON,
		FIELD(direct),
		.max = 1,
		.initial = "1",
		.unit = "",
		.help = "Bypass the page cache (O_DIRECT), so that the disk is measured and not the "
			"memory.",
	},
	{
		.name = "buffered",
		.group = "how",
		.type = IOB_P_BOOL,
		.flags = IOB_PF_COMPLEMENT,
		FIELD(direct),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "Go through the page cache: the opposite of direct; the later of both "
			"counts.",
	},
	{
		.name = "sync",
		.group = "how",
		.type = IOB_P_CHOICE,
		FIELD(sync),
		.initial = "none",
		.unit = "",
		.choices = sync_choices,
		.help = "Whether each write waits for the medium.",
	},
	{
		.name = "fsync",
		.group = "how",
		.type = IOB_P_UINT,
		FIELD(fsync),
		.max = MOST_FLUSH,
		.initial = "0",
		.unit = "I/Os",
		.help = "Sync data and metadata after every N writes; 0 never does.",
	},
	{
		.name = "fdatasync",
		.group = "how",
		.type = IOB_P_UINT,
		FIELD(fdatasync),
		.max = MOST_FLUSH,
		.initial = "0",
		.unit = "I/Os",
		.help = "Sync data after every N writes; 0 never does.",
	},
	{
		.name = "end_fsync",
		.group = "how",
		.type = IOB_P_BOOL,
		FIELD(end_fsync),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "Sync once at the end of the stage. A buffered write run always does.",
	},
	{
		.name = "invalidate",
		.group = "how",
		.type = IOB_P_BOOL,
		FIELD(invalidate),
		.max = 1,
		.initial = "1",
		.unit = "",
		.help = "Drop what the page cache holds of the target before the start.",
	},
	{
		.name = "fsync_on_close",
		.group = "how",
		.type = IOB_P_BOOL,
		FIELD(fsync_on_close),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "Sync the files when they are closed, even after direct I/O.",
	},
	{
		MORE_ROW("sync_file_range", "how", IOB_P_TEXT, 0, sync_file_range_text, 0, 0, "",
			""),
		.size = sizeof(((struct iob_job *)0)->sync_file_range_text),
		.check = iob_sync_range_check,
		.settle = iob_sync_range_settle,
		.help = "After every N writes push out what they wrote: write:N, or wait_before, write "
			"and wait_after with commas between. This is no sync: no metadata and no cache "
			"of the device is flushed.",
	},
	{
		MORE_ROW("write_hint", "how", IOB_P_CHOICE, 0, write_hint, 0, 0, "none", ""),
		.choices = hint_choices,
		.help = "What the kernel and the device are told of how soon the data written will be "
			"overwritten (fcntl F_SET_RW_HINT).",
	},
};

IOB_PARAM_ROWS(iob_param_cache, rows);
