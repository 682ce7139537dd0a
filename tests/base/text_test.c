/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static void use_utf8(void)
{
	if (!setlocale(LC_ALL, "C.UTF-8"))
		cr_skip_test("this machine has no C.UTF-8 locale");
}

TestSuite(text, .init = use_utf8, .timeout = 10);

struct pair {
	char in[64], out[64];
};

ParameterizedTestParameters(text, is_cleaned)
{
	static struct pair rows[] = {
		{"plain", "plain"},
		{"  VIRTIO disk \n", "VIRTIO disk"},
		{"\t\r\n", ""},
		{"a\033[2Jb", "a?[2Jb"},
		{"a\tb", "a?b"},
		{"a\x7f", "a?"},
		{"\xc2\x9b"
		 "1m",
			"?1m"},
		{"a\xff"
		 "b",
			"a?b"},
		{"\xc0\xaf", "??"},
		{"\xed\xa0\x80", "???"},
		{"\xe2\x82", "??"},
		{"\xf4\x90\x80\x80", "????"},
		{"\xe2\x80\xae"
		 "evil",
			"?evil"},
		{"\xe2\x81\xa6x", "?x"},
		{"\xef\xbb\xbf"
		 "bom",
			"?bom"},
		{"диск 日本 é", "диск 日本 é"},
		{"\xf0\x9f\x92\xbe", "\xf0\x9f\x92\xbe"},
	};

	return cr_make_param_array(struct pair, rows, sizeof(rows) / sizeof(rows[0]));
}

ParameterizedTest(struct pair *p, text, is_cleaned)
{
	char buf[64];

	cr_assert_str_eq(iob_text_clean(buf, sizeof(buf), p->in), p->out, "got %s", buf);
}

Test(text, cleaning_cuts_between_characters)
{
	char buf[8];

	cr_assert_str_eq(iob_text_clean(buf, 6, "ééé"), "éé");
	cr_assert_str_eq(iob_text_clean(buf, 5, "éé"), "éé");
	cr_assert_str_eq(iob_text_clean(buf, 4, "éé"), "é");
	cr_assert_str_eq(iob_text_clean(buf, 1, "x"), "");
	cr_assert_str_eq(iob_text_clean(buf, 4, "ab cd"), "ab", "no blank is left at the cut");
}

Test(text, cleaning_in_place_is_legal)
{
	char buf[16] = "  a\033\xff"
		       "é ";

	cr_assert_str_eq(iob_text_clean(buf, sizeof(buf), buf), "a??é");
}

Test(text, width_counts_cells)
{
	cr_assert_eq(iob_text_width(""), 0);
	cr_assert_eq(iob_text_width("abc"), 3);
	cr_assert_eq(iob_text_width("éé"), 2);
	cr_assert_eq(iob_text_width("日本"), 4);
	cr_assert_eq(iob_text_width("a\xff"), 2);
	cr_assert_eq(iob_text_width("\001"), 1);
}

struct padding {
	char in[32];
	unsigned cells;
	char out[32];
};

ParameterizedTestParameters(text, is_padded)
{
	static struct padding rows[] = {
		{"ab", 4, "ab  "},
		{"abcd", 4, "abcd"},
		{"abcde", 4, "abc~"},
		{"abc", 1, "~"},
		{"abc", 0, ""},
		{"", 0, ""},
		{"", 2, "  "},
		{"日本", 5, "日本 "},
		{"日本語", 5, "日本~"},
		{"日本語", 4, "日~ "},
		{"éé", 3, "éé "},
	};

	return cr_make_param_array(struct padding, rows, sizeof(rows) / sizeof(rows[0]));
}

ParameterizedTest(struct padding *p, text, is_padded)
{
	char buf[32];

	cr_assert_str_eq(iob_text_pad(buf, sizeof(buf), p->in, p->cells), p->out, "got '%s'", buf);
	cr_assert_eq(iob_text_width(buf), p->cells);
}

Test(text, padding_stays_inside_the_buffer)
{
	char buf[8] = "xxxxxxx";

	cr_assert_str_eq(iob_text_pad(buf, 4, "éé", 10), "é ");
	cr_assert_str_eq(buf + 5, "xx");
}
