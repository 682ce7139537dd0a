/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/param.h"
#include "load/content.h"

#define BLOCK  4096u
#define BLOCKS 400u

static struct iob_job job;
static struct iob_content content;
static unsigned char block[BLOCKS][BLOCK];

static void set(const char *name, const char *value)
{
	struct iob_error err;

	cr_assert_eq(iob_param_set_named(&job, name, value, &err), 0, "%s", err.text);
}

/* Settings "name=value ..." of a job that writes; then its blocks. */
static void write_blocks(const char *settings)
{
	char text[200];
	struct iob_error err = {0};

	snprintf(text, sizeof(text), "%s", settings);
	iob_job_defaults(&job);
	set("rw", "randwrite");
	for (char *rest = text, *word; (word = strsep(&rest, " "));) {
		char *value = strchr(word, '=');

		if (!value)
			continue;
		*value++ = '\0';
		set(word, value);
	}
	cr_assert_eq(iob_content_init(&content, &job, 42, 0, UINT64_C(1) << 20, &err), 0, "%s",
		err.text);
	for (unsigned i = 0; i < BLOCKS; i++) {
		if (content.refill)
			iob_content_next(&content, block[i], BLOCK);
		else
			iob_content_fill(&content, block[i], BLOCK, i);
	}
}

static double share_of(unsigned char byte)
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof(block); i++)
		n += ((unsigned char *)block)[i] == byte;
	return (double)n / sizeof(block);
}

/* Of single bytes, in bits per byte. */
static double entropy(void)
{
	size_t count[256] = {0};
	double bits = 0;

	for (size_t i = 0; i < sizeof(block); i++)
		count[((unsigned char *)block)[i]]++;
	for (unsigned v = 0; v < 256; v++) {
		double p = (double)count[v] / sizeof(block);

		bits -= p > 0 ? p * log2(p) : 0;
	}
	return bits;
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, BLOCK);
}

static unsigned different(void)
{
	unsigned n = 1;

	qsort(block, BLOCKS, BLOCK, compare);
	for (unsigned i = 1; i < BLOCKS; i++)
		n += memcmp(block[i - 1], block[i], BLOCK) != 0;
	return n;
}

Test(content, random_blocks_cannot_be_squeezed_and_do_not_repeat)
{
	write_blocks("refill_buffers=1");
	cr_assert(content.refill);
	cr_assert_gt(entropy(), 7.99);
	cr_assert_eq(different(), BLOCKS);
}

Test(content, so_many_per_cent_are_zeros)
{
	static const unsigned percent[] = {10, 50, 75, 90};

	for (size_t i = 0; i < sizeof(percent) / sizeof(percent[0]); i++) {
		char text[64];

		snprintf(text, sizeof(text), "buffer_compress_percentage=%u", percent[i]);
		write_blocks(text);
		cr_expect_float_eq(share_of(0), percent[i] / 100.0, 0.01, "%u", percent[i]);
		cr_expect_eq(different(), BLOCKS);
	}
}

Test(content, each_chunk_is_squeezed_for_itself)
{
	write_blocks("buffer_compress_percentage=50 buffer_compress_chunk=1024");
	for (unsigned chunk = 0; chunk < 4; chunk++)
		for (unsigned i = 512; i < 1024; i++)
			cr_assert_eq(block[7][chunk * 1024 + i], 0);
	write_blocks("buffer_compress_percentage=50 buffer_compress_chunk=0");
	for (unsigned i = 2048; i < 4096; i++)
		cr_assert_eq(block[7][i], 0);
	size_t zeros = 0;
	for (unsigned i = 0; i < 2048; i++)
		zeros += block[7][i] == 0;
	cr_assert_lt(zeros, 40);
}

Test(content, a_pattern_stands_for_the_zeros)
{
	write_blocks("buffer_compress_percentage=50 buffer_pattern=0xab");
	cr_assert_float_eq(share_of(0xab), 0.5, 0.01);
	cr_assert_lt(share_of(0), 0.01);
}

Test(content, all_of_it_squeezed_is_zeros)
{
	write_blocks("buffer_compress_percentage=100");
	cr_assert_float_eq(share_of(0), 1, 0);
	write_blocks("zero_buffers=1");
	cr_assert_float_eq(share_of(0), 1, 0);
	cr_assert_not(content.stamp);
}

Test(content, so_many_blocks_repeat_the_one_before)
{
	write_blocks("dedupe_percentage=50");
	unsigned n = different();
	cr_assert(n > BLOCKS * 4 / 10 && n < BLOCKS * 6 / 10, "%u", n);
	write_blocks("dedupe_percentage=100");
	cr_assert_eq(different(), 1);
	write_blocks("dedupe_percentage=80 buffer_compress_percentage=50");
	n = different();
	cr_assert(n > BLOCKS / 10 && n < BLOCKS * 3 / 10, "%u", n);
	cr_assert_float_eq(share_of(0), 0.5, 0.01);
}

Test(content, a_working_set_is_repeated_all_over)
{
	/* 5 % of 256 blocks. */
	write_blocks("dedupe_percentage=100 dedupe_mode=working_set");
	unsigned n = different();
	cr_assert_leq(n, 13, "%u", n);
	cr_assert_geq(n, 8, "%u", n);
}

