// SPDX-License-Identifier: Apache-2.0
// The session encryption of the Secret Service API, `dh-ietf1024-sha256-aes128-cbc-pkcs7`, in memory of the caller:
// Diffie-Hellman in the second Oakley group (RFC 2409, section 6.2), HKDF with SHA-256 (RFC 5869), AES-128 in CBC mode
// with PKCS #7 padding; all from the BoringSSL in swift-crypto, whose Swift interface has no modular exponentiation.
#ifndef CSECRETSESSION_H
#define CSECRETSESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SESSION_SECRET = 32, SESSION_PUBLIC = 128, SESSION_KEY = 16, SESSION_BLOCK = 16 };

/// The public key of a private one, the most significant byte first. The time does not depend on the private key.
bool af_session_public(const uint8_t private_key[SESSION_SECRET], uint8_t public_key[SESSION_PUBLIC]);

/// The shared key. False if `theirs` is no public key of the group: 0, 1, the prime less 1, or more.
bool af_session_key(
    const uint8_t private_key[SESSION_SECRET], const uint8_t *theirs, size_t size, uint8_t key[SESSION_KEY]);

/// Writes at most `size` + 16 bytes to `sealed`. Returns their number, or -1.
long af_session_seal(
    const uint8_t key[SESSION_KEY], const uint8_t vector[SESSION_BLOCK], const uint8_t *plain, size_t size,
    uint8_t *sealed);

/// Writes at most `size` bytes to `plain`. Returns their number, or -1 if `sealed` is not valid.
long af_session_open(
    const uint8_t key[SESSION_KEY], const uint8_t vector[SESSION_BLOCK], const uint8_t *sealed, size_t size,
    uint8_t *plain);

#endif
