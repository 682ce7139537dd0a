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
	BOOL_ROW("hipri", IOB_PARAM_GROUP_ENGINE, 0, hipri, "0",
		"Poll the device for completions instead of waiting for its interrupts. Wants "
		"direct I/O and a driver with poll queues."),
	BOOL_ROW("uncached", IOB_PARAM_GROUP_ENGINE, 0, uncached, "0",
		"Buffered I/O that leaves nothing in the page cache (RWF_DONTCACHE; Linux 6.14 "
		"and a file system that knows it)."),
	BOOL_ROW("nowait", IOB_PARAM_GROUP_ENGINE, 0, nowait, "0",
		"Ask the kernel to refuse a request rather than to block in the call that "
		"submits it (RWF_NOWAIT); what was refused is tried again."),
	PERCENT_ROW("hipri_percentage", IOB_PARAM_GROUP_ENGINE, 0, hipri_percentage, "100",
		"Share of the requests for which hipri holds."),
	BOOL_ROW("thp", IOB_PARAM_GROUP_ENGINE, 0, thp, "0",
		"Ask the kernel to map the file with huge pages (madvise MADV_HUGEPAGE)."),
	BOOL_ROW("readfua", IOB_PARAM_GROUP_ENGINE, 0, readfua, "0",
		"Reads come from the medium, not from the device's cache (force unit access)."),
	BOOL_ROW("writefua", IOB_PARAM_GROUP_ENGINE, 0, writefua, "0",
		"Writes are on the medium before they come back (force unit access)."),
	BOOL_ROW("fixedbufs", IOB_PARAM_GROUP_ENGINE, 0, fixedbufs, "1",
		"Register the buffers with the kernel, which saves pinning them for each "
		"request; where `ulimit -l` is too small they stay unregistered, and the "
		"report says so."),
	BOOL_ROW("registerfiles", IOB_PARAM_GROUP_ENGINE, 0, registerfiles, "1",
		"Register the files with the kernel, which saves looking them up for each "
		"request."),
	CHOICE_ROW("nonvectored", IOB_PARAM_GROUP_ENGINE, 0, nonvectored, "auto",
		nonvectored_choices,
		"Whether requests name their buffer directly or through a list of one piece, "
		"as kernels before 5.6 want it; such a list does without registered buffers."),
	UINT_ROW("force_async", IOB_PARAM_GROUP_ENGINE, 0, force_async, 0, MOST_DEPTH, "0", "I/Os",
		"Every N-th request goes to a thread of the kernel without a try to do it at "
		"once; 0 leaves the choice to the kernel."),
	BOOL_ROW("sqthread_poll", IOB_PARAM_GROUP_ENGINE, 0, sqthread_poll, "0",
		"A thread of the kernel looks for new requests, so that submitting takes no "
		"system call. Each worker has one, and it keeps a CPU busy."),
	UINT_ROW("sqthread_poll_cpu", IOB_PARAM_GROUP_ENGINE, 0, sqthread_poll_cpu, 0, IOB_NO_CPU,
		"65536", "",
		"CPU on which the thread of sqthread_poll runs; 65536 leaves it to the "
		"kernel."),
	BOOL_ROW("libaio_vectored", IOB_PARAM_GROUP_ENGINE, 0, libaio_vectored, "0",
		"Requests name their buffer through a list of one piece (preadv, pwritev)."),
};

IOB_PARAM_ROWS(iob_param_engine, rows);
