/* SPDX-License-Identifier: MIT */
/* Checksums and digests, by fio's names. */
#ifndef IOB_BASE_CHECKSUM_H
#define IOB_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define IOB_CHECKSUM_MAX 64 /* bytes of the longest */

struct iob_checksum {
	const char *name;
	unsigned size; /* bytes of the result */
	/* The result of n bytes, as it is usually written: the highest byte of a number first. */
	void (*compute)(uint8_t *out, const void *data, size_t n);
};

extern const struct iob_checksum iob_checksums[]; /* ends with name NULL */

/* NULL if there is none of that name. */
const struct iob_checksum *iob_checksum_find(const char *name);

#endif
