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
	UINT_ROW("rate", "job", IOB_PF_JOBFILE | IOB_PF_SPLIT, ctl.rate, 0, MOST_BYTES, "0",
		"bytes per second",
		"Bytes that each worker moves per second: a request waits for as long as those "
		"before it take at that rate. With commas: reads, writes, trims."),
	{
		.name = "stonewall",
		.aliases = "wait_for_previous",
		.group = "job",
		.type = IOB_P_BOOL,
		.flags = IOB_PF_JOBFILE,
		FIELD(ctl.stonewall),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "Start when all jobs before have ended, and report as a new group.",
	},
	BOOL_ROW("new_group", "job", IOB_PF_JOBFILE, ctl.new_group, "0", "Report as a new group."),
	TEXT_ROW("wait_for", "job", IOB_PF_JOBFILE, ctl.wait_for, "",
		"Start when the job of this name has ended."),
	TIME_ROW("startdelay", "job", IOB_PF_JOBFILE | IOB_PF_SPAN, ctl.startdelay_ns, MOST_RUNTIME,
		"0s",
		"How much later the job starts; a range such as 1-5 is drawn for each "
		"worker."),
	UINT_ROW("loops", "job", IOB_PF_JOBFILE, ctl.loops, 1, MOST_RATE, "1", "",
		"How often the job is done."),
	BOOL_ROW("exitall", "job", IOB_PF_JOBFILE, ctl.exitall, "0",
		"When this job ends, end the others, too."),
	CHOICE_ROW("exit_what", "job", IOB_PF_JOBFILE, ctl.exit_what, "group", exit_what_choices,
		"Which other jobs exitall and exitall_on_error end."),
	BOOL_ROW("exitall_on_error", "job", IOB_PF_JOBFILE, ctl.exitall_on_error, "0",
		"When this job fails, end the others, too."),
	TEXT_ROW("filename_format", "job", IOB_PF_JOBFILE, ctl.filename_format, "",
		"How the files of a job are called: text with $jobname, $jobnum, $filenum and "
		"$clientuid. Not given: $jobname.$jobnum.$filenum."),
	BOOL_ROW("unique_filename", "job", IOB_PF_JOBFILE | IOB_PF_NO_EFFECT, ctl.unique_filename,
		"1", "No effect: only jobs that come over a network need names of their own."),
	TEXT_ROW("opendir", "job", IOB_PF_JOBFILE, ctl.opendir, "",
		"Work on all files below this directory."),
};

IOB_PARAM_ROWS(iob_param_job, rows);
