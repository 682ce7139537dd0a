/* SPDX-License-Identifier: MIT */
/* What the table in checksum.c is made of.  For the checksum*.c files alone. */
#ifndef IOB_BASE_CHECKSUM_KINDS_H
#define IOB_BASE_CHECKSUM_KINDS_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef void iob_checksum_kind(uint8_t *out, const void *data, size_t n);

iob_checksum_kind iob_crc7, iob_crc16, iob_crc32, iob_crc32c, iob_crc64, iob_fnv;
iob_checksum_kind iob_md5, iob_sha1, iob_sha256, iob_sha512;
iob_checksum_kind iob_sha3_224, iob_sha3_256, iob_sha3_384, iob_sha3_512;
iob_checksum_kind iob_xxhash, iob_murmur3, iob_jhash;

static inline void iob_put_be32(uint8_t *out, uint32_t value)
{
	value = htobe32(value);
	memcpy(out, &value, sizeof(value));
}

static inline void iob_put_be64(uint8_t *out, uint64_t value)
{
	value = htobe64(value);
	memcpy(out, &value, sizeof(value));
}

static inline uint32_t iob_get_le32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return le32toh(value);
}

static inline uint32_t iob_rol32(uint32_t value, unsigned n)
{
	return value << n | value >> (32 - n);
}

#endif
