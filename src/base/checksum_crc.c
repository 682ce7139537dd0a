/* SPDX-License-Identifier: MIT */
/* CRCs by a table for each byte, and FNV-1a. */
#include <config.h>

#include <pthread.h>

#include "base/checksum_kinds.h"

#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

/* Lowest bit first, but for CRC-7, whose seven bits stand at the upper end of a byte. */
static struct {
	uint8_t crc7[256];
	uint16_t crc16[256];
	uint32_t crc32[256], crc32c[256];
	uint64_t crc64[256];
} tables;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static uint64_t reflected(uint64_t value, uint64_t polynomial)
{
	for (int bit = 0; bit < 8; bit++)
		value = value & 1 ? value >> 1 ^ polynomial : value >> 1;
	return value;
}

static uint8_t upward(uint8_t value, uint8_t polynomial)
{
	for (int bit = 0; bit < 8; bit++)
		value = (uint8_t)(value & 0x80 ? value << 1 ^ polynomial : value << 1);
	return value;
}

static void make(void)
{
	for (unsigned i = 0; i < 256; i++) {
		tables.crc7[i] = upward((uint8_t)i, 0x09 << 1);
		tables.crc16[i] = (uint16_t)reflected(i, 0xa001);
		tables.crc32[i] = (uint32_t)reflected(i, 0xedb88320);
		tables.crc32c[i] = (uint32_t)reflected(i, 0x82f63b78);
		tables.crc64[i] = reflected(i, UINT64_C(0xc96c5795d7870f42));
	}
}

void iob_crc7(uint8_t *out, const void *data, size_t n)
{
	const uint8_t *at = data;
	uint8_t crc = 0;

	pthread_once(&made, make);
	while (n--)
		crc = tables.crc7[crc ^ *at++];
	*out = crc >> 1;
}

void iob_crc16(uint8_t *out, const void *data, size_t n)
{
	const uint8_t *at = data;
	uint16_t crc = 0;

	pthread_once(&made, make);
	while (n--)
		crc = (uint16_t)(crc >> 8 ^ tables.crc16[(crc ^ *at++) & 0xff]);
	out[0] = (uint8_t)(crc >> 8);
	out[1] = (uint8_t)crc;
}

static void crc32_by(const uint32_t table[256], uint8_t *out, const uint8_t *at, size_t n)
{
	uint32_t crc = UINT32_MAX;

	while (n--)
		crc = crc >> 8 ^ table[(crc ^ *at++) & 0xff];
	iob_put_be32(out, ~crc);
}

void iob_crc32(uint8_t *out, const void *data, size_t n)
{
	pthread_once(&made, make);
	crc32_by(tables.crc32, out, data, n);
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static void crc32c_by_instruction(
	uint8_t *out, const uint8_t *at, size_t n)
{
	uint64_t crc = UINT32_MAX, word;

	for (; n >= sizeof(word); n -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		crc = __builtin_ia32_crc32di(crc, word);
	}
	while (n--)
		crc = __builtin_ia32_crc32qi((uint32_t)crc, *at++);
	iob_put_be32(out, ~(uint32_t)crc);
}
#endif

void iob_crc32c(uint8_t *out, const void *data, size_t n)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("sse4.2")) {
		crc32c_by_instruction(out, data, n);
		return;
	}
#endif
	pthread_once(&made, make);
	crc32_by(tables.crc32c, out, data, n);
}

void iob_crc64(uint8_t *out, const void *data, size_t n)
{
	const uint8_t *at = data;
	uint64_t crc = UINT64_MAX;

	pthread_once(&made, make);
	while (n--)
		crc = crc >> 8 ^ tables.crc64[(crc ^ *at++) & 0xff];
	iob_put_be64(out, ~crc);
}

void iob_fnv(uint8_t *out, const void *data, size_t n)
{
	const uint8_t *at = data;
	uint64_t hash = FNV_BASIS;

	while (n--)
		hash = (hash ^ *at++) * FNV_PRIME;
	iob_put_be64(out, hash);
}
