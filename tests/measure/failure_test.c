/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "measure/failure.h"

static struct iob_failure_book book, other;
static struct iob_failures sum;

static void fail(struct iob_failure_book *b, uint32_t op, int32_t code, uint64_t at_ns)
{
	struct iob_failure *f = iob_failure_count(b, op, code, 0);

	if (!f)
		return;
	*f = (struct iob_failure){.at_ns = at_ns, .op = op, .code = code, .length = 4096};
	iob_failure_kept(b);
}

Test(failure, kinds_are_counted_each_for_itself)
{
	char words[200];

	for (unsigned i = 0; i < 12; i++)
		fail(&book, 0, EIO, i);
	for (unsigned i = 0; i < 3; i++)
		fail(&book, 1, ENOSPC, i);
	fail(&book, 0, 0, 5);
	iob_failures_add(&sum, &book);
	cr_assert_eq(sum.total, 16);
	cr_assert_eq(sum.nkinds, 3);
	cr_assert_eq(sum.kind[0].count, 12);
	cr_assert_str_eq(iob_failures_words(words, sizeof(words), &sum),
		"12 reads EIO, 3 writes ENOSPC, 1 read 0 bytes moved");
}

Test(failure, ignored_ones_are_counted_but_not_kept)
{
	char words[200];

	cr_assert_null(iob_failure_count(&book, 0, EIO, 1));
	fail(&book, 0, EIO, 1);
	iob_failures_add(&sum, &book);
	cr_assert_eq(sum.total, 2);
	cr_assert_eq(sum.ignored, 1);
	cr_assert_eq(sum.nfirst, 1);
	cr_assert_eq(sum.kind[0].ignored, 1);
	cr_assert_str_eq(iob_failures_words(words, sizeof(words), &sum), "1 read EIO");
}

Test(failure, of_several_workers_the_first_ones_are_kept_in_order)
{
	for (unsigned i = 0; i < 20; i++) {
		fail(&book, 0, EIO, 1000 + 10 * i);
		fail(&other, 0, EIO, 1005 + 10 * i);
	}
	iob_failures_add(&sum, &book);
	iob_failures_add(&sum, &other);
	cr_assert_eq(sum.nkinds, 1);
	cr_assert_eq(sum.kind[0].count, 40);
	cr_assert_eq(sum.nfirst, IOB_FAILURES_FIRST);
	for (unsigned i = 0; i < IOB_FAILURES_FIRST; i++)
		cr_assert_eq(sum.first[i].at_ns, 1000 + 5 * i);
}

Test(failure, kinds_without_room_are_counted_with_the_last)
{
	for (int code = 1; code <= 2 * IOB_FAILURE_KINDS; code++)
		fail(&book, 0, code, 1);
	iob_failures_add(&sum, &book);
	cr_assert_eq(sum.nkinds, IOB_FAILURE_KINDS);
	cr_assert_eq(sum.kind[IOB_FAILURE_KINDS - 1].count, IOB_FAILURE_KINDS + 1);
}

Test(failure, a_book_that_was_scribbled_on_is_read_within_bounds)
{
	memset(&book, 0xff, sizeof(book));
	iob_failures_add(&sum, &book);
	cr_assert_leq(sum.nkinds, IOB_FAILURE_KINDS);
	cr_assert_leq(sum.nfirst, IOB_FAILURES_FIRST);
	cr_assert_lt(strlen(sum.first[0].why), sizeof(sum.first[0].why));
}

Test(failure, words_name_cause_and_place)
{
	struct iob_failure f = {.op = 1, .code = EIO, .offset = 8192, .length = 4096};
	struct iob_failure_kind k = {.op = 3, .code = EIO, .count = 2};
	char words[200];

	cr_assert_str_eq(iob_failure_words(words, sizeof(words), &f),
		"write of 4096\tbytes at offset 8192: Input/output error (EIO)");
	cr_assert_str_eq(iob_failure_kind_words(words, sizeof(words), &k),
		"2\tfsyncs: EIO (Input/output error)");
	f = (struct iob_failure){.op = 0, .length = 512, .why = "it ends here"};
	cr_assert_str_eq(iob_failure_words(words, sizeof(words), &f),
		"read of 512\tbytes at offset 0: 0 bytes moved; it ends here");
	cr_assert_str_eq(iob_failure_op_name(99), "request");
}
