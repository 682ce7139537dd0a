/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "measure/failure.h"

#include <stdio.h>
#include <string.h>

struct iob_failure *iob_failure_count(
	struct iob_failure_book *book, uint32_t op, int32_t code, int ignored)
{
	uint32_t n = atomic_load_explicit(&book->nkinds, memory_order_relaxed);
	uint32_t i = 0;

	while (i < n && (book->kind[i].op != op || book->kind[i].code != code))
		i++;
	if (i == IOB_FAILURE_KINDS) {
		i--;
	} else if (i == n) {
		book->kind[i].op = op;
		book->kind[i].code = code;
		/* Readers see the kind whole. */
		atomic_store_explicit(&book->nkinds, n + 1, memory_order_release);
	}
	atomic_fetch_add_explicit(&book->kind[i].count, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&book->total, 1, memory_order_relaxed);
	if (ignored) {
		atomic_fetch_add_explicit(&book->kind[i].ignored, 1, memory_order_relaxed);
		atomic_fetch_add_explicit(&book->ignored, 1, memory_order_relaxed);
		return NULL;
	}
	n = atomic_load_explicit(&book->nfirst, memory_order_relaxed);
	return n < IOB_FAILURES_FIRST ? &book->first[n] : NULL;
}

void iob_failure_kept(struct iob_failure_book *book)
{
	atomic_fetch_add_explicit(&book->nfirst, 1, memory_order_release);
}

static void add_kind(struct iob_failures *to, const struct iob_failure_kind *from)
{
	uint32_t i = 0;

	while (i < to->nkinds && (to->kind[i].op != from->op || to->kind[i].code != from->code))
		i++;
	if (i == IOB_FAILURE_KINDS)
		i--;
	else if (i == to->nkinds)
		to->kind[to->nkinds++] =
			(struct iob_failure_kind){.op = from->op, .code = from->code};
	to->kind[i].count += from->count;
	to->kind[i].ignored += from->ignored;
}

static void add_first(struct iob_failures *to, const struct iob_failure *from)
{
	uint32_t at = to->nfirst;

	while (at > 0 && to->first[at - 1].at_ns > from->at_ns)
		at--;
	if (at == IOB_FAILURES_FIRST)
		return;
	if (to->nfirst < IOB_FAILURES_FIRST)
		to->nfirst++;
	memmove(&to->first[at + 1], &to->first[at], (to->nfirst - 1 - at) * sizeof(to->first[0]));
	to->first[at] = *from;
	/* It came from memory that another process writes. */
	to->first[at].why[sizeof(from->why) - 1] = '\0';
}

void iob_failures_add(struct iob_failures *to, const struct iob_failure_book *from)
{
	uint32_t kinds = atomic_load_explicit(&from->nkinds, memory_order_acquire);
	uint32_t first = atomic_load_explicit(&from->nfirst, memory_order_acquire);

	to->total += atomic_load_explicit(&from->total, memory_order_relaxed);
	to->ignored += atomic_load_explicit(&from->ignored, memory_order_relaxed);
	to->slowed += atomic_load_explicit(&from->slowed, memory_order_relaxed);
	for (uint32_t i = 0; i < kinds && i < IOB_FAILURE_KINDS; i++) {
		struct iob_failure_kind kind = {
			.op = from->kind[i].op,
			.code = from->kind[i].code,
			.count = atomic_load_explicit(&from->kind[i].count, memory_order_relaxed),
			.ignored =
				atomic_load_explicit(&from->kind[i].ignored, memory_order_relaxed),
		};

		add_kind(to, &kind);
	}
	for (uint32_t i = 0; i < first && i < IOB_FAILURES_FIRST; i++)
		add_first(to, &from->first[i]);
}

const char *iob_failure_op_name(uint32_t op)
{
	static const char *const names[] = {
		"read", "write", "trim", "fsync", "fdatasync", "sync_file_range"};

	return op < sizeof(names) / sizeof(names[0]) ? names[op] : "request";
}

const char *iob_failure_code_name(int32_t code)
{
	const char *name = strerrorname_np(code);

	return code == 0 ? "0 bytes moved" : name ? name : "unknown error";
}

char *iob_failure_kind_words(char *buf, size_t n, const struct iob_failure_kind *k)
{
	const char *text = k->code ? strerrordesc_np(k->code) : NULL;

	snprintf(buf, n, "%llu\t%s%s: %s%s%s%s", (unsigned long long)k->count,
		iob_failure_op_name(k->op), k->count == 1 ? "" : "s",
		iob_failure_code_name(k->code), text ? " (" : "", text ? text : "",
		text ? ")" : "");
	return buf;
}

char *iob_failure_words(char *buf, size_t n, const struct iob_failure *f)
{
	const char *text = f->code ? strerrordesc_np(f->code) : "0 bytes moved";
	const char *name = f->code ? strerrorname_np(f->code) : NULL;
	char where[80] = "";

	if (f->length)
		snprintf(where, sizeof(where), " of %llu\tbytes at offset %llu",
			(unsigned long long)f->length, (unsigned long long)f->offset);
	snprintf(buf, n, "%s%s: %s%s%s%s%s%s", iob_failure_op_name(f->op), where,
		text ? text : "unknown error", name ? " (" : "", name ? name : "", name ? ")" : "",
		f->why[0] ? "; " : "", f->why);
	return buf;
}

char *iob_failures_words(char *buf, size_t n, const struct iob_failures *f)
{
	size_t used = 0;

	buf[0] = '\0';
	for (uint32_t i = 0; i < f->nkinds && used < n; i++) {
		const struct iob_failure_kind *k = &f->kind[i];
		uint64_t count = k->count - k->ignored;

		if (count)
			used += (size_t)snprintf(buf + used, n - used, "%s%llu %s%s %s",
				used ? ", " : "", (unsigned long long)count,
				iob_failure_op_name(k->op), count == 1 ? "" : "s",
				iob_failure_code_name(k->code));
	}
	return buf;
}
