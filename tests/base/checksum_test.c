/* SPDX-License-Identifier: MIT */
/* Against the values that the standards and the authors publish. */
#include <config.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/checksum.h"

static const char *hex_of(const struct iob_checksum *c, const void *data, size_t n)
{
	static char hex[2 * IOB_CHECKSUM_MAX + 1];
	uint8_t out[IOB_CHECKSUM_MAX];

	c->compute(out, data, n);
	for (unsigned i = 0; i < c->size; i++)
		sprintf(hex + 2 * i, "%02x", out[i]);
	return hex;
}

Test(checksum, known_values)
{
	static const struct {
		const char *name, *text, *hex;
	} rows[] = {
		{"md5", "abc", "900150983cd24fb0d6963f7d28e17f72"},
		{"sha1", "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"},
		{"sha256", "abc",
			"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"sha512", "abc",
			"ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
		{"sha3-224", "abc", "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf"},
		{"sha3-256", "abc",
			"3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"},
		{"sha3-384", "abc",
			"ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25"},
		{"sha3-512", "abc",
			"b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0"},
		{"crc32", "123456789", "cbf43926"},
		{"crc32c", "123456789", "e3069283"},
		{"crc16", "123456789", "bb3d"},
		{"crc64", "123456789", "995dc9bbdf1939fa"},
		{"crc7", "123456789", "75"},
		{"fnv", "a", "af63dc4c8601ec8c"},
		{"xxhash", "", "02cc5d05"},
		{"xxhash", "abc", "32d153ff"},
		{"xxhash", "Nobody inspects the spammish repetition", "e2293b2f"},
		{"murmur3", "", "00000000"},
		{"murmur3", "hello, world", "149bbb7f"},
		{"murmur3", "The quick brown fox jumps over the lazy dog", "2e4ff723"},
		{"jhash", "", "deadbeef"},
		{"jhash", "Four score and seven years ago", "17770551"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct iob_checksum *c = iob_checksum_find(rows[i].name);

		cr_assert(c, "%s", rows[i].name);
		cr_expect_str_eq(hex_of(c, rows[i].text, strlen(rows[i].text)), rows[i].hex,
			"%s of \"%s\"", rows[i].name, rows[i].text);
	}
	cr_expect_null(iob_checksum_find("crc"));
}

/* Of lengths around all sizes of blocks: the digest of the digests. */
Test(checksum, digests_of_all_lengths)
{
	static const char *const rows[][2] = {
		{"md5", "277366fd594001afc564abe44b235f14"},
		{"sha1", "cffaee66c8b3d30cdf55a1350398eda6fb432691"},
		{"sha256", "50bc5e42928c8ca95524abf991def638f5d9442302d12e3e1163eda6f27ad480"},
		{"sha512",
			"c9ef3d5c045f440dac73d0076bbf300ffd85b1df7a3801bcd51e96ef878afbdaf260a567e2b879e4e9b405c3c70ae27d932e779b2a2f808a5c3150315484579d"},
		{"sha3-224", "909e4378f9e731fca40370db45f982a5057702ba264c0608790d2adc"},
		{"sha3-256", "d5b012e5836276cdbaf8dc5687c30c43f84df099862b778cfc9af6d887f0eb87"},
		{"sha3-384",
			"c7275cecc894102864e50ef48c326a970473d27a82d81433de416a749787842c7db784f2ff25c14a79322fc54c96b34a"},
		{"sha3-512",
			"9a410cf64612c68da87531b23b037f89bb8a4e74172bb17dd75ac91494e1bde2f3902361c03c04fe7b05defaaa0cf9300e6323e19691396118303f71b76407f0"},
	};
	static uint8_t data[300], all[300 * IOB_CHECKSUM_MAX];

	for (unsigned i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 31);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct iob_checksum *c = iob_checksum_find(rows[i][0]);

		for (size_t n = 0; n < sizeof(data); n++)
			c->compute(all + n * c->size, data, n);
		cr_expect_str_eq(
			hex_of(c, all, sizeof(data) * c->size), rows[i][1], "%s", rows[i][0]);
	}
}

/* Those that take words at a time, against themselves byte by byte where the end moves. */
Test(checksum, each_byte_counts)
{
	static uint8_t data[64];
	char first[2 * IOB_CHECKSUM_MAX + 1];

	for (const struct iob_checksum *c = iob_checksums; c->name; c++) {
		for (size_t n = 1; n <= sizeof(data); n++) {
			memset(data, 0x5a, sizeof(data));
			strcpy(first, hex_of(c, data, n));
			data[n - 1] ^= 1;
			cr_expect_str_neq(hex_of(c, data, n), first, "%s of %zu bytes", c->name, n);
			data[n - 1] ^= 1;
			if (n < sizeof(data))
				data[n] ^= 1;
			cr_expect_str_eq(hex_of(c, data, n), first, "%s of %zu bytes", c->name, n);
		}
	}
}
