// SPDX-License-Identifier: Apache-2.0
// ChaCha20-Poly1305 (RFC 8439) and SHA-256 of the BoringSSL that swift-crypto contains, on the caller's own memory.
//
// swift-crypto's interface allocates and copies a dozen times for each record: the wrapper around them needed four
// times as long as sealing and opening themselves, a quarter of a whole look-up.
#ifndef CSEALING_H
#define CSEALING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SEALING_KEY = 32, SEALING_NONCE = 12, SEALING_TAG = 16 };

/// `sealed` begins with the nonce; behind it are written the cipher text and the tag: `plain_size` + 28 bytes in all.
bool af_seal(
    const uint8_t *key, const void *plain, size_t plain_size, const void *associated, size_t associated_size,
    uint8_t *sealed);

/// Writes `sealed_size` - 28 bytes to `plain`; false, with nothing to be read there, where `sealed` is not what was
/// sealed with this key and these data.
bool af_open_sealed(
    const uint8_t *key, const uint8_t *sealed, size_t sealed_size, const void *associated, size_t associated_size,
    uint8_t *plain);

/// Decrypts `sealed` without authentication: the `sealed_size` - 28 bytes that are written to `plain` may be any bytes.
/// False where there are fewer than 28.
bool af_decipher(const uint8_t *key, const uint8_t *sealed, size_t sealed_size, uint8_t *plain);

/// The 32 bytes of the hash.
void af_sha256(const void *bytes, size_t size, uint8_t hash[32]);

/// Whether the working memory of a key derivation of that size is locked: under RLIMIT_MEMLOCK, of which it uses half
/// at most. It is excluded from core dumps and overwritten afterwards in any case.
bool af_derivation_lockable(size_t size);

#endif
