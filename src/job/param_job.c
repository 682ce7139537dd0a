/* SPDX-License-Identifier: MIT */
/* Rows for job files: how jobs go together. */
#include "job/param_rows.h"

static const struct iob_param_choice exit_what_choices[] = {
	{"group", IOB_EXIT_WHAT_GROUP, "those of its group"},
	{"all", IOB_EXIT_WHAT_ALL, "all that run and all that wait"},
	{"stonewall", IOB_EXIT_WHAT_STONEWALL, "those up to the next stonewall"},
	{NULL, 0, NULL},
};

static const struct iob_param rows[] = {
	{
		.name = "rate",
		.group = "job",
		.type = IOB_P_UINT,
		.flags = IOB_PF_JOBFILE | IOB_PF_SPLIT,
		FIELD(ctl.rate),
		.max = MOST_BYTES,
		.initial = "0",
		.unit = "bytes per second",
		.help = "Bytes that each worker moves per second: a request waits for as long as those "
			"before it take at that rate. With commas: reads, writes, trims.",
	},
	JOB_BOOL("stonewall", "wait_for_previous", "job", stonewall, "0",
		"Start when all jobs before have ended, and report as a new group."),
	JOB_BOOL("new_group", NULL, "job", new_group, "0", "Report as a new group."),
	JOB_TEXT("wait_for", "job", wait_for, 0, "Start when the job of this name has ended."),
	{
		.name = "startdelay",
		.group = "job",
		.type = IOB_P_TIME,
		.flags = IOB_PF_JOBFILE | IOB_PF_SPAN,
		FIELD(ctl.startdelay_ns),
		.max = MOST_RUNTIME,
		.initial = "0s",
		.unit = "s",
		.help = "How much later the job starts; a range such as 1-5 is drawn for each "
			"worker.",
	},
	JOB_UINT("loops", "job", loops, 1, MOST_RATE, "1", "How often the job is done."),
	JOB_BOOL("exitall", NULL, "job", exitall, "0", "When this job ends, end the others, too."),
	JOB_CHOICE("exit_what", "job", exit_what, "group", exit_what_choices,
		"Which other jobs exitall and exitall_on_error end."),
	JOB_BOOL("exitall_on_error", NULL, "job", exitall_on_error, "0",
		"When this job fails, end the others, too."),
	JOB_TEXT("filename_format", "job", filename_format, 0,
		"How the files of a job are called: text with $jobname, $jobnum, $filenum and "
		"$clientuid. Not given: $jobname.$jobnum.$filenum."),
	{
		JOB_ROW("unique_filename", "job", unique_filename, IOB_PF_NO_EFFECT, "1",
			"No effect: only jobs that come over a network need names of their own."),
		.type = IOB_P_BOOL,
		.max = 1,
	},
	JOB_TEXT("opendir", "job", opendir, 0, "Work on all files below this directory."),
};

IOB_PARAM_ROWS(iob_param_job, rows);
