/* SPDX-License-Identifier: MIT */
/* Rows: what the requests are. */
#include "job/bssplit.h"
#include "job/param_rows.h"

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

static enum iob_suffix rw_suffix(uint32_t rw)
{
	return iob_rw_is_random(rw) ? IOB_SUFFIX_COUNT : IOB_SUFFIX_BYTES;
}

static enum iob_suffix distribution_suffix(uint32_t distribution)
{
	return distribution == IOB_DIST_RANDOM ? IOB_SUFFIX_NONE : IOB_SUFFIX_REAL_CENTRE;
}

static const struct iob_param rows[] = {
	TEXT_ROW("name", "what", 0, name, "job", "What the stage is called in reports."),
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
	PERCENT_ROW("rwmixread", "what", IOB_PF_LIVE | IOB_PF_COMMON, rwmixread, "50",
		"Share of reads in a mixed job (rw=rw or rw=randrw); unused otherwise."),
	PERCENT_ROW("rwmixwrite", "what", IOB_PF_LIVE | IOB_PF_COMPLEMENT, rwmixread, "50",
		"Share of writes in a mixed job: 100 less rwmixread; the later of both "
		"counts."),
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
	BOOL_ROW("norandommap", "what", 0, norandommap, "0",
		"Draw random blocks with replacement, instead of each block once per pass."),
	BOOL_ROW("randrepeat", "what", 0, randrepeat, "0",
		"Use the same random sequence in every run. Off by default, so that no cache "
		"remembers the last run."),
	UINT_ROW("randseed", "what", 0, randseed, 0, UINT64_MAX, "0", "",
		"Seed of the random sequence, to repeat a run exactly; 0 takes a fresh one. "
		"Every report names the seed."),
	CHOICE_ROW("rw_sequencer", "what", 0, pattern.rw_sequencer, "sequential", sequencer_choices,
		"Where the requests of randread:8 after the first of the eight go."),
	{
		.name = "bssplit",
		.group = "what",
		.type = IOB_P_TEXT,
		FIELD(pattern.bssplit),
		.size = IOB_BSSPLIT_TEXT,
		.initial = "",
		.unit = "",
		.check = iob_bssplit_check,
		.settle = iob_bssplit_settle,
		.help = "How often each size is drawn, in per cent: 4k/10:64k/50:32k/40; without a "
			"share they divide the rest. With commas: reads, writes, trims. Goes before bs.",
	},
	{
		.name = "blockalign",
		.aliases = "ba",
		.group = "what",
		.type = IOB_P_BYTES,
		.flags = IOB_PF_SPLIT,
		FIELD(pattern.blockalign),
		.max = GIB,
		.initial = "0",
		.unit = "bytes",
		.help = "What random offsets are multiples of; 0 = the smallest size of bs.",
	},
	{
		.name = "bs_unaligned",
		.aliases = "blocksize_unaligned",
		.group = "what",
		.type = IOB_P_BOOL,
		FIELD(pattern.bs_unaligned),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "Draw any length within the range of bs, not multiples of the smallest alone.",
	},
	BOOL_ROW("bs_is_seq_rand", "what", 0, pattern.bs_is_seq_rand, "0",
		"The sizes of bs for reads and writes are those of sequential and random requests."),
	UINT_ROW("percentage_random", "what", IOB_PF_SPLIT | IOB_PF_COMPLEMENT,
		pattern.percentage_sequential, 0, 100, "100", "%",
		"Of a random job: the share of requests that go to a random place; the others "
		"follow the one before. With commas: reads, writes, trims."),
	{
		.name = "random_distribution",
		.group = "what",
		.type = IOB_P_CHOICE,
		FIELD(pattern.random_distribution),
		.initial = "random",
		.unit = "",
		.choices = distribution_choices,
		.later = "normal zoned zoned_abs sequence",
		.suffix = offsetof(struct iob_job, pattern.distribution_micro),
		.suffix_of = distribution_suffix,
		.help = "How often each block is asked for. All but random draw with replacement; the "
			"wanted blocks are scattered over the target, or lie behind a centre: zipf:1.2:0.5 has "
			"the most wanted one in the middle.",
	},
	CHOICE_ROW("random_generator", "what", IOB_PF_NO_EFFECT, pattern.random_generator,
		"tausworthe", generator_choices,
		"No effect: the order of the blocks is a permutation that needs no memory."),
	BOOL_ROW("softrandommap", "what", IOB_PF_NO_EFFECT, pattern.softrandommap, "0",
		"No effect: there is no map that memory could be too short for."),
	BOOL_ROW("allrandrepeat", "what", 0, pattern.allrandrepeat, "0",
		"The same as randrepeat: all that is drawn is repeated together."),
};

IOB_PARAM_ROWS(iob_param_what, rows);
