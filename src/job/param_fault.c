/* SPDX-License-Identifier: MIT */
/* Rows of the group "engine": how the engine fault spoils another one. */
#include "job/param_rows.h"

static const struct iob_param_choice fault_on_choices[] = {
	{"all", IOB_FAULT_ON_ALL, "every request"},
	{"read", IOB_FAULT_ON_READ, "reads"},
	{"write", IOB_FAULT_ON_WRITE, "writes"},
	{"trim", IOB_FAULT_ON_TRIM, "trims"},
	{"sync", IOB_FAULT_ON_SYNC, "fsync and fdatasync"},
	{NULL, 0, NULL},
};

static const struct iob_param rows[] = {
	TEXT_ROW("fault_engine", IOB_PARAM_GROUP_ENGINE, 0, fault_engine, "null",
		"Which engine the engine fault spoils."),
	CHOICE_ROW("fault_on", IOB_PARAM_GROUP_ENGINE, 0, fault_on, "all", fault_on_choices,
		"Which requests the engine fault looks at and counts; each worker counts for "
		"itself."),
	BYTES_ROW("fault_offset", IOB_PARAM_GROUP_ENGINE, 0, fault_offset, MOST_BYTES, "0",
		"Where in the target the bad range of the engine fault begins."),
	BYTES_ROW("fault_size", IOB_PARAM_GROUP_ENGINE, 0, fault_size, MOST_BYTES, "0",
		"How long the bad range of the engine fault is; 0 goes to the end."),
	TIME_ROW("fault_delay", IOB_PARAM_GROUP_ENGINE, 0, fault_delay_ns, 3600 * SECOND, "0s",
		"How much later requests of the engine fault come back."),
	TIME_ROW("fault_delay_random", IOB_PARAM_GROUP_ENGINE, 0, fault_delay_random_ns,
		3600 * SECOND, "0s",
		"Up to so much is added to fault_delay, evenly drawn; randseed repeats it."),
	UINT_ROW("fault_delay_every", IOB_PARAM_GROUP_ENGINE, 0, fault_delay_every, 1, UINT64_MAX,
		"1", "I/Os", "Delay each Nth request only."),
	UINT_ROW("fault_error_every", IOB_PARAM_GROUP_ENGINE, 0, fault_error_every, 0, UINT64_MAX,
		"0", "I/Os", "Let each Nth request fail, undone; 0 never does."),
	TEXT_ROW("fault_errno", IOB_PARAM_GROUP_ENGINE, 0, fault_errno, "EIO",
		"The error that fault_error_every gives, by name or number."),
	UINT_ROW("fault_short_every", IOB_PARAM_GROUP_ENGINE, 0, fault_short_every, 0, UINT64_MAX,
		"0", "I/Os",
		"Let each Nth read or write report half of what it moved; 0 never does."),
	UINT_ROW("fault_hang_at", IOB_PARAM_GROUP_ENGINE, 0, fault_hang_at, 0, UINT64_MAX, "0",
		"I/Os", "Never give the Nth request of each worker back; 0 gives all back."),
};

IOB_PARAM_ROWS(iob_param_fault, rows);
