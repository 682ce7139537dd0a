/* SPDX-License-Identifier: MIT */
/* Digests, by libgcrypt. */
#include <config.h>

#include <gcrypt.h>
#include <pthread.h>

#include "base/checksum_kinds.h"

static pthread_once_t begun = PTHREAD_ONCE_INIT;

/* Nothing here is a secret, and a machine that allows approved digests alone is no reason to end:
 * for others the library would. */
static void begin(void)
{
	gcry_control(GCRYCTL_NO_FIPS_MODE);
	gcry_check_version(NULL);
	gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
	gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}

static void digest(int algorithm, uint8_t *out, const void *data, size_t n)
{
	pthread_once(&begun, begin);
	gcry_md_hash_buffer(algorithm, out, data, n);
}

#define DIGEST(name, algorithm)                                                                    \
	void iob_##name(uint8_t *out, const void *data, size_t n)                                  \
	{                                                                                          \
		digest(algorithm, out, data, n);                                                   \
	}

DIGEST(md5, GCRY_MD_MD5)
DIGEST(sha1, GCRY_MD_SHA1)
DIGEST(sha256, GCRY_MD_SHA256)
DIGEST(sha512, GCRY_MD_SHA512)
DIGEST(sha3_224, GCRY_MD_SHA3_224)
DIGEST(sha3_256, GCRY_MD_SHA3_256)
DIGEST(sha3_384, GCRY_MD_SHA3_384)
DIGEST(sha3_512, GCRY_MD_SHA3_512)
