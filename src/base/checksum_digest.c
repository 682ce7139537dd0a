/* SPDX-License-Identifier: MIT */
/* MD5 (RFC 1321), SHA-1, SHA-256 and SHA-512 (FIPS 180-4): blocks go through a function of a state;
 * behind the data come a bit, zeros and the length. */
#include <config.h>

#include <math.h>
#include <pthread.h>
#include <stdbool.h>

#include "base/checksum_kinds.h"

#define MOST_BLOCK 128

struct digest {
	size_t block, length; /* bytes of a block, of the length at the end */
	bool little_endian;
	void (*compress)(void *state, const uint8_t *block);
};

/* The first bits of the fractions of the square roots of the first eight primes, and of the cube
 * roots of the first eighty: SHA-256 takes the upper half of each. */
static const uint64_t roots[8] = {UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b),
	UINT64_C(0x3c6ef372fe94f82b), UINT64_C(0xa54ff53a5f1d36f1), UINT64_C(0x510e527fade682d1),
	UINT64_C(0x9b05688c2b3e6c1f), UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179)};
static const uint64_t cubic[80] = {UINT64_C(0x428a2f98d728ae22), UINT64_C(0x7137449123ef65cd),
	UINT64_C(0xb5c0fbcfec4d3b2f), UINT64_C(0xe9b5dba58189dbbc), UINT64_C(0x3956c25bf348b538),
	UINT64_C(0x59f111f1b605d019), UINT64_C(0x923f82a4af194f9b), UINT64_C(0xab1c5ed5da6d8118),
	UINT64_C(0xd807aa98a3030242), UINT64_C(0x12835b0145706fbe), UINT64_C(0x243185be4ee4b28c),
	UINT64_C(0x550c7dc3d5ffb4e2), UINT64_C(0x72be5d74f27b896f), UINT64_C(0x80deb1fe3b1696b1),
	UINT64_C(0x9bdc06a725c71235), UINT64_C(0xc19bf174cf692694), UINT64_C(0xe49b69c19ef14ad2),
	UINT64_C(0xefbe4786384f25e3), UINT64_C(0x0fc19dc68b8cd5b5), UINT64_C(0x240ca1cc77ac9c65),
	UINT64_C(0x2de92c6f592b0275), UINT64_C(0x4a7484aa6ea6e483), UINT64_C(0x5cb0a9dcbd41fbd4),
	UINT64_C(0x76f988da831153b5), UINT64_C(0x983e5152ee66dfab), UINT64_C(0xa831c66d2db43210),
	UINT64_C(0xb00327c898fb213f), UINT64_C(0xbf597fc7beef0ee4), UINT64_C(0xc6e00bf33da88fc2),
	UINT64_C(0xd5a79147930aa725), UINT64_C(0x06ca6351e003826f), UINT64_C(0x142929670a0e6e70),
	UINT64_C(0x27b70a8546d22ffc), UINT64_C(0x2e1b21385c26c926), UINT64_C(0x4d2c6dfc5ac42aed),
	UINT64_C(0x53380d139d95b3df), UINT64_C(0x650a73548baf63de), UINT64_C(0x766a0abb3c77b2a8),
	UINT64_C(0x81c2c92e47edaee6), UINT64_C(0x92722c851482353b), UINT64_C(0xa2bfe8a14cf10364),
	UINT64_C(0xa81a664bbc423001), UINT64_C(0xc24b8b70d0f89791), UINT64_C(0xc76c51a30654be30),
	UINT64_C(0xd192e819d6ef5218), UINT64_C(0xd69906245565a910), UINT64_C(0xf40e35855771202a),
	UINT64_C(0x106aa07032bbd1b8), UINT64_C(0x19a4c116b8d2d0c8), UINT64_C(0x1e376c085141ab53),
	UINT64_C(0x2748774cdf8eeb99), UINT64_C(0x34b0bcb5e19b48a8), UINT64_C(0x391c0cb3c5c95a63),
	UINT64_C(0x4ed8aa4ae3418acb), UINT64_C(0x5b9cca4f7763e373), UINT64_C(0x682e6ff3d6b2b8a3),
	UINT64_C(0x748f82ee5defb2fc), UINT64_C(0x78a5636f43172f60), UINT64_C(0x84c87814a1f0ab72),
	UINT64_C(0x8cc702081a6439ec), UINT64_C(0x90befffa23631e28), UINT64_C(0xa4506cebde82bde9),
	UINT64_C(0xbef9a3f7b2c67915), UINT64_C(0xc67178f2e372532b), UINT64_C(0xca273eceea26619c),
	UINT64_C(0xd186b8c721c0c207), UINT64_C(0xeada7dd6cde0eb1e), UINT64_C(0xf57d4f7fee6ed178),
	UINT64_C(0x06f067aa72176fba), UINT64_C(0x0a637dc5a2c898a6), UINT64_C(0x113f9804bef90dae),
	UINT64_C(0x1b710b35131c471b), UINT64_C(0x28db77f523047d84), UINT64_C(0x32caab7b40c72493),
	UINT64_C(0x3c9ebe0a15c9bebc), UINT64_C(0x431d67c49c100d4c), UINT64_C(0x4cc5d4becb3e42b6),
	UINT64_C(0x597f299cfc657e2a), UINT64_C(0x5fcb6fab3ad6faec), UINT64_C(0x6c44198c4a475817)};

