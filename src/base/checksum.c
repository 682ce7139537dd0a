/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/checksum.h"

#include <string.h>

#include "base/checksum_kinds.h"

const struct iob_checksum iob_checksums[] = {
	{"md5", 16, iob_md5},
	{"crc64", 8, iob_crc64},
	{"crc32", 4, iob_crc32},
	{"crc32c", 4, iob_crc32c},
	{"crc16", 2, iob_crc16},
	{"crc7", 1, iob_crc7},
	{"sha1", 20, iob_sha1},
	{"sha256", 32, iob_sha256},
	{"sha512", 64, iob_sha512},
	{"xxhash", 4, iob_xxhash},
	{"murmur3", 4, iob_murmur3},
	{"jhash", 4, iob_jhash},
	{"fnv", 8, iob_fnv},
	{"sha3-224", 28, iob_sha3_224},
	{"sha3-256", 32, iob_sha3_256},
	{"sha3-384", 48, iob_sha3_384},
	{"sha3-512", 64, iob_sha3_512},
	{NULL, 0, NULL},
};

const struct iob_checksum *iob_checksum_find(const char *name)
{
	for (const struct iob_checksum *c = iob_checksums; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}
