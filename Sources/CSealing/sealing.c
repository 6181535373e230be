// SPDX-License-Identifier: Apache-2.0
#include "CSealing.h"

// BoringSSL's <openssl/aead.h> and <openssl/sha.h>, under the names that they have in swift-crypto. Its headers are not
// a product; were a name to change, the program would not link.
typedef struct evp_aead_st aead;
typedef struct evp_aead_ctx_st aead_context;
const aead *CCryptoBoringSSL_EVP_aead_chacha20_poly1305(void);
aead_context *CCryptoBoringSSL_EVP_AEAD_CTX_new(
    const aead *aead, const uint8_t *key, size_t key_size, size_t tag_size);
void CCryptoBoringSSL_EVP_AEAD_CTX_free(aead_context *context);
int CCryptoBoringSSL_EVP_AEAD_CTX_seal(
    const aead_context *context, uint8_t *out, size_t *out_size, size_t out_limit, const uint8_t *nonce,
    size_t nonce_size, const uint8_t *in, size_t in_size, const uint8_t *associated, size_t associated_size);
int CCryptoBoringSSL_EVP_AEAD_CTX_open(
    const aead_context *context, uint8_t *out, size_t *out_size, size_t out_limit, const uint8_t *nonce,
    size_t nonce_size, const uint8_t *in, size_t in_size, const uint8_t *associated, size_t associated_size);
void CCryptoBoringSSL_CRYPTO_chacha_20(
    uint8_t *out, const uint8_t *in, size_t in_size, const uint8_t key[32], const uint8_t nonce[12], uint32_t counter);
uint8_t *CCryptoBoringSSL_SHA256(const uint8_t *bytes, size_t size, uint8_t *hash);

// Holds the key for one call: it is erased when it is freed.
static aead_context *context_for(const uint8_t *key) {
    return CCryptoBoringSSL_EVP_AEAD_CTX_new(
        CCryptoBoringSSL_EVP_aead_chacha20_poly1305(), key, SEALING_KEY, SEALING_TAG);
}

bool af_seal(
    const uint8_t *key, const void *plain, size_t plain_size, const void *associated, size_t associated_size,
    uint8_t *sealed) {
    aead_context *context = context_for(key);
    if (!context) return false;
    size_t written = 0;
    int done = CCryptoBoringSSL_EVP_AEAD_CTX_seal(
        context, sealed + SEALING_NONCE, &written, plain_size + SEALING_TAG, sealed, SEALING_NONCE, plain, plain_size,
        associated, associated_size);
    CCryptoBoringSSL_EVP_AEAD_CTX_free(context);
    return done == 1 && written == plain_size + SEALING_TAG;
}

bool af_open_sealed(
    const uint8_t *key, const uint8_t *sealed, size_t sealed_size, const void *associated, size_t associated_size,
    uint8_t *plain) {
    if (sealed_size < SEALING_NONCE + SEALING_TAG) return false;
    aead_context *context = context_for(key);
    if (!context) return false;
    size_t written = 0, limit = sealed_size - SEALING_NONCE - SEALING_TAG;
    int done = CCryptoBoringSSL_EVP_AEAD_CTX_open(
        context, plain, &written, limit, sealed, SEALING_NONCE, sealed + SEALING_NONCE, sealed_size - SEALING_NONCE,
        associated, associated_size);
    CCryptoBoringSSL_EVP_AEAD_CTX_free(context);
    return done == 1 && written == limit;
}

bool af_decipher(const uint8_t *key, const uint8_t *sealed, size_t sealed_size, uint8_t *plain) {
    if (sealed_size < SEALING_NONCE + SEALING_TAG) return false;
    // Block 0 of the key stream makes the tag (RFC 8439, section 2.8).
    CCryptoBoringSSL_CRYPTO_chacha_20(
        plain, sealed + SEALING_NONCE, sealed_size - SEALING_NONCE - SEALING_TAG, key, sealed, 1);
    return true;
}

void af_sha256(const void *bytes, size_t size, uint8_t hash[32]) { CCryptoBoringSSL_SHA256(bytes, size, hash); }
