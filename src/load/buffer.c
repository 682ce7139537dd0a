/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "load/buffer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "base/rng.h"

#define PAGE 4096

/* Bytes; 2 MiB where nothing is known. */
static uint64_t huge_page(void)
{
	IOB_FILE FILE *f = fopen("/proc/meminfo", "re");
	unsigned long long kib = 0;
	char line[128];

	while (f && kib == 0 && fgets(line, sizeof(line), f))
		if (sscanf(line, "Hugepagesize: %llu kB", &kib) != 1)
			kib = 0;
	return kib ? kib << 10 : UINT64_C(2) << 20;
}

/* Rounds the size up to whole pages. */
static void *map(uint64_t *size, bool huge)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS;

	if (huge) {
		uint64_t page = huge_page();

		*size = (*size + page - 1) / page * page;
		flags |= MAP_HUGETLB;
	}
	return mmap(NULL, (size_t)*size, PROT_READ | PROT_WRITE, flags, -1, 0);
}

int iob_arena_init(struct iob_arena *a, unsigned slots, uint64_t block,
	const struct iob_content *content, bool huge, struct iob_error *err)
{
	uint64_t stride = (block + PAGE - 1) / PAGE * PAGE;
	uint64_t size;

	*a = (struct iob_arena){.base = NULL};
	if (stride < block || __builtin_mul_overflow(stride, (uint64_t)slots, &size) ||
		size > SIZE_MAX / 2)
		return iob_fail(err, -ENOMEM, "buffers: %u blocks of %llu bytes are too many",
			slots, (unsigned long long)block);
	if (size == 0) {
		stride = PAGE;
		size = (uint64_t)PAGE * slots;
	}
	void *base = map(&size, huge);
	if (base == MAP_FAILED)
		return iob_fail(err, -errno,
			"buffers: cannot allocate %llu MiB (%u blocks of %llu bytes)%s: %m; %s",
			(unsigned long long)(size >> 20), slots, (unsigned long long)block,
			huge ? " in huge pages" : "",
			huge ? "raise vm.nr_hugepages or use --mem=malloc"
			     : "use a smaller iodepth or bs");
	*a = (struct iob_arena){
		.base = base, .size = (size_t)size, .stride = (size_t)stride, .slots = slots};
	/* Zeros are written too: a page that was only read is the kernel's shared zero page. */
	for (unsigned i = 0; i < slots; i++)
		iob_content_fill(content, a->base + i * stride, (size_t)stride,
			content->seed ^ iob_mix64(i));
	return 0;
}

void iob_arena_free(struct iob_arena *a)
{
	if (a->base)
		munmap(a->base, a->size);
	*a = (struct iob_arena){.base = NULL};
}

void iob_buffer_stamp(void *buf, uint32_t length, uint64_t offset, uint64_t count)
{
	unsigned char *at = buf;

	for (uint32_t i = 0; i + 16 <= length; i += 512) {
		uint64_t stamp[2] = {offset + i, count};

		memcpy(at + i, stamp, sizeof(stamp));
	}
}
