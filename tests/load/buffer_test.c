/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "load/buffer.h"

#define SECTOR 512u

static struct iob_content content;

static const struct iob_content *plain(void)
{
	content = (struct iob_content){.seed = 1};
	return &content;
}

static const struct iob_content *zeros(void)
{
	content = (struct iob_content){.zero = true};
	return &content;
}

static int compare_sectors(const void *a, const void *b)
{
	return memcmp(a, b, SECTOR);
}

/* How many neighbours are equal once sorted; reorders the memory. */
static unsigned equal_sectors(unsigned char *at, size_t bytes)
{
	unsigned equal = 0;

	qsort(at, bytes / SECTOR, SECTOR, compare_sectors);
	for (size_t i = SECTOR; i < bytes; i += SECTOR)
		equal += memcmp(at + i - SECTOR, at + i, SECTOR) == 0;
	return equal;
}

Test(arena, holds_aligned_slots_of_different_content)
{
	struct iob_arena a;
	struct iob_error err = {0};

	cr_assert_eq(iob_arena_init(&a, 33, 5000, plain(), false, &err), 0, "%s", err.text);
	cr_assert_eq((uintptr_t)a.base % 4096, 0);
	cr_assert_eq(a.stride, 8192);
	cr_assert_eq(a.size, 33 * 8192);
	cr_assert_eq(a.slots, 33);
	cr_assert_eq(equal_sectors(a.base, a.size), 0);
	iob_arena_free(&a);
	iob_arena_free(&a);
}

Test(arena, content_has_all_byte_values_evenly)
{
	struct iob_arena a;
	unsigned count[256] = {0};

	cr_assert_eq(iob_arena_init(&a, 16, 65536, plain(), false, NULL), 0);
	for (size_t i = 0; i < a.size; i++)
		count[a.base[i]]++;
	for (unsigned v = 0; v < 256; v++)
		cr_assert_float_eq(count[v], 4096.0, 400.0);
	iob_arena_free(&a);
}

Test(arena, zeros_on_request)
{
	struct iob_arena a;

	cr_assert_eq(iob_arena_init(&a, 4, 4096, zeros(), false, NULL), 0);
	for (size_t i = 0; i < a.size; i++)
		cr_assert_eq(a.base[i], 0);
	iob_arena_free(&a);
}

Test(arena, too_much_is_refused_with_the_amount)
{
	struct iob_arena a;
	struct iob_error err = {0};

	cr_assert_eq(iob_arena_init(&a, 1000, UINT64_C(1) << 45, plain(), false, &err), -ENOMEM);
	cr_assert_not_null(strstr(err.text, "1000 blocks"), "%s", err.text);
	cr_assert_eq(iob_arena_init(&a, 32768, UINT64_MAX - 5, plain(), false, &err), -ENOMEM);
	iob_arena_free(&a);
}

Test(stamp, no_two_written_blocks_are_equal)
{
	enum { WRITES = 64, LENGTH = 4096 };
	unsigned char *disk = malloc(WRITES * LENGTH);
	unsigned char buf[LENGTH];

	/* The same buffer written to the same place again and again, and to others. */
	iob_content_fill(plain(), buf, sizeof(buf), 3);
	for (unsigned i = 0; i < WRITES; i++) {
		iob_buffer_stamp(buf, LENGTH, (uint64_t)(i / 2) * LENGTH, i);
		memcpy(disk + (size_t)i * LENGTH, buf, LENGTH);
	}
	cr_assert_eq(equal_sectors(disk, WRITES * LENGTH), 0);
	free(disk);
}

Test(stamp, stays_within_the_block)
{
	unsigned char buf[1024 + 64];

	memset(buf, 0xaa, sizeof(buf));
	iob_buffer_stamp(buf, 1024, 0, 0);
	for (size_t i = 1024; i < sizeof(buf); i++)
		cr_assert_eq(buf[i], 0xaa);
	cr_assert_eq(buf[16], 0xaa);
	cr_assert_eq(buf[512 + 16], 0xaa);
	/* A block shorter than a stamp is left alone. */
	iob_buffer_stamp(buf + 1024, 8, 1, 1);
	cr_assert_eq(buf[1024], 0xaa);
}

Test(fill, depends_on_the_seed)
{
	unsigned char a[256], b[256], c[256];

	iob_content_fill(plain(), a, sizeof(a), 1);
	iob_content_fill(plain(), b, sizeof(b), 1);
	iob_content_fill(plain(), c, sizeof(c), 2);
	cr_assert_eq(memcmp(a, b, sizeof(a)), 0);
	cr_assert_neq(memcmp(a, c, sizeof(a)), 0);
}
