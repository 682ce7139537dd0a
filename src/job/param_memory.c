/* SPDX-License-Identifier: MIT */
/* Rows: the memory of the workers, and what is written from it. */
#include "job/param_rows.h"

static const struct iob_param_choice dedupe_choices[] = {
	{"repeat", IOB_DEDUPE_REPEAT, "a block repeats the one written before it"},
	{"working_set", IOB_DEDUPE_WORKING_SET, "a block repeats one of a fixed set"},
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

static const struct iob_param rows[] = {
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
	MORE_BOOL("dedupe_global", "memory", 0, dedupe_global, "0",
		"With dedupe_mode=working_set: all workers repeat blocks of one set, not each of its "
		"own."),
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
};

IOB_PARAM_ROWS(iob_param_memory, rows);
