/* SPDX-License-Identifier: MIT */
#include "target/space_total.h"

#include <stdbool.h>
#include <stdlib.h>

/* Those without a cap will fill their files for sure; the others are bounded by their caps, and by
 * what their files can take. */
struct total {
	uint64_t sure, by_files;
};

static uint64_t plus(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t beyond(uint64_t most, uint64_t has)
{
	return most > has ? most - has : 0;
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static bool same_file(const struct iob_kin_promise *a, const struct iob_kin_promise *b)
{
	return a->dev != 0 && a->dev == b->dev && a->ino == b->ino;
}

static int by_file(const void *x, const void *y)
{
	const struct iob_kin_promise *a = x, *b = y;
	int order = compare(a->dev, b->dev);

	if (order == 0)
		order = compare(a->ino, b->ino);
	return order ? order : compare(a->owner, b->owner);
}

static int by_owner(const void *x, const void *y)
{
	const struct iob_kin_promise *a = x, *b = y;

	return compare(a->owner, b->owner);
}

/* The n promises of one file: `most` becomes what the owner may take of it beyond what others take
 * for sure, once for each owner. */
static void add_file(struct total *total, struct iob_kin_promise *p, size_t n)
{
	uint64_t has = 0, sure = 0, largest = 0;

	for (size_t i = 0; i < n; i++) {
		has = p[i].has > has ? p[i].has : has;
		if (p[i].cap == UINT64_MAX && p[i].most > sure)
			sure = p[i].most;
	}
	total->sure = plus(total->sure, beyond(sure, has));
	sure = sure > has ? sure : has;
	for (size_t i = 0; i < n; i++) {
		p[i].most = p[i].cap == UINT64_MAX ? 0 : beyond(p[i].most, sure);
		largest = p[i].most > largest ? p[i].most : largest;
		if (i > 0 && p[i].owner == p[i - 1].owner) {
			p[i].most = p[i].most > p[i - 1].most ? p[i].most : p[i - 1].most;
			p[i - 1].most = 0;
		}
	}
	total->by_files = plus(total->by_files, largest);
}

static uint64_t sum_of_owners(const struct iob_kin_promise *p, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0, next; i < n; i = next) {
		uint64_t own = 0, cap = 0;

		for (next = i; next < n && p[next].owner == p[i].owner; next++) {
			own = plus(own, p[next].most);
			if (p[next].most && p[next].cap > cap)
				cap = p[next].cap;
		}
		sum = plus(sum, own < cap ? own : cap);
	}
	return sum;
}

uint64_t iob_space_total(struct iob_kin_promise *p, size_t n)
{
	struct total total = {0};

	qsort(p, n, sizeof(*p), by_file);
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n && same_file(&p[i], &p[next]);)
			next++;
		add_file(&total, &p[i], next - i);
	}
	qsort(p, n, sizeof(*p), by_owner);
	uint64_t by_owners = sum_of_owners(p, n);
	return plus(total.sure, by_owners < total.by_files ? by_owners : total.by_files);
}
