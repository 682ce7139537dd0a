/* SPDX-License-Identifier: MIT */
#include "job/bssplit.h"
#include "job/param.h"
#include "job/sync_range.h"

#define FIELD(f)      .offset = offsetof(struct iob_job, f)
#define TEXT_FIELD(f) FIELD(f), .size = sizeof(((struct iob_job *)0)->f)
#define KILO          UINT64_C(1024)
#define GIB           (KILO * KILO * KILO)
#define SECOND        UINT64_C(1000000000)
#define MOST_RUNTIME  (1000000 * SECOND)
#define MOST_BLOCK    (4 * GIB - 512)       /* of 32 bits, whole sectors */
#define MOST_BYTES    ((uint64_t)INT64_MAX) /* of an offset */
#define MOST_DEPTH    65536
#define MOST_RATE     1000000000
#define MOST_FLUSH    1000000000

static const struct iob_param_choice rw_choices[] = {
	{"read", IOB_RW_READ, "one block after the other"},
	{"write", IOB_RW_WRITE, "one block after the other"},
	{"rw", IOB_RW_RW, "reads and writes, one block after the other"},
	{"readwrite", IOB_RW_RW, "the same as rw"},
	{"randread", IOB_RW_RANDREAD, "in random order"},
	{"randwrite", IOB_RW_RANDWRITE, "in random order"},
	{"randrw", IOB_RW_RANDRW, "reads and writes, in random order"},
	{"trim", IOB_RW_TRIM, "discards, one block after the other; of files holes are made"},
	{"randtrim", IOB_RW_RANDTRIM, "the same in random order"},
	{"trimwrite", IOB_RW_TRIMWRITE, "each block discarded, then written, one after the other"},
	{"randtrimwrite", IOB_RW_RANDTRIMWRITE, "the same in random order"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice sync_choices[] = {
	{"none", IOB_SYNC_NONE, "writes may stay in the device's cache"},
	{"sync", IOB_SYNC_SYNC,
		"O_SYNC: data and metadata are on the medium before a write returns"},
	{"dsync", IOB_SYNC_DSYNC, "O_DSYNC: data are on the medium before a write returns"},
	{"0", IOB_SYNC_NONE, "the same as none"},
	{"1", IOB_SYNC_SYNC, "the same as sync"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice rate_choices[] = {
	{"linear", IOB_RATE_LINEAR, "evenly spaced"},
	{"poisson", IOB_RATE_POISSON, "at random, as from many independent users"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice fault_on_choices[] = {
	{"all", IOB_FAULT_ON_ALL, "every request"},
	{"read", IOB_FAULT_ON_READ, "reads"},
	{"write", IOB_FAULT_ON_WRITE, "writes"},
	{"trim", IOB_FAULT_ON_TRIM, "trims"},
	{"sync", IOB_FAULT_ON_SYNC, "fsync and fdatasync"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice nonvectored_choices[] = {
	{"auto", IOB_NONVECTORED_AUTO, "directly, where the kernel knows it"},
	{"0", IOB_NONVECTORED_OFF, "through a list of one piece"},
	{"1", IOB_NONVECTORED_ON, "directly"},
	{"-1", IOB_NONVECTORED_AUTO, "the same as auto"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice continue_choices[] = {
	{"none", IOB_CONTINUE_NONE, "the first error ends the worker"},
	{"read", IOB_CONTINUE_READ, "failed reads are let pass"},
	{"write", IOB_CONTINUE_WRITE, "failed writes, trims and syncs are let pass"},
	{"io", IOB_CONTINUE_IO, "both"},
	{"verify", IOB_CONTINUE_VERIFY, "blocks with wrong content are let pass"},
	{"all", IOB_CONTINUE_ALL, "all of these"},
	{"0", IOB_CONTINUE_NONE, "the same as none"},
	{"1", IOB_CONTINUE_ALL, "the same as all"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice dedupe_choices[] = {
	{"repeat", IOB_DEDUPE_REPEAT, "a block repeats the one written before it"},
	{"working_set", IOB_DEDUPE_WORKING_SET, "a block repeats one of a fixed set"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice cpus_policy_choices[] = {
	{"shared", IOB_CPUS_SHARED, "each worker may run on all of them"},
	{"split", IOB_CPUS_SPLIT, "each worker has one of them, in turn"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice mem_choices[] = {
	{"malloc", IOB_MEM_PLAIN, "ordinary pages"},
	{"mmap", IOB_MEM_PLAIN, "the same as malloc"},
	{"shm", IOB_MEM_PLAIN, "the same as malloc: what is shared between processes is spared"},
	{"mmapshared", IOB_MEM_PLAIN, "the same as malloc"},
	{"mmaphuge", IOB_MEM_HUGE, "huge pages (vm.nr_hugepages)"},
	{"shmhuge", IOB_MEM_HUGE, "the same as mmaphuge"},
	{NULL, 0, NULL},
};

static enum iob_suffix rw_suffix(uint32_t rw)
{
	return iob_rw_is_random(rw) ? IOB_SUFFIX_COUNT : IOB_SUFFIX_BYTES;
}

static enum iob_suffix distribution_suffix(uint32_t distribution)
{
	return distribution == IOB_DIST_RANDOM ? IOB_SUFFIX_NONE : IOB_SUFFIX_REAL;
}

static enum iob_suffix service_suffix(uint32_t service)
{
	(void)service;
	return IOB_SUFFIX_COUNT;
}

static const struct iob_param_choice sequencer_choices[] = {
	{"sequential", IOB_RW_SEQUENTIAL, "one block after the other"},
	{"identical", IOB_RW_IDENTICAL, "the same block again"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice distribution_choices[] = {
	{"random", IOB_DIST_RANDOM, "each block as often as any other"},
	{"zipf", IOB_DIST_ZIPF, "the k-th most wanted block as often as 1/k^theta (:1.1)"},
	{"pareto", IOB_DIST_PARETO, "a share h of the blocks gets 1 - h of the requests (:0.2)"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice generator_choices[] = {
	{"tausworthe", IOB_GENERATOR_TAUSWORTHE, "accepted"},
	{"lfsr", IOB_GENERATOR_LFSR, "accepted"},
	{"tausworthe64", IOB_GENERATOR_TAUS64, "accepted"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice service_choices[] = {
	{"roundrobin", IOB_SERVICE_ROUNDROBIN, "each in turn"},
	{"sequential", IOB_SERVICE_SEQUENTIAL, "the next when one is done"},
	{"random", IOB_SERVICE_RANDOM, "any"},
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

/* Rows of struct iob_job_pattern and iob_job_files. */
#define MORE_ROW(name_, group_, type_, flags_, field_, min_, max_, initial_, unit_)                \
	.name = (name_), .group = (group_), .type = (type_), .flags = (flags_),                    \
	.offset = offsetof(struct iob_job, field_), .min = (min_), .max = (max_),                  \
	.initial = (initial_), .unit = (unit_)
#define MORE_BOOL(name_, group_, flags_, field_, initial_, help_)                                  \
	{                                                                                          \
		MORE_ROW(name_, group_, IOB_P_BOOL, flags_, field_, 0, 1, initial_, ""),           \
			.help = (help_)                                                            \
	}

/* Rows of struct iob_job_control. */
#define JOB_ROW(name_, group_, field_, flags_, initial_, help_)                                    \
	.name = (name_), .group = (group_), .flags = IOB_PF_JOBFILE | (flags_), FIELD(ctl.field_), \
	.initial = (initial_), .unit = "", .help = (help_)
#define JOB_BOOL(name_, aliases_, group_, field_, initial_, help_)                                 \
	{                                                                                          \
		JOB_ROW(name_, group_, field_, 0, initial_, help_),                                \
			.type = IOB_P_BOOL, .aliases = (aliases_), .max = 1                        \
	}
#define JOB_UINT(name_, group_, field_, min_, max_, initial_, help_)                               \
	{                                                                                          \
		JOB_ROW(name_, group_, field_, 0, initial_, help_), .type = IOB_P_UINT,            \
								    .min = (min_), .max = (max_)   \
	}
#define JOB_CHOICE(name_, group_, field_, initial_, choices_, help_)                               \
	{                                                                                          \
		JOB_ROW(name_, group_, field_, 0, initial_, help_), .type = IOB_P_CHOICE,          \
								    .choices = (choices_)          \
	}
#define JOB_TEXT(name_, group_, field_, flags_, help_)                                             \
	{                                                                                          \
		JOB_ROW(name_, group_, field_, flags_, "", help_),                                 \
			.type = IOB_P_TEXT, .size = sizeof(((struct iob_job *)0)->ctl.field_)      \
	}

static const struct iob_param_choice exit_what_choices[] = {
	{"group", IOB_EXIT_WHAT_GROUP, "those of its group"},
	{"all", IOB_EXIT_WHAT_ALL, "all that run and all that wait"},
	{"stonewall", IOB_EXIT_WHAT_STONEWALL, "those up to the next stonewall"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice kb_base_choices[] = {
	{"1024", 1024, "KiB, MiB, GiB"},
	{"1000", 1000, "kB, MB, GB"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice unit_base_choices[] = {
	{"0", 0, "as it comes"},
	{"8", 8, "bytes"},
	{"1", 1, "bits"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice unified_choices[] = {
	{"none", IOB_UNIFIED_NONE, "each for itself"},
	{"mixed", IOB_UNIFIED_MIXED, "the sum alone"},
	{"both", IOB_UNIFIED_BOTH, "each, and the sum"},
	{"0", IOB_UNIFIED_NONE, "the same as none"},
	{"1", IOB_UNIFIED_MIXED, "the same as mixed"},
	{"2", IOB_UNIFIED_BOTH, "the same as both"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice log_value_choices[] = {
	{"avg", IOB_LOG_VALUE_AVG, "the mean"},
	{"max", IOB_LOG_VALUE_MAX, "the largest value"},
	{"both", IOB_LOG_VALUE_BOTH, "the mean and the largest value"},
	{"0", IOB_LOG_VALUE_AVG, "the same as avg"},
	{"1", IOB_LOG_VALUE_MAX, "the same as max"},
	{"2", IOB_LOG_VALUE_BOTH, "the same as both"},
	{NULL, 0, NULL},
};

const struct iob_param iob_params[] = {
	/* what */
	{
		.name = "name",
		.group = "what",
		.type = IOB_P_TEXT,
		TEXT_FIELD(name),
		.initial = "job",
		.unit = "",
		.help = "What the stage is called in reports.",
	},
	{
		.name = "rw",
		.aliases = "readwrite",
		.group = "what",
		.type = IOB_P_CHOICE,
		.flags = IOB_PF_LIVE | IOB_PF_COMMON,
		FIELD(rw),
		.initial = "randread",
		.unit = "",
		.choices = rw_choices,
		.suffix = offsetof(struct iob_job, pattern.rw_suffix),
		.suffix_of = rw_suffix,
		.help = "Direction of the requests, and whether they go in order or at random. With "
			"randread:8 eight in a row from each random start; with read:4k 4k are left "
			"out after each request, read:-8k goes backwards.",
	},
	{
		.name = "rwmixread",
		.group = "what",
		.type = IOB_P_PERCENT,
		.flags = IOB_PF_LIVE | IOB_PF_COMMON,
		FIELD(rwmixread),
		.min = 0,
		.max = 100,
		.initial = "50",
		.unit = "%",
		.help = "Share of reads in a mixed job (rw=rw or rw=randrw); unused otherwise.",
	},
	{
		.name = "rwmixwrite",
		.group = "what",
		.type = IOB_P_PERCENT,
		.flags = IOB_PF_LIVE | IOB_PF_COMPLEMENT,
		FIELD(rwmixread),
		.min = 0,
		.max = 100,
		.initial = "50",
		.unit = "%",
		.help = "Share of writes in a mixed job: 100 less rwmixread; the later of both "
			"counts.",
	},
	{
		.name = "bs",
		.aliases = "blocksize",
		.group = "what",
		.type = IOB_P_RANGE,
		.flags = IOB_PF_LIVE | IOB_PF_SPLIT | IOB_PF_COMMON,
		FIELD(bs),
		.min = 1,
		.max = MOST_BLOCK,
		.initial = "4k",
		.unit = "bytes",
		.settle = iob_bssplit_settle,
		.help = "Length of each request; a range such as 4k-64k varies it. With commas: for "
			"reads, writes, trims. Direct I/O wants a multiple of the device's logical block.",
	},
	{
		.name = "bsrange",
		.aliases = "blocksize_range",
		.group = "what",
		.type = IOB_P_RANGE,
		.flags = IOB_PF_LIVE | IOB_PF_SPLIT,
		FIELD(bs),
		.min = 1,
		.max = MOST_BLOCK,
		.initial = "4k",
		.unit = "bytes",
		.settle = iob_bssplit_settle,
		.help = "Shortest and longest request, such as 512-2048. Sets the same value as bs; the "
			"later of both counts.",
	},
	{
		.name = "norandommap",
		.group = "what",
		.type = IOB_P_BOOL,
		FIELD(norandommap),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "Draw random blocks with replacement, instead of each block once per pass.",
	},
	{
		.name = "randrepeat",
		.group = "what",
		.type = IOB_P_BOOL,
		FIELD(randrepeat),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "Use the same random sequence in every run. Off by default, so that no cache "
			"remembers the last run.",
	},
	{
		.name = "randseed",
		.group = "what",
		.type = IOB_P_UINT,
		FIELD(randseed),
		.max = UINT64_MAX,
		.initial = "0",
		.unit = "",
		.help = "Seed of the random sequence, to repeat a run exactly; 0 takes a fresh one. "
			"Every report names the seed.",
	},
	{
		MORE_ROW("rw_sequencer", "what", IOB_P_CHOICE, 0, pattern.rw_sequencer, 0, 0,
			"sequential", ""),
		.choices = sequencer_choices,
		.help = "Where the requests of randread:8 after the first of the eight go.",
	},
	{
		MORE_ROW("bssplit", "what", IOB_P_TEXT, 0, pattern.bssplit, 0, 0, "", ""),
		.size = IOB_BSSPLIT_TEXT,
		.check = iob_bssplit_check,
		.settle = iob_bssplit_settle,
		.help = "How often each size is drawn, in per cent: 4k/10:64k/50:32k/40; without a "
			"share they divide the rest. With commas: reads, writes, trims. Goes before bs.",
	},
	{
		MORE_ROW("blockalign", "what", IOB_P_BYTES, IOB_PF_SPLIT, pattern.blockalign, 0,
			GIB, "0", "bytes"),
		.aliases = "ba",
		.help = "What random offsets are multiples of; 0 = the smallest size of bs.",
	},
	MORE_BOOL("bs_unaligned", "what", 0, pattern.bs_unaligned, "0",
		"Draw any length within the range of bs, not multiples of the smallest alone."),
	MORE_BOOL("bs_is_seq_rand", "what", 0, pattern.bs_is_seq_rand, "0",
		"The sizes of bs for reads and writes are those of sequential and random requests."),
	{
		MORE_ROW("percentage_random", "what", IOB_P_UINT, IOB_PF_SPLIT | IOB_PF_COMPLEMENT,
			pattern.percentage_sequential, 0, 100, "100", "%"),
		.help = "Of a random job: the share of requests that go to a random place; the others "
			"follow the one before. With commas: reads, writes, trims.",
	},
	{
		MORE_ROW("random_distribution", "what", IOB_P_CHOICE, 0,
			pattern.random_distribution, 0, 0, "random", ""),
		.choices = distribution_choices,
		.later = "normal zoned zoned_abs sequence",
		.suffix = offsetof(struct iob_job, pattern.distribution_micro),
		.suffix_of = distribution_suffix,
		.help = "How often each block is asked for. All but random draw with replacement; the "
			"wanted blocks are scattered over the target.",
	},
	{
		MORE_ROW("random_generator", "what", IOB_P_CHOICE, IOB_PF_NO_EFFECT,
			pattern.random_generator, 0, 0, "tausworthe", ""),
		.choices = generator_choices,
		.help = "No effect: the order of the blocks is a permutation that needs no memory.",
	},
	MORE_BOOL("softrandommap", "what", IOB_PF_NO_EFFECT, pattern.softrandommap, "0",
		"No effect: there is no map that memory could be too short for."),
	MORE_BOOL("allrandrepeat", "what", 0, pattern.allrandrepeat, "0",
		"The same as randrepeat: all that is drawn is repeated together."),
	/* where */
	{
		.name = "filename",
		.group = "where",
		.type = IOB_P_TEXT,
		TEXT_FIELD(filename),
		.initial = "",
		.unit = "",
		.help = "File or block device to work on; the same as TARGET.",
	},
	{
		.name = "directory",
		.group = "where",
		.type = IOB_P_TEXT,
		TEXT_FIELD(directory),
		.initial = "",
		.unit = "",
		.help = "Make scratch files in this directory and remove them afterwards.",
	},
	{
		.name = "nrfiles",
		.aliases = "nr_files",
		.group = "where",
		.type = IOB_P_UINT,
		FIELD(nrfiles),
		.min = 1,
		.max = 1024,
		.initial = "1",
		.unit = "files",
		.help = "Number of scratch files that the size is divided among.",
	},
	{
		.name = "size",
		.group = "where",
		.type = IOB_P_AMOUNT,
		.flags = IOB_PF_COMMON,
		FIELD(size),
		.min = 1,
		.max = MOST_BYTES,
		.initial = "",
		.unit = "bytes",
		.help = "How much of the target is used, in bytes or per cent. Not given: all of it; a "
			"scratch file has 1 GiB.",
	},
	{
		.name = "offset",
		.aliases = "fileoffset",
		.group = "where",
		.type = IOB_P_AMOUNT,
		FIELD(offset),
		.max = MOST_BYTES,
		.initial = "",
		.unit = "bytes",
		.help = "Where the used part of the target begins, in bytes or per cent.",
	},
	{
		.name = "ioscheduler",
		.group = "where",
		.type = IOB_P_TEXT,
		TEXT_FIELD(ioscheduler),
		.initial = "",
		.unit = "",
		.help = "Scheduler of the disk during the run, restored afterwards (needs root). The "
			"old names noop, deadline and cfq stand for none, mq-deadline and bfq.",
	},
	{
		MORE_ROW("offset_increment", "where", IOB_P_AMOUNT, 0, pattern.offset_increment, 0,
			MOST_BYTES, "", "bytes"),
		.help = "Each worker begins so much later than the one before, in bytes or per cent, "
			"and covers size from there; the parts may overlap.",
	},
	{
		MORE_ROW("offset_align", "where", IOB_P_BYTES, 0, pattern.offset_align, 0, GIB, "0",
			"bytes"),
		.help = "What an offset in per cent is rounded up to; 0 = the smallest size of bs.",
	},
	/* files */
	{
		MORE_ROW("file_service_type", "files", IOB_P_CHOICE, 0, files.service, 0, 0,
			"roundrobin", ""),
		.choices = service_choices,
		.later = "zipf pareto normal",
		.suffix = offsetof(struct iob_job, files.service_requests),
		.suffix_of = service_suffix,
		.help = "Which of several files the next request goes to; roundrobin:4 changes after "
			"four.",
	},
	{
		MORE_ROW("openfiles", "files", IOB_P_UINT, IOB_PF_NO_EFFECT, files.openfiles, 0,
			MOST_DEPTH, "0", "files"),
		.help = "No effect: all files are open all the time.",
	},
	{
		MORE_ROW("filesize", "files", IOB_P_RANGE, IOB_PF_JOBFILE, files.filesize, 1,
			MOST_BYTES, "", "bytes"),
		.help = "How long each file is that is made; from a range a length is drawn for each. "
			"Not given: size, divided among the files.",
	},
	MORE_BOOL("create_serialize", "files", IOB_PF_NO_EFFECT, files.create_serialize, "1",
		"No effect: files are made one after the other before the start."),
	MORE_BOOL("create_fsync", "files", IOB_PF_COMPLEMENT, files.no_create_fsync, "1",
		"Sync files that were made before the start."),
	MORE_BOOL("create_on_open", "files", IOB_PF_NO_EFFECT, files.create_on_open, "0",
		"No effect: files are made before the start, so that making them is not measured."),
	MORE_BOOL("create_only", "files", 0, files.create_only, "0",
		"Make the files, and do no I/O."),
	MORE_BOOL("allow_file_create", "files", IOB_PF_COMPLEMENT, files.no_file_create, "1",
		"With 0 a file that does not exist is an error."),
	{
		MORE_ROW(
			"fallocate", "files", IOB_P_CHOICE, 0, files.fallocate, 0, 0, "native", ""),
		.choices = fallocate_choices,
		.help = "How space is set aside for a file that is made.",
	},
	MORE_BOOL("overwrite", "files", IOB_PF_JOBFILE, files.overwrite, "0",
		"Fill a file that is made with data, also if the job only writes."),
	MORE_BOOL("unlink", "files", 0, files.unlink, "0",
		"Remove the files that this job made when it has ended; never any other."),
	MORE_BOOL("unlink_each_loop", "files", IOB_PF_JOBFILE, files.unlink_each_loop, "0",
		"The same as unlink: loops go over the same files."),
	MORE_BOOL("pre_read", "files", 0, files.pre_read, "0",
		"Read the files into the page cache before the start; they are not dropped then."),
	{
		MORE_ROW("fadvise_hint", "files", IOB_P_CHOICE, 0, files.fadvise, 0, 0, "0", ""),
		.choices = fadvise_choices,
		.help = "What the kernel is told of how files are read (posix_fadvise).",
	},
	MORE_BOOL("file_append", "files", IOB_PF_JOBFILE, files.file_append, "0",
		"Begin at the end of the file; it has to be one that may grow."),
	/* how */
	{
		.name = "ioengine",
		.group = "how",
		.type = IOB_P_TEXT,
		.flags = IOB_PF_COMMON,
		TEXT_FIELD(ioengine),
		.initial = "io_uring",
		.unit = "",
		.help = "How requests reach the kernel; \"iotop-bench engines\" lists the ways.",
	},
	{
		.name = "iodepth",
		.group = "how",
		.type = IOB_P_UINT,
		.flags = IOB_PF_LIVE | IOB_PF_COMMON,
		FIELD(iodepth),
		.min = 1,
		.max = MOST_DEPTH,
		.initial = "1",
		.unit = "I/Os",
		.help = "Requests that each worker keeps in flight. Synchronous engines have one.",
	},
	{
		.name = "iodepth_batch",
		.aliases = "iodepth_batch_submit",
		.group = "how",
		.type = IOB_P_UINT,
		FIELD(iodepth_batch),
		.max = MOST_DEPTH,
		.initial = "0",
		.unit = "I/Os",
		.help = "Most requests submitted at once; 0 = groups of 8, larger where requests "
			"complete at once.",
	},
	{
		.name = "iodepth_batch_complete",
		.aliases = "iodepth_batch_complete_min",
		.group = "how",
		.type = IOB_P_UINT,
		FIELD(iodepth_batch_complete),
		.max = MOST_DEPTH,
		.initial = "1",
		.unit = "I/Os",
		.help = "Fewest completions to wait for at once; 0 never waits and keeps a CPU "
			"busy.",
	},
	{
		.name = "rate_iops",
		.group = "how",
		.type = IOB_P_UINT,
		.flags = IOB_PF_LIVE | IOB_PF_SPLIT,
		FIELD(rate_iops),
		.max = MOST_RATE,
		.initial = "0",
		.unit = "I/Os per second",
		.help = "Requests that each worker starts per second, at times set beforehand; latency "
			"is then counted from these times, too. 0 goes as fast as iodepth allows. With "
			"commas: reads, writes, trims; in a mixed job the rates make the mix.",
	},
	{
		.name = "rate_process",
		.group = "how",
		.type = IOB_P_CHOICE,
		FIELD(rate_process),
		.initial = "linear",
		.unit = "",
		.choices = rate_choices,
		.help = "How the requests of rate_iops are spread over time.",
	},
	{
		.name = "numjobs",
		.group = "how",
		.type = IOB_P_UINT,
		.flags = IOB_PF_LIVE | IOB_PF_COMMON | IOB_PF_ONES,
		FIELD(numjobs),
		.min = 1,
		.max = 512,
		.initial = "1",
		.unit = "workers",
		.help = "Workers (threads) that do the same at the same time, on parts of their "
			"own.",
	},
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
		.name = "cpus_allowed",
		.group = "how",
		.type = IOB_P_TEXT,
		TEXT_FIELD(cpus_allowed),
		.initial = "",
		.unit = "",
		.help = "CPUs that the workers may run on, such as 0-3,8.",
	},
	{
		.name = "continue_on_error",
		.group = "how",
		.type = IOB_P_CHOICE,
		FIELD(continue_on_error),
		.initial = "none",
		.unit = "",
		.choices = continue_choices,
		.help = "Which failed requests are counted and let pass; otherwise the first one "
			"ends its worker. The run has failed in either case, and its report says "
			"what and where.",
	},
	{
		.name = "ignore_error",
		.group = "how",
		.type = IOB_P_TEXT,
		TEXT_FIELD(ignore_error),
		.initial = "",
		.unit = "",
		.help = "Errors that are let pass and do not make the run fail, by name or "
			"number: for reads, writes and verification, separated by commas, several "
			"by colons, such as EAGAIN,ENOSPC:EIO.",
	},
	{
		.name = "error_dump",
		.group = "how",
		.type = IOB_P_BOOL,
		.flags = IOB_PF_NO_EFFECT,
		FIELD(error_dump),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "Accepted as fio has it: the first failed requests are always reported.",
	},
	{
		.name = "iodepth_batch_complete_max",
		.group = "how",
		.type = IOB_P_UINT,
		FIELD(iodepth_batch_complete_max),
		.max = MOST_DEPTH,
		.initial = "0",
		.unit = "I/Os",
		.help = "Most completions to take back at once in a job of fio; 0 = as many as "
			"iodepth_batch_complete asks for. Elsewhere all that is there is taken.",
	},
	{
		.name = "iodepth_low",
		.group = "how",
		.type = IOB_P_UINT,
		FIELD(iodepth_low),
		.max = MOST_DEPTH,
		.initial = "0",
		.unit = "I/Os",
		.help = "In a job of fio: drain a full queue down to so many before it is filled "
			"again; 0 = iodepth, which refills it at once.",
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
		.name = "nice",
		.group = "how",
		.type = IOB_P_TEXT,
		TEXT_FIELD(nice),
		.initial = "",
		.unit = "",
		.help = "Nice value of the workers, -20 to 19; below 0 for root only.",
	},
	{
		.name = "prioclass",
		.group = "how",
		.type = IOB_P_UINT,
		FIELD(prioclass),
		.max = 3,
		.initial = "0",
		.unit = "",
		.help = "Class of the I/O priority: 1 real time (root), 2 best effort, 3 idle; 0 "
			"leaves it.",
	},
	{
		.name = "prio",
		.group = "how",
		.type = IOB_P_UINT,
		FIELD(prio),
		.max = 7,
		.initial = "0",
		.unit = "",
		.help = "I/O priority within its class, 0 (highest) to 7.",
	},
	{
		.name = "cpus_allowed_policy",
		.group = "how",
		.type = IOB_P_CHOICE,
		FIELD(cpus_policy),
		.initial = "shared",
		.unit = "",
		.choices = cpus_policy_choices,
		.help = "How workers share the CPUs of cpus_allowed.",
	},
	{
		.name = "numa_cpu_nodes",
		.group = "how",
		.type = IOB_P_TEXT,
		TEXT_FIELD(numa_cpu_nodes),
		.initial = "",
		.unit = "",
		.help = "Run on the CPUs of these NUMA nodes, such as 0-1.",
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
	/* when */
	{
		.name = "runtime",
		.aliases = "timeout",
		.group = "when",
		.type = IOB_P_TIME,
		.flags = IOB_PF_COMMON,
		FIELD(runtime_ns),
		.max = MOST_RUNTIME,
		.initial = "30s",
		.unit = "s",
		.help = "How long to measure; 0 has no limit.",
	},
	{
		.name = "time_based",
		.group = "when",
		.type = IOB_P_BOOL,
		FIELD(time_based),
		.max = 1,
		.initial = "1",
		.unit = "",
		.help = "Start again at the end of the region until runtime is over; 0 ends there.",
	},
	{
		.name = "ramp_time",
		.group = "when",
		.type = IOB_P_TIME,
		.flags = IOB_PF_COMMON,
		FIELD(ramp_time_ns),
		.max = MOST_RUNTIME,
		.initial = "0s",
		.unit = "s",
		.help = "How long to run before the measuring starts.",
	},
	{
		.name = "io_size",
		.aliases = "io_limit",
		.group = "when",
		.type = IOB_P_AMOUNT,
		FIELD(io_size),
		.min = 1,
		.max = MOST_BYTES,
		.initial = "",
		.unit = "bytes",
		.help = "How much each worker transfers when time_based=0, in bytes or per cent of "
			"size. Not given: size.",
	},
	{
		.name = "number_ios",
		.group = "when",
		.type = IOB_P_UINT,
		FIELD(number_ios),
		.max = UINT64_MAX,
		.initial = "0",
		.unit = "I/Os",
		.help = "Stop each worker after so many requests; 0 has no limit.",
	},
	/* memory */
	{
		.name = "lockmem",
		.group = "memory",
		.type = IOB_P_BYTES,
		FIELD(lockmem),
		.max = KILO * GIB,
		.initial = "0",
		.unit = "bytes",
		.help = "Memory that each worker pins, so that less is left for the page cache.",
	},
	{
		.name = "zero_buffers",
		.group = "memory",
		.type = IOB_P_BOOL,
		FIELD(zero_buffers),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "Write zeros instead of random data. Devices that compress look faster "
			"then.",
	},
	{
		.name = "scramble_buffers",
		.group = "memory",
		.type = IOB_P_BOOL,
		FIELD(scramble_buffers),
		.max = 1,
		.initial = "1",
		.unit = "",
		.help = "Stamp each block before it is written so that no two are equal; costs a "
			"cache line for each 512 bytes.",
	},
	{
		.name = "refill_buffers",
		.group = "memory",
		.type = IOB_P_BOOL,
		FIELD(refill_buffers),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "New random content for each block written, not only at the start.",
	},
	{
		.name = "buffer_pattern",
		.group = "memory",
		.type = IOB_P_TEXT,
		TEXT_FIELD(buffer_pattern),
		.initial = "",
		.unit = "",
		.help = "Content of the blocks: a number such as 0xdeadbeef or -9, a text in "
			"double quotes, a file in single quotes, or several of them; repeated "
			"over the block.",
	},
	{
		.name = "buffer_compress_percentage",
		.group = "memory",
		.type = IOB_P_PERCENT,
		FIELD(buffer_compress_percentage),
		.min = 0,
		.max = 100,
		.initial = "0",
		.unit = "%",
		.help = "So much of each buffer_compress_chunk is zeros (or buffer_pattern), the "
			"rest random; a device that compresses then has less to store.",
	},
	{
		.name = "buffer_compress_chunk",
		.group = "memory",
		.type = IOB_P_BYTES,
		FIELD(buffer_compress_chunk),
		.max = GIB,
		.initial = "512",
		.unit = "bytes",
		.help = "Over what length buffer_compress_percentage holds; 0 = the whole block.",
	},
	{
		.name = "dedupe_percentage",
		.group = "memory",
		.type = IOB_P_PERCENT,
		FIELD(dedupe_percentage),
		.min = 0,
		.max = 100,
		.initial = "0",
		.unit = "%",
		.help = "So many of the blocks written repeat another one.",
	},
	{
		.name = "dedupe_mode",
		.group = "memory",
		.type = IOB_P_CHOICE,
		FIELD(dedupe_mode),
		.initial = "repeat",
		.unit = "",
		.choices = dedupe_choices,
		.help = "Which block a block of dedupe_percentage repeats.",
	},
	{
		.name = "dedupe_working_set_percentage",
		.group = "memory",
		.type = IOB_P_PERCENT,
		FIELD(dedupe_working_set_percentage),
		.min = 0,
		.max = 100,
		.initial = "5",
		.unit = "%",
		.help = "Size of the set of dedupe_mode=working_set, in blocks of the worker's "
			"region.",
	},
	{
		.name = "mem",
		.aliases = "iomem",
		.group = "memory",
		.type = IOB_P_CHOICE,
		FIELD(mem),
		.initial = "malloc",
		.unit = "",
		.choices = mem_choices,
		.help = "What the buffers lie in.",
	},
	{
		.name = "numa_mem_policy",
		.group = "memory",
		.type = IOB_P_TEXT,
		TEXT_FIELD(numa_mem_policy),
		.initial = "",
		.unit = "",
		.help = "Where the memory of a worker comes from: default, local, prefer:NODE, "
			"bind:NODES or interleave:NODES.",
	},
	/* engine */
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
		.name = "fault_engine",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_TEXT,
		TEXT_FIELD(fault_engine),
		.initial = "null",
		.unit = "",
		.help = "Which engine the engine fault spoils.",
	},
	{
		.name = "fault_on",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_CHOICE,
		FIELD(fault_on),
		.initial = "all",
		.unit = "",
		.choices = fault_on_choices,
		.help = "Which requests the engine fault looks at and counts; each worker counts for "
			"itself.",
	},
	{
		.name = "fault_offset",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_BYTES,
		FIELD(fault_offset),
		.max = MOST_BYTES,
		.initial = "0",
		.unit = "bytes",
		.help = "Where in the target the bad range of the engine fault begins.",
	},
	{
		.name = "fault_size",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_BYTES,
		FIELD(fault_size),
		.max = MOST_BYTES,
		.initial = "0",
		.unit = "bytes",
		.help = "How long the bad range of the engine fault is; 0 goes to the end.",
	},
	{
		.name = "fault_delay",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_TIME,
		FIELD(fault_delay_ns),
		.max = 3600 * SECOND,
		.initial = "0s",
		.unit = "s",
		.help = "How much later requests of the engine fault come back.",
	},
	{
		.name = "fault_delay_random",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_TIME,
		FIELD(fault_delay_random_ns),
		.max = 3600 * SECOND,
		.initial = "0s",
		.unit = "s",
		.help = "Up to so much is added to fault_delay, evenly drawn; randseed repeats it.",
	},
	{
		.name = "fault_delay_every",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_UINT,
		FIELD(fault_delay_every),
		.min = 1,
		.max = UINT64_MAX,
		.initial = "1",
		.unit = "I/Os",
		.help = "Delay each Nth request only.",
	},
	{
		.name = "fault_error_every",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_UINT,
		FIELD(fault_error_every),
		.max = UINT64_MAX,
		.initial = "0",
		.unit = "I/Os",
		.help = "Let each Nth request fail, undone; 0 never does.",
	},
	{
		.name = "fault_errno",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_TEXT,
		TEXT_FIELD(fault_errno),
		.initial = "EIO",
		.unit = "",
		.help = "The error that fault_error_every gives, by name or number.",
	},
	{
		.name = "fault_short_every",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_UINT,
		FIELD(fault_short_every),
		.max = UINT64_MAX,
		.initial = "0",
		.unit = "I/Os",
		.help = "Let each Nth read or write report half of what it moved; 0 never does.",
	},
	{
		.name = "fault_hang_at",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_UINT,
		FIELD(fault_hang_at),
		.max = UINT64_MAX,
		.initial = "0",
		.unit = "I/Os",
		.help = "Never give the Nth request of each worker back; 0 gives all back.",
	},
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
	/* job */
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
	JOB_BOOL("unique_filename", NULL, "job", unique_filename, "1",
		"No effect: only jobs that come over a network need names of their own."),
	JOB_TEXT("opendir", "job", opendir, 0, "Work on all files below this directory."),
	/* report */
	JOB_TEXT("description", "report", description, 0, "Words on the job for the report."),
	JOB_CHOICE("kb_base", "report", kb_base, "1024", kb_base_choices,
		"Which units the report names first."),
	JOB_CHOICE("unit_base", "report", unit_base, "0", unit_base_choices,
		"Whether the report counts bytes or bits per second."),
	JOB_UINT("significant_figures", "report", significant_figures, 1, 10, "4",
		"Digits of the figures in the report."),
	JOB_CHOICE("unified_rw_reporting", "report", unified_rw_reporting, "none", unified_choices,
		"Whether the report adds up reads, writes and trims."),
	JOB_TEXT("percentile_list", "report", percentile_list, 0,
		"Percentiles of the report, at most 20, with colons: 50:99:99.9."),
	JOB_BOOL("clat_percentiles", NULL, "report", clat_percentiles, "1",
		"Report percentiles from submission to completion."),
	JOB_BOOL("lat_percentiles", NULL, "report", lat_percentiles, "0",
		"Report percentiles of the whole latency."),
	JOB_BOOL("slat_percentiles", NULL, "report", slat_percentiles, "0",
		"Report percentiles of the time that submission takes."),
	JOB_BOOL("disable_lat", NULL, "report", disable_lat, "0",
		"Leave the whole latency out of the report."),
	JOB_BOOL("disable_clat", NULL, "report", disable_clat, "0",
		"Leave the time from submission to completion out of the report."),
	JOB_BOOL("disable_slat", NULL, "report", disable_slat, "0",
		"Leave the time that submission takes out of the report."),
	JOB_BOOL("disable_bw_measurement", "disable_bw", "report", disable_bw, "0",
		"Leave the samples of bandwidth out of the report."),
	JOB_BOOL("disk_util", NULL, "report", disk_util, "1",
		"Report the counters of the disks below."),
	JOB_BOOL("stats", NULL, "report", stats, "1", "Report the job at all."),
	JOB_UINT("bwavgtime", "report", bwavgtime_ms, 1, MOST_RATE, "500",
		"Milliseconds over which samples of bandwidth are taken."),
	JOB_UINT("iopsavgtime", "report", iopsavgtime_ms, 1, MOST_RATE, "500",
		"Milliseconds over which samples of IOPS are taken."),
	/* log */
	JOB_TEXT("write_bw_log", "log", write_bw_log, IOB_PF_BARE,
		"Write a log of bandwidth; the value begins the name of the file."),
	JOB_TEXT("write_lat_log", "log", write_lat_log, IOB_PF_BARE,
		"Write logs of latencies; the value begins the names of the files."),
	JOB_TEXT("write_iops_log", "log", write_iops_log, IOB_PF_BARE,
		"Write a log of IOPS; the value begins the name of the file."),
	JOB_TEXT("write_hist_log", "log", write_hist_log, IOB_PF_BARE,
		"Write a log of latency histograms; the value begins the name of the file."),
	JOB_UINT("log_avg_msec", "log", log_avg_msec, 0, MOST_RATE, "0",
		"Milliseconds that a line of the logs stands for; 0 = each request has a line."),
	JOB_UINT("log_hist_msec", "log", log_hist_msec, 0, MOST_RATE, "0",
		"Milliseconds that a line of the histogram log stands for."),
	JOB_UINT("log_hist_coarseness", "log", log_hist_coarseness, 0, 6, "0",
		"How often the number of bins of the histogram log is halved."),
	JOB_CHOICE("log_window_value", "log", log_window_value, "avg", log_value_choices,
		"What a line of the logs says of its time."),
	JOB_CHOICE("log_max_value", "log", log_window_value, "avg", log_value_choices,
		"The older name of log_window_value: 1 = the largest value."),
	JOB_BOOL("log_offset", NULL, "log", log_offset, "0", "Log the offset of each request."),
	JOB_BOOL("log_prio", NULL, "log", log_prio, "0", "Log the priority of each request."),
	JOB_BOOL("per_job_logs", NULL, "log", per_job_logs, "1",
		"One log for each worker instead of one for all of a job."),
	JOB_BOOL("log_unix_epoch", NULL, "log", log_alternate_epoch, "0",
		"Log the time of day instead of the time since the start."),
	JOB_BOOL("log_alternate_epoch", NULL, "log", log_alternate_epoch, "0",
		"Log times by the clock log_alternate_epoch_clock_id."),
	JOB_UINT("log_alternate_epoch_clock_id", "log", log_alternate_epoch_clock_id, 0, 11, "0",
		"Number of the kernel's clock that log_alternate_epoch takes."),
	/* compatibility */
	{
		.name = "thread",
		.aliases = "threads",
		.group = "compatibility",
		.type = IOB_P_BOOL,
		.flags = IOB_PF_NO_EFFECT,
		FIELD(thread),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "No effect: workers are always threads.",
	},
	{
		.name = "group_reporting",
		.group = "compatibility",
		.type = IOB_P_BOOL,
		.flags = IOB_PF_NO_EFFECT,
		FIELD(group_reporting),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "One report for all workers of a group (fio); no effect elsewhere: reports "
			"always sum up all workers of a stage.",
	},
	{
		.name = "gtod_reduce",
		.group = "compatibility",
		.type = IOB_P_BOOL,
		.flags = IOB_PF_NO_EFFECT,
		FIELD(gtod_reduce),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "Leave latencies out of the report (fio); no effect elsewhere: full "
			"statistics cost too little to be worth leaving out.",
	},
};

const size_t iob_nparams = sizeof(iob_params) / sizeof(iob_params[0]);

_Static_assert(
	sizeof(iob_params) / sizeof(iob_params[0]) <= 8 * sizeof(((struct iob_job *)0)->given),
	"each row has its bit in iob_job.given");