/* Is each block of this worker one of the other's? */
static bool all_are_known(uint64_t seed, const char *settings)
{
	static unsigned char known[BLOCKS][BLOCK];
	struct iob_error err = {0};
	bool all = true;

	write_blocks(settings);
	memcpy(known, block, sizeof(known));
	cr_assert_eq(iob_content_init(&content, &job, seed, 1, UINT64_C(1) << 20, &err), 0);
	for (unsigned i = 0; i < BLOCKS && all; i++) {
		bool found = false;

		iob_content_next(&content, block[0], BLOCK);
		for (unsigned k = 0; k < BLOCKS && !found; k++)
			found = memcmp(block[0], known[k], BLOCK) == 0;
		all = found;
	}
	return all;
}

Test(content, a_working_set_may_be_that_of_all_workers)
{
	cr_assert_not(all_are_known(43, "dedupe_percentage=100 dedupe_mode=working_set"));
	cr_assert(
		all_are_known(43, "dedupe_percentage=100 dedupe_mode=working_set dedupe_global=1"));
}

Test(content, a_pattern_fills_the_block)
{
	write_blocks("buffer_pattern=0xdeadbeef");
	cr_assert_not(content.refill);
	cr_assert_not(content.stamp);
	for (unsigned i = 0; i < BLOCK; i += 4)
		cr_assert_eq(memcmp(&block[3][i], "\xde\xad\xbe\xef", 4), 0);
	write_blocks("buffer_pattern=\"abc\"");
	for (unsigned i = 0; i < BLOCK; i++)
		cr_assert_eq(block[3][i], "abc"[i % 3]);
}

Test(content, what_was_read_is_not_written)
{
	write_blocks("rw=randrw zero_buffers=1");
	cr_assert(content.refill);
	write_blocks("rw=randrw buffer_pattern=0xff");
	cr_assert(content.refill);
	write_blocks("rw=randrw");
	cr_assert(content.stamp);
}

Test(content, stamps_can_be_left_out)
{
	write_blocks("scramble_buffers=0");
	cr_assert_not(content.stamp);
	cr_assert_not(content.refill);
}

/* Patterns as text. */

static int parse(unsigned char *out, const char *text)
{
	return iob_byte_pattern_parse(out, "buffer_pattern", text, NULL);
}

Test(byte_pattern, numbers_texts_and_several_are_read_as_in_fio)
{
	static const struct {
		char text[24], bytes[16];
		int n;
	} rows[] = {
		{"0xdeadbeef", "\xde\xad\xbe\xef", 4},
		{"0xabc", "\x0a\xbc", 2},
		{"0xf", "\x0f", 1},
		{"0x00", "", 1},
		{"0", "", 1},
		{"123", "{", 1},
		{"-9", "\xf7\xff\xff\xff", 4},
		{"300", "\x2c\x01", 2},
		{"70000", "\x70\x11\x01", 3},
		{"\"abcd\"", "abcd", 4},
		{"\"ab\"0xff12", "ab\xff\x12", 4},
		{"0xff\"a\"",
			"\xff"
			"a",
			2},
		{"\"a\"-12\"b\"",
			"a\xf4\xff\xff\xff"
			"b",
			6},
		{"-120xdead\"a\"",
			"\xf4\xff\xff\xff\xde\xad"
			"a",
			7},
		{"10x1", "\x01\x01", 2},
	};
	unsigned char out[IOB_BYTE_PATTERN_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect_eq(parse(NULL, rows[i].text), rows[i].n, "%s", rows[i].text);
		cr_expect_eq(parse(out, rows[i].text), rows[i].n, "%s", rows[i].text);
		cr_expect_eq(memcmp(out, rows[i].bytes, (size_t)rows[i].n), 0, "%s", rows[i].text);
	}
}

Test(byte_pattern, a_file_gives_its_bytes)
{
	unsigned char out[IOB_BYTE_PATTERN_MAX];
	char path[] = "/tmp/iob-pattern-XXXXXX", text[64];
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");

	fputs("XYZ", f);
	fclose(f);
	snprintf(text, sizeof(text), "\"a\"'%s'", path);
	int n = parse(out, text);
	remove(path);
	cr_assert_eq(n, 4);
	cr_assert_eq(memcmp(out, "aXYZ", 4), 0);
	cr_assert_lt(parse(out, text), 0, "it is gone");
}

Test(byte_pattern, what_is_none_is_refused_with_the_place)
{
	static const char bad[][16] = {"abc", "1,2", "5000000000", "\"\"", "", "0x", "0xzz", "\"ab",
		"'x", "''", "1 2", "%o", "-x1", "12x3"};
	unsigned char out[IOB_BYTE_PATTERN_MAX];
	struct iob_error err;
	char text[1200] = "0x";

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cr_expect_lt(iob_byte_pattern_parse(out, "buffer_pattern", bad[i], &err), 0, "%s",
			bad[i]);
		cr_expect_not_null(strstr(err.text, "buffer_pattern="), "%s", err.text);
	}
	memset(text + 2, 'a', 1026);
	cr_assert_lt(parse(out, text), 0, "513 bytes");
	text[1026] = '\0';
	cr_assert_eq(parse(out, text), 512);
}