static void put_length(const struct digest *d, uint8_t *end, uint64_t bits)
{
	for (int i = 0; i < 8; i++, bits >>= 8)
		*(d->little_endian ? end - 8 + i : end - 1 - i) = (uint8_t)bits;
}

static void run(const struct digest *d, void *state, const uint8_t *at, size_t n)
{
	uint8_t last[2 * MOST_BLOCK] = {0};
	uint64_t bits = (uint64_t)n * 8;

	for (; n >= d->block; n -= d->block, at += d->block)
		d->compress(state, at);
	memcpy(last, at, n);
	last[n] = 0x80;
	size_t size = n + 1 + d->length <= d->block ? d->block : 2 * d->block;
	put_length(d, last + size, bits);
	for (size_t i = 0; i < size; i += d->block)
		d->compress(state, last + i);
}

static uint32_t be32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return be32toh(value);
}

static uint64_t be64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return be64toh(value);
}

static uint32_t ror32(uint32_t value, unsigned n)
{
	return value >> n | value << (32 - n);
}

static uint64_t ror64(uint64_t value, unsigned n)
{
	return value >> n | value << (64 - n);
}

static uint32_t sines[64];
static pthread_once_t sines_made = PTHREAD_ONCE_INIT;

static void make_sines(void)
{
	for (int i = 0; i < 64; i++)
		sines[i] = (uint32_t)(int64_t)(fabs(sin(i + 1)) * 0x1p32);
}

