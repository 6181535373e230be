// SPDX-License-Identifier: Apache-2.0
// What foreign formats need of libgcrypt, zlib, expat, libarchive and libqrencode. Built without them (the package trait
// ForeignLibraries), af_foreign_start returns false, and every other function fails.
#ifndef CFOREIGNLIBRARIES_H
#define CFOREIGNLIBRARIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Prepares the libraries, before the process is confined. False where this was built without them.
bool af_foreign_start(void);

struct af_piece {
    const void *bytes;
    size_t count;
};

/// SHA-1, SHA-256, SHA-384 or SHA-512 of several pieces, by the number of its bits.
bool af_digest(int bits, const struct af_piece *pieces, size_t count, void *digest);
/// HMAC of several pieces, by the bits of its hash.
bool af_hmac(int bits, const void *key, size_t key_size, const struct af_piece *pieces, size_t count, void *digest);

/// PBKDF2 with HMAC, by the bits of its hash.
bool af_pbkdf2(int bits, const void *password, size_t password_size, const void *salt, size_t salt_size, uint64_t iterations, void *key, size_t key_size);
/// Argon2d or Argon2id of version 1.3.
bool af_argon2(bool is_id, const void *password, size_t password_size, const void *salt, size_t salt_size, uint64_t passes, uint64_t kibibytes, uint64_t lanes, void *key, size_t key_size);
/// Encrypts both halves of `data` `rounds` times with AES-256.
bool af_aes_rounds(const void *key, void *data, uint64_t rounds);

enum af_cipher { AF_AES_CBC, AF_AES_128_CBC, AF_3DES_CBC, AF_TWOFISH_CBC, AF_CHACHA20, AF_SALSA20 };

struct af_cipher_state;
/// A cipher with its key; NULL if it cannot be made.
struct af_cipher_state *af_cipher_open(enum af_cipher cipher, const void *key, size_t key_size, const void *nonce, size_t nonce_size);
bool af_cipher_encrypt(struct af_cipher_state *state, void *bytes, size_t count);
bool af_cipher_decrypt(struct af_cipher_state *state, void *bytes, size_t count);
void af_cipher_close(struct af_cipher_state *state);

struct af_inflate_state;
/// Decompresses gzip.
struct af_inflate_state *af_inflate_open(const void *bytes, size_t count);
/// The number of bytes written to `target`; 0 at the end, negative where the data is damaged.
ptrdiff_t af_inflate_next(struct af_inflate_state *state, void *target, size_t count);
void af_inflate_close(struct af_inflate_state *state);

struct af_deflate_state;
/// Compresses to gzip, piece by piece.
struct af_deflate_state *af_deflate_open(void);
/// The next bytes to compress, which stay where they are until all are compressed.
void af_deflate_input(struct af_deflate_state *state, const void *bytes, size_t count);
/// The number of bytes written to `target`; 0 where the input, or with `is_last` the whole, is compressed; negative if it
/// failed.
ptrdiff_t af_deflate_next(struct af_deflate_state *state, bool is_last, void *target, size_t count);
void af_deflate_close(struct af_deflate_state *state);

enum af_xml_result { AF_XML_READ, AF_XML_MALFORMED, AF_XML_ENTITY, AF_XML_STOPPED };

/// The handlers return false to stop.
struct af_xml_handlers {
    void *context;
    bool (*start)(void *context, const char *name, const char *const *attributes);
    bool (*end)(void *context, const char *name);
    bool (*text)(void *context, const char *bytes, size_t count);
};

/// Parses XML in which no document type is declared; `line` and `column` are where it stopped.
enum af_xml_result af_xml_parse(const void *bytes, size_t count, const struct af_xml_handlers *handlers, size_t *line, size_t *column);

struct af_archive_state;
/// Reads a zip file.
struct af_archive_state *af_archive_open(const void *bytes, size_t count);
/// The name of the next file: valid until the next call. NULL at the end, with `is_damaged` set where it is none.
const char *af_archive_next(struct af_archive_state *state, bool *is_damaged);
/// The number of bytes read from that file; 0 at its end, negative where it is damaged or encrypted.
ptrdiff_t af_archive_read(struct af_archive_state *state, void *target, size_t count);
void af_archive_close(struct af_archive_state *state);

/// The modules of a QR code (ISO/IEC 18004, level M) row by row, a byte each: 1 is dark. Returns the width; 0 if `modules` is too
/// small for them or the text too long.
int af_qr_code(const char *text, uint8_t *modules, size_t size);

#endif
