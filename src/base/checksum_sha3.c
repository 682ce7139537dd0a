/* SPDX-License-Identifier: MIT */
/* SHA-3 (FIPS 202): Keccak-f[1600] as a sponge. */
#include <config.h>

#include "base/checksum_kinds.h"

#define LANES  25
#define WIDTH  200 /* bytes of the state */
#define ROUNDS 24

static uint64_t rol(uint64_t value, unsigned n)
{
	return n ? value << n | value >> (64 - n) : value;
}

static void theta(uint64_t s[LANES])
{
	uint64_t column[5];

	for (int x = 0; x < 5; x++)
		column[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
	for (int x = 0; x < 5; x++) {
		uint64_t d = column[(x + 4) % 5] ^ rol(column[(x + 1) % 5], 1);

		for (int y = 0; y < LANES; y += 5)
			s[x + y] ^= d;
	}
}

/* Each lane is turned, by a triangular number of bits, and goes to the place of the next. */
static void rho_pi(uint64_t s[LANES])
{
	uint64_t lane = s[1];

	for (unsigned t = 0, x = 1, y = 0; t < LANES - 1; t++) {
		unsigned next_x = y, next_y = (2 * x + 3 * y) % 5;
		uint64_t kept = s[next_x + 5 * next_y];

		s[next_x + 5 * next_y] = rol(lane, (t + 1) * (t + 2) / 2 % 64);
		lane = kept;
		x = next_x;
		y = next_y;
	}
}

static void chi(uint64_t s[LANES])
{
	for (int y = 0; y < LANES; y += 5) {
		uint64_t row[5];

		memcpy(row, s + y, sizeof(row));
		for (int x = 0; x < 5; x++)
			s[x + y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
	}
}

/* Constants of the rounds come out of a shift register of eight bits. */
static uint64_t iota(uint8_t *reg)
{
	uint64_t constant = 0;

	for (unsigned j = 0; j < 7; j++) {
		constant |= (uint64_t)(*reg & 1) << ((1u << j) - 1);
		*reg = (uint8_t)(*reg & 0x80 ? *reg << 1 ^ 0x71 : *reg << 1);
	}
	return constant;
}

static void permute(uint64_t s[LANES])
{
	uint8_t reg = 1;

	for (int round = 0; round < ROUNDS; round++) {
		theta(s);
		rho_pi(s);
		chi(s);
		s[0] ^= iota(&reg);
	}
}

static void absorb(uint64_t s[LANES], const uint8_t *block, size_t rate)
{
	for (size_t i = 0; i < rate / 8; i++) {
		uint64_t lane;

		memcpy(&lane, block + 8 * i, sizeof(lane));
		s[i] ^= le64toh(lane);
	}
	permute(s);
}

static void sha3(uint8_t *out, size_t size, const void *data, size_t n)
{
	const size_t rate = WIDTH - 2 * size;
	const uint8_t *at = data;
	uint64_t s[LANES] = {0};
	uint8_t last[WIDTH] = {0};

	for (; n >= rate; n -= rate, at += rate)
		absorb(s, at, rate);
	memcpy(last, at, n);
	last[n] = 0x06;
	last[rate - 1] |= 0x80;
	absorb(s, last, rate);
	for (int i = 0; i < LANES; i++)
		s[i] = htole64(s[i]);
	memcpy(out, s, size);
}

void iob_sha3_224(uint8_t *out, const void *data, size_t n)
{
	sha3(out, 28, data, n);
}

void iob_sha3_256(uint8_t *out, const void *data, size_t n)
{
	sha3(out, 32, data, n);
}

void iob_sha3_384(uint8_t *out, const void *data, size_t n)
{
	sha3(out, 48, data, n);
}

void iob_sha3_512(uint8_t *out, const void *data, size_t n)
{
	sha3(out, 64, data, n);
}
