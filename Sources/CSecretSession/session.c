// SPDX-License-Identifier: Apache-2.0
#include "CSecretSession.h"

#include <limits.h>
#include <string.h>

// BoringSSL's <openssl/bn.h>, <openssl/cipher.h> and <openssl/hkdf.h>, under the names that swift-crypto gives them.
// Its headers are not a product; if a name changed, the program would not link.
typedef struct bignum_st number;
typedef struct bignum_ctx number_context;
typedef struct bn_mont_ctx_st montgomery;
typedef struct env_md_st digest;
typedef struct evp_cipher_st cipher;
typedef struct evp_cipher_ctx_st cipher_context;
typedef struct engine_st engine;
number *CCryptoBoringSSL_BN_new(void);
void CCryptoBoringSSL_BN_clear_free(number *number);
number *CCryptoBoringSSL_BN_bin2bn(const uint8_t *bytes, size_t size, number *into);
int CCryptoBoringSSL_BN_bn2bin_padded(uint8_t *bytes, size_t size, const number *number);
number_context *CCryptoBoringSSL_BN_CTX_new(void);
void CCryptoBoringSSL_BN_CTX_free(number_context *context);
montgomery *CCryptoBoringSSL_BN_MONT_CTX_new_for_modulus(const number *modulus, number_context *context);
void CCryptoBoringSSL_BN_MONT_CTX_free(montgomery *context);
int CCryptoBoringSSL_BN_mod_exp_mont_consttime(
    number *result, const number *base, const number *exponent, const number *modulus, number_context *context,
    const montgomery *montgomery);
const digest *CCryptoBoringSSL_EVP_sha256(void);
int CCryptoBoringSSL_HKDF(
    uint8_t *key, size_t key_size, const digest *digest, const uint8_t *secret, size_t secret_size, const uint8_t *salt,
    size_t salt_size, const uint8_t *info, size_t info_size);
const cipher *CCryptoBoringSSL_EVP_aes_128_cbc(void);
cipher_context *CCryptoBoringSSL_EVP_CIPHER_CTX_new(void);
void CCryptoBoringSSL_EVP_CIPHER_CTX_free(cipher_context *context);
int CCryptoBoringSSL_EVP_CipherInit_ex(
    cipher_context *context, const cipher *cipher, engine *engine, const uint8_t *key, const uint8_t *vector, int seals);
int CCryptoBoringSSL_EVP_CipherUpdate(
    cipher_context *context, uint8_t *out, int *out_size, const uint8_t *in, int in_size);
int CCryptoBoringSSL_EVP_CipherFinal_ex(cipher_context *context, uint8_t *out, int *out_size);
void CCryptoBoringSSL_OPENSSL_cleanse(void *memory, size_t size);

// RFC 2409, section 6.2; its generator is 2.
static const uint8_t prime[SESSION_PUBLIC] = {
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xC9, 0x0F, 0xDA, 0xA2, 0x21, 0x68, 0xC2, 0x34, 0xC4, 0xC6, 0x62,
    0x8B, 0x80, 0xDC, 0x1C, 0xD1, 0x29, 0x02, 0x4E, 0x08, 0x8A, 0x67, 0xCC, 0x74, 0x02, 0x0B, 0xBE, 0xA6, 0x3B, 0x13,
    0x9B, 0x22, 0x51, 0x4A, 0x08, 0x79, 0x8E, 0x34, 0x04, 0xDD, 0xEF, 0x95, 0x19, 0xB3, 0xCD, 0x3A, 0x43, 0x1B, 0x30,
    0x2B, 0x0A, 0x6D, 0xF2, 0x5F, 0x14, 0x37, 0x4F, 0xE1, 0x35, 0x6D, 0x6D, 0x51, 0xC2, 0x45, 0xE4, 0x85, 0xB5, 0x76,
    0x62, 0x5E, 0x7E, 0xC6, 0xF4, 0x4C, 0x42, 0xE9, 0xA6, 0x37, 0xED, 0x6B, 0x0B, 0xFF, 0x5C, 0xB6, 0xF4, 0x06, 0xB7,
    0xED, 0xEE, 0x38, 0x6B, 0xFB, 0x5A, 0x89, 0x9F, 0xA5, 0xAE, 0x9F, 0x24, 0x11, 0x7C, 0x4B, 0x1F, 0xE6, 0x49, 0x28,
    0x66, 0x51, 0xEC, 0xE6, 0x53, 0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
};

