/* SPDX-License-Identifier: MIT */
/* Rows that some engines have. */
#include "job/param_rows.h"

static const struct iob_param_choice nonvectored_choices[] = {
	{"auto", IOB_NONVECTORED_AUTO, "directly, where the kernel knows it"},
	{"0", IOB_NONVECTORED_OFF, "through a list of one piece"},
	{"1", IOB_NONVECTORED_ON, "directly"},
	{"-1", IOB_NONVECTORED_AUTO, "the same as auto"},
	{NULL, 0, NULL},
};

static const struct iob_param rows[] = {
	{
		.name = "hipri",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_BOOL,
		FIELD(hipri),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "Poll the device for completions instead of waiting for its interrupts. Wants "
			"direct I/O and a driver with poll queues.",
	},
	{
		.name = "uncached",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_BOOL,
		FIELD(uncached),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "Buffered I/O that leaves nothing in the page cache (RWF_DONTCACHE; Linux 6.14 "
			"and a file system that knows it).",
	},
	{
		.name = "nowait",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_BOOL,
		FIELD(nowait),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "Ask the kernel to refuse a request rather than to block in the call that "
			"submits it (RWF_NOWAIT); what was refused is tried again.",
	},
	{
		MORE_ROW("hipri_percentage", IOB_PARAM_GROUP_ENGINE, IOB_P_PERCENT, 0,
			hipri_percentage, 0, 100, "100", "%"),
		.help = "Share of the requests for which hipri holds.",
	},
	MORE_BOOL("thp", IOB_PARAM_GROUP_ENGINE, 0, thp, "0",
		"Ask the kernel to map the file with huge pages (madvise MADV_HUGEPAGE)."),
	MORE_BOOL("readfua", IOB_PARAM_GROUP_ENGINE, 0, readfua, "0",
		"Reads come from the medium, not from the device's cache (force unit access)."),
	MORE_BOOL("writefua", IOB_PARAM_GROUP_ENGINE, 0, writefua, "0",
		"Writes are on the medium before they come back (force unit access)."),
	{
		.name = "fixedbufs",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_BOOL,
		FIELD(fixedbufs),
		.max = 1,
		.initial = "1",
		.unit = "",
		.help = "Register the buffers with the kernel, which saves pinning them for each "
			"request; where `ulimit -l` is too small they stay unregistered, and the "
			"report says so.",
	},
	{
		.name = "registerfiles",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_BOOL,
		FIELD(registerfiles),
		.max = 1,
		.initial = "1",
		.unit = "",
		.help = "Register the files with the kernel, which saves looking them up for each "
			"request.",
	},
	{
		.name = "nonvectored",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_CHOICE,
		FIELD(nonvectored),
		.initial = "auto",
		.unit = "",
		.choices = nonvectored_choices,
		.help = "Whether requests name their buffer directly or through a list of one piece, "
			"as kernels before 5.6 want it; such a list does without registered buffers.",
	},
	{
		.name = "force_async",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_UINT,
		FIELD(force_async),
		.max = MOST_DEPTH,
		.initial = "0",
		.unit = "I/Os",
		.help = "Every N-th request goes to a thread of the kernel without a try to do it at "
			"once; 0 leaves the choice to the kernel.",
	},
	{
		.name = "sqthread_poll",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_BOOL,
		FIELD(sqthread_poll),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "A thread of the kernel looks for new requests, so that submitting takes no "
			"system call. Each worker has one, and it keeps a CPU busy.",
	},
	{
		.name = "sqthread_poll_cpu",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_UINT,
		FIELD(sqthread_poll_cpu),
		.max = IOB_NO_CPU,
		.initial = "65536",
		.unit = "",
		.help = "CPU on which the thread of sqthread_poll runs; 65536 leaves it to the "
			"kernel.",
	},
	{
		.name = "libaio_vectored",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_BOOL,
		FIELD(libaio_vectored),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "Requests name their buffer through a list of one piece (preadv, pwritev).",
	},
};

IOB_PARAM_ROWS(iob_param_engine, rows);