static void md5_block(void *state, const uint8_t *block)
{
	static const uint8_t turn[4][4] = {
		{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
	uint32_t *h = state, a = h[0], b = h[1], c = h[2], d = h[3];

	for (unsigned i = 0; i < 64; i++) {
		unsigned round = i / 16, word = i;
		uint32_t f = (b & c) | (~b & d);

		if (round == 1)
			f = (d & b) | (~d & c), word = 5 * i + 1;
		else if (round == 2)
			f = b ^ c ^ d, word = 3 * i + 5;
		else if (round == 3)
			f = c ^ (b | ~d), word = 7 * i;
		f += a + sines[i] + iob_get_le32(block + 4 * (word % 16));
		a = d;
		d = c;
		c = b;
		b += iob_rol32(f, turn[round][i % 4]);
	}
	h[0] += a;
	h[1] += b;
	h[2] += c;
	h[3] += d;
}

void iob_md5(uint8_t *out, const void *data, size_t n)
{
	static const struct digest md5 = {64, 8, true, md5_block};
	uint32_t h[] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

	pthread_once(&sines_made, make_sines);
	run(&md5, h, data, n);
	for (int i = 0; i < 4; i++)
		h[i] = htole32(h[i]);
	memcpy(out, h, sizeof(h));
}

static void sha1_block(void *state, const uint8_t *block)
{
	static const uint32_t constant[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
	uint32_t *h = state, a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], w[80];

	for (int i = 0; i < 16; i++)
		w[i] = be32(block + 4 * i);
	for (int i = 16; i < 80; i++)
		w[i] = iob_rol32(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	for (int i = 0; i < 80; i++) {
		uint32_t f = b ^ c ^ d;

		if (i < 20)
			f = (b & c) | (~b & d);
		else if (i >= 40 && i < 60)
			f = (b & c) | (b & d) | (c & d);
		f += iob_rol32(a, 5) + e + constant[i / 20] + w[i];
		e = d;
		d = c;
		c = iob_rol32(b, 30);
		b = a;
		a = f;
	}
	h[0] += a;
	h[1] += b;
	h[2] += c;
	h[3] += d;
	h[4] += e;
}

void iob_sha1(uint8_t *out, const void *data, size_t n)
{
	static const struct digest sha1 = {64, 8, false, sha1_block};
	uint32_t h[] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

	run(&sha1, h, data, n);
	for (int i = 0; i < 5; i++)
		iob_put_be32(out + 4 * i, h[i]);
}

static void sha256_block(void *state, const uint8_t *block)
{
	uint32_t *h = state, v[8], w[64];

	memcpy(v, h, sizeof(v));
	for (int i = 0; i < 64; i++) {
		if (i < 16) {
			w[i] = be32(block + 4 * i);
		} else {
			uint32_t p = w[i - 15], q = w[i - 2];

			w[i] = w[i - 16] + w[i - 7] + (ror32(p, 7) ^ ror32(p, 18) ^ p >> 3) +
			       (ror32(q, 17) ^ ror32(q, 19) ^ q >> 10);
		}
		uint32_t a = v[0], e = v[4];
		uint32_t one = v[7] + (ror32(e, 6) ^ ror32(e, 11) ^ ror32(e, 25)) +
			       ((e & v[5]) ^ (~e & v[6])) + (uint32_t)(cubic[i] >> 32) + w[i];
		uint32_t two = (ror32(a, 2) ^ ror32(a, 13) ^ ror32(a, 22)) +
			       ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[0] = one + two;
		v[4] += one;
	}
	for (int i = 0; i < 8; i++)
		h[i] += v[i];
}

void iob_sha256(uint8_t *out, const void *data, size_t n)
{
	static const struct digest sha256 = {64, 8, false, sha256_block};
	uint32_t h[8];

	for (int i = 0; i < 8; i++)
		h[i] = (uint32_t)(roots[i] >> 32);
	run(&sha256, h, data, n);
	for (int i = 0; i < 8; i++)
		iob_put_be32(out + 4 * i, h[i]);
}

static void sha512_block(void *state, const uint8_t *block)
{
	uint64_t *h = state, v[8], w[80];

	memcpy(v, h, sizeof(v));
	for (int i = 0; i < 80; i++) {
		if (i < 16) {
			w[i] = be64(block + 8 * i);
		} else {
			uint64_t p = w[i - 15], q = w[i - 2];

			w[i] = w[i - 16] + w[i - 7] + (ror64(p, 1) ^ ror64(p, 8) ^ p >> 7) +
			       (ror64(q, 19) ^ ror64(q, 61) ^ q >> 6);
		}
		uint64_t a = v[0], e = v[4];
		uint64_t one = v[7] + (ror64(e, 14) ^ ror64(e, 18) ^ ror64(e, 41)) +
			       ((e & v[5]) ^ (~e & v[6])) + cubic[i] + w[i];
		uint64_t two = (ror64(a, 28) ^ ror64(a, 34) ^ ror64(a, 39)) +
			       ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[0] = one + two;
		v[4] += one;
	}
	for (int i = 0; i < 8; i++)
		h[i] += v[i];
}

void iob_sha512(uint8_t *out, const void *data, size_t n)
{
	static const struct digest sha512 = {128, 16, false, sha512_block};
	uint64_t h[8];

	memcpy(h, roots, sizeof(h));
	run(&sha512, h, data, n);
	for (int i = 0; i < 8; i++)
		iob_put_be64(out + 8 * i, h[i]);
}
