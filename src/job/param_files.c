/* SPDX-License-Identifier: MIT */
/* Rows: how files are made, taken in turn and left. */
#include "job/param_rows.h"

static const struct iob_param_choice service_choices[] = {
	{"roundrobin", IOB_SERVICE_ROUNDROBIN, "each in turn"},
	{"sequential", IOB_SERVICE_SEQUENTIAL, "the next when one is done"},
	{"random", IOB_SERVICE_RANDOM, "any"},
	{"zipf", IOB_SERVICE_ZIPF, "some more often: the k-th as often as 1/k^theta (:1.1)"},
	{"pareto", IOB_SERVICE_PARETO, "a share h of the files gets 1 - h of the requests (:0.2)"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice fallocate_choices[] = {
	{"native", IOB_FALLOCATE_NATIVE, "by fallocate, where the file system can"},
	{"none", IOB_FALLOCATE_NONE, "no space is set aside"},
	{"posix", IOB_FALLOCATE_POSIX, "by posix_fallocate"},
	{"keep", IOB_FALLOCATE_KEEP, "set aside without making the file longer"},
	{"truncate", IOB_FALLOCATE_TRUNCATE, "longer, with nothing set aside"},
	{"0", IOB_FALLOCATE_NONE, "the same as none"},
	{"1", IOB_FALLOCATE_POSIX, "the same as posix"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice fadvise_choices[] = {
	{"1", IOB_FADVISE_PATTERN, "random or sequential, as rw is"},
	{"0", IOB_FADVISE_NONE, "no hint"},
	{"sequential", IOB_FADVISE_SEQUENTIAL, "read ahead more"},
	{"random", IOB_FADVISE_RANDOM, "no reading ahead"},
	{"noreuse", IOB_FADVISE_NOREUSE, "used once"},
	{"none", IOB_FADVISE_NONE, "the same as 0"},
	{NULL, 0, NULL},
};

static enum iob_suffix service_suffix(uint32_t service)
{
	bool drawn = service == IOB_SERVICE_ZIPF || service == IOB_SERVICE_PARETO;

	return drawn ? IOB_SUFFIX_REAL : IOB_SUFFIX_COUNT;
}

static const struct iob_param rows[] = {
	{
		.name = "file_service_type",
		.group = "files",
		.type = IOB_P_CHOICE,
		FIELD(files.service),
		.initial = "roundrobin",
		.unit = "",
		.choices = service_choices,
		.later = "normal gauss",
		.suffix = offsetof(struct iob_job, files.service_requests),
		.suffix_of = service_suffix,
		.help = "Which of several files the next request goes to; roundrobin:4 changes after "
			"four.",
	},
	UINT_ROW("openfiles", "files", IOB_PF_NO_EFFECT, files.openfiles, 0, MOST_DEPTH, "0",
		"files", "No effect: all files are open all the time."),
	{
		.name = "filesize",
		.group = "files",
		.type = IOB_P_RANGE,
		.flags = IOB_PF_JOBFILE,
		FIELD(files.filesize),
		.min = 1,
		.max = MOST_BYTES,
		.initial = "",
		.unit = "bytes",
		.help = "How long each file is that is made; from a range a length is drawn for each. "
			"Not given: size, divided among the files.",
	},
	BOOL_ROW("create_serialize", "files", IOB_PF_NO_EFFECT, files.create_serialize, "1",
		"No effect: files are made one after the other before the start."),
	BOOL_ROW("create_fsync", "files", IOB_PF_COMPLEMENT, files.no_create_fsync, "1",
		"Sync files that were made before the start."),
	BOOL_ROW("create_on_open", "files", IOB_PF_NO_EFFECT, files.create_on_open, "0",
		"No effect: files are made before the start, so that making them is not measured."),
	BOOL_ROW("create_only", "files", 0, files.create_only, "0",
		"Make the files, and do no I/O."),
	BOOL_ROW("allow_file_create", "files", IOB_PF_COMPLEMENT, files.no_file_create, "1",
		"With 0 a file that does not exist is an error."),
	CHOICE_ROW("fallocate", "files", 0, files.fallocate, "native", fallocate_choices,
		"How space is set aside for a file that is made."),
	BOOL_ROW("overwrite", "files", IOB_PF_JOBFILE, files.overwrite, "0",
		"Fill a file that is made with data, also if the job only writes."),
	BOOL_ROW("unlink", "files", 0, files.unlink, "0",
		"Remove the files that this job made when it has ended, in `fio` those of earlier jobs of "
		"ours, too; never any other."),
	BOOL_ROW("unlink_each_loop", "files", IOB_PF_JOBFILE, files.unlink_each_loop, "0",
		"The same as unlink: loops go over the same files."),
	BOOL_ROW("pre_read", "files", 0, files.pre_read, "0",
		"Read the files into the page cache before the start; they are not dropped then."),
	CHOICE_ROW("fadvise_hint", "files", 0, files.fadvise, "0", fadvise_choices,
		"What the kernel is told of how files are read (posix_fadvise)."),
	BOOL_ROW("file_append", "files", IOB_PF_JOBFILE, files.file_append, "0",
		"Begin at the end of the file; it has to be one that may grow."),
};

IOB_PARAM_ROWS(iob_param_files, rows);
