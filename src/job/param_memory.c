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
	BYTES_ROW("lockmem", "memory", 0, lockmem, KILO *GIB, "0",
		"Memory that each worker pins, so that less is left for the page cache."),
	BOOL_ROW("zero_buffers", "memory", 0, zero_buffers, "0",
		"Write zeros instead of random data. Devices that compress look faster "
		"then."),
	BOOL_ROW("scramble_buffers", "memory", 0, scramble_buffers, "1",
		"Stamp each block before it is written so that no two are equal; costs a "
		"cache line for each 512 bytes."),
	BOOL_ROW("refill_buffers", "memory", 0, refill_buffers, "0",
		"New random content for each block written, not only at the start."),
	TEXT_ROW("buffer_pattern", "memory", 0, buffer_pattern, "",
		"Content of the blocks: a number such as 0xdeadbeef or -9, a text in "
		"double quotes, a file in single quotes, or several of them; repeated "
		"over the block."),
	PERCENT_ROW("buffer_compress_percentage", "memory", 0, buffer_compress_percentage, "0",
		"So much of each buffer_compress_chunk is zeros (or buffer_pattern), the "
		"rest random; a device that compresses then has less to store."),
	BYTES_ROW("buffer_compress_chunk", "memory", 0, buffer_compress_chunk, GIB, "512",
		"Over what length buffer_compress_percentage holds; 0 = the whole block."),
	PERCENT_ROW("dedupe_percentage", "memory", 0, dedupe_percentage, "0",
		"So many of the blocks written repeat another one."),
	CHOICE_ROW("dedupe_mode", "memory", 0, dedupe_mode, "repeat", dedupe_choices,
		"Which block a block of dedupe_percentage repeats."),
	PERCENT_ROW("dedupe_working_set_percentage", "memory", 0, dedupe_working_set_percentage,
		"5",
		"Size of the set of dedupe_mode=working_set, in blocks of the worker's "
		"region."),
	BOOL_ROW("dedupe_global", "memory", 0, dedupe_global, "0",
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
	TEXT_ROW("numa_mem_policy", "memory", 0, numa_mem_policy, "",
		"Where the memory of a worker comes from: default, local, prefer:NODE, "
		"bind:NODES or interleave:NODES."),
};

IOB_PARAM_ROWS(iob_param_memory, rows);