// base ^ exponent mod prime, for a base below the prime.
static bool power(const uint8_t *base, size_t size, const uint8_t *exponent, uint8_t result[SESSION_PUBLIC]) {
    number_context *context = CCryptoBoringSSL_BN_CTX_new();
    number *modulus = CCryptoBoringSSL_BN_bin2bn(prime, sizeof prime, NULL);
    number *from = CCryptoBoringSSL_BN_bin2bn(base, size, NULL);
    number *by = CCryptoBoringSSL_BN_bin2bn(exponent, SESSION_SECRET, NULL);
    number *to = CCryptoBoringSSL_BN_new();
    montgomery *montgomery =
        context && modulus ? CCryptoBoringSSL_BN_MONT_CTX_new_for_modulus(modulus, context) : NULL;
    bool done = montgomery && from && by && to &&
                CCryptoBoringSSL_BN_mod_exp_mont_consttime(to, from, by, modulus, context, montgomery) == 1 &&
                CCryptoBoringSSL_BN_bn2bin_padded(result, SESSION_PUBLIC, to) == 1;
    CCryptoBoringSSL_BN_MONT_CTX_free(montgomery);
    CCryptoBoringSSL_BN_clear_free(to);
    CCryptoBoringSSL_BN_clear_free(by);
    CCryptoBoringSSL_BN_clear_free(from);
    CCryptoBoringSSL_BN_clear_free(modulus);
    CCryptoBoringSSL_BN_CTX_free(context);
    return done;
}

bool af_session_public(const uint8_t private_key[SESSION_SECRET], uint8_t public_key[SESSION_PUBLIC]) {
    const uint8_t generator = 2;
    return power(&generator, 1, private_key, public_key);
}

bool af_session_key(
    const uint8_t private_key[SESSION_SECRET], const uint8_t *theirs, size_t size, uint8_t key[SESSION_KEY]) {
    while (size > 0 && *theirs == 0) theirs++, size--;
    if (size == 0 || size > SESSION_PUBLIC || (size == 1 && *theirs < 2)) return false;
    // The prime less 1 differs from the prime in the last byte alone.
    uint8_t last[SESSION_PUBLIC];
    memcpy(last, prime, sizeof last);
    last[SESSION_PUBLIC - 1] -= 1;
    if (size == SESSION_PUBLIC && memcmp(theirs, last, sizeof last) >= 0) return false;
    uint8_t shared[SESSION_PUBLIC];
    bool done = power(theirs, size, private_key, shared) &&
                CCryptoBoringSSL_HKDF(
                    key, SESSION_KEY, CCryptoBoringSSL_EVP_sha256(), shared, sizeof shared, NULL, 0, NULL, 0) == 1;
    CCryptoBoringSSL_OPENSSL_cleanse(shared, sizeof shared);
    return done;
}

static long run(
    bool seals, const uint8_t *key, const uint8_t *vector, const uint8_t *in, size_t size, uint8_t *out) {
    if (size > INT_MAX - SESSION_BLOCK) return -1;
    cipher_context *context = CCryptoBoringSSL_EVP_CIPHER_CTX_new();
    if (!context) return -1;
    int first = 0, last = 0;
    bool done =
        CCryptoBoringSSL_EVP_CipherInit_ex(context, CCryptoBoringSSL_EVP_aes_128_cbc(), NULL, key, vector, seals) == 1 &&
        CCryptoBoringSSL_EVP_CipherUpdate(context, out, &first, in, (int)size) == 1 &&
        CCryptoBoringSSL_EVP_CipherFinal_ex(context, out + first, &last) == 1;
    CCryptoBoringSSL_EVP_CIPHER_CTX_free(context);
    return done ? (long)first + last : -1;
}

long af_session_seal(
    const uint8_t key[SESSION_KEY], const uint8_t vector[SESSION_BLOCK], const uint8_t *plain, size_t size,
    uint8_t *sealed) {
    return run(true, key, vector, plain, size, sealed);
}

long af_session_open(
    const uint8_t key[SESSION_KEY], const uint8_t vector[SESSION_BLOCK], const uint8_t *sealed, size_t size,
    uint8_t *plain) {
    if (size == 0 || size % SESSION_BLOCK != 0) return -1;
    return run(false, key, vector, sealed, size, plain);
}
