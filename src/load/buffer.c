/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "load/buffer.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/rng.h"

#define PAGE 4096

int iob_arena_init(struct iob_arena *a, unsigned slots, uint64_t block, uint64_t seed, bool zero,
	struct iob_error *err)
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
	void *base = mmap(
		NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (base == MAP_FAILED)
		return iob_fail(err, -errno,
			"buffers: cannot allocate %llu MiB (%u blocks of %llu bytes): %m; use a "
			"smaller iodepth or bs",
			(unsigned long long)(size >> 20), slots, (unsigned long long)block);
	*a = (struct iob_arena){
		.base = base, .size = (size_t)size, .stride = (size_t)stride, .slots = slots};
	/* Zeros are written too: a page that was only read is the kernel's shared zero page. */
	if (zero)
		memset(base, 0, a->size);
	else
		iob_buffer_fill(base, a->size, seed);
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

void iob_buffer_fill(void *buf, size_t length, uint64_t seed)
{
	struct iob_rng rng;
	unsigned char *at = buf;

	iob_rng_seed(&rng, seed, 0);
	for (size_t i = 0; i + 8 <= length; i += 8) {
		uint64_t word = iob_rng_next(&rng);

		memcpy(at + i, &word, sizeof(word));
	}
}
