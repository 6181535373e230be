// SPDX-License-Identifier: Apache-2.0
#include "CForeignLibraries.h"

#include <stdlib.h>
#include <string.h>

#ifdef AF_FOREIGN_LIBRARIES
#include <gcrypt.h>

bool af_foreign_start(void) {
    // Version 1.10 is the first one with Argon2.
    if (!gcry_check_version("1.10.0")) return false;
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return true;
}

static bool update(gcry_md_hd_t handle, const struct af_piece *pieces, size_t count, int algorithm, void *digest) {
    for (size_t i = 0; i < count; i++) gcry_md_write(handle, pieces[i].bytes, pieces[i].count);
    const void *read = gcry_md_read(handle, algorithm);
    if (read) memcpy(digest, read, gcry_md_get_algo_dlen(algorithm));
    gcry_md_close(handle);
    return read != NULL;
}

static int hash(int bits) { return bits == 512 ? GCRY_MD_SHA512 : bits == 384 ? GCRY_MD_SHA384 : bits == 160 ? GCRY_MD_SHA1 : GCRY_MD_SHA256; }

bool af_digest(int bits, const struct af_piece *pieces, size_t count, void *digest) {
    int algorithm = hash(bits);
    gcry_md_hd_t handle;
    return gcry_md_open(&handle, algorithm, 0) == 0 && update(handle, pieces, count, algorithm, digest);
}

bool af_hmac(int bits, const void *key, size_t key_size, const struct af_piece *pieces, size_t count, void *digest) {
    gcry_md_hd_t handle;
    if (gcry_md_open(&handle, hash(bits), GCRY_MD_FLAG_HMAC) != 0) return false;
    if (gcry_md_setkey(handle, key, key_size) != 0) {
        gcry_md_close(handle);
        return false;
    }
    return update(handle, pieces, count, hash(bits), digest);
}

bool af_pbkdf2(int bits, const void *password, size_t password_size, const void *salt, size_t salt_size, uint64_t iterations, void *key, size_t key_size) {
    return gcry_kdf_derive(password, password_size, GCRY_KDF_PBKDF2, hash(bits), salt, salt_size, iterations, key_size, key) == 0;
}

bool af_argon2(bool is_id, const void *password, size_t password_size, const void *salt, size_t salt_size, uint64_t passes, uint64_t kibibytes, uint64_t lanes, void *key, size_t key_size) {
    unsigned long parameters[4] = {key_size, passes, kibibytes, lanes};
    gcry_kdf_hd_t handle;
    int kind = is_id ? GCRY_KDF_ARGON2ID : GCRY_KDF_ARGON2D;
    if (gcry_kdf_open(&handle, GCRY_KDF_ARGON2, kind, parameters, 4, password, password_size, salt, salt_size, NULL, 0, NULL, 0) != 0) return false;
    bool is_derived = gcry_kdf_compute(handle, NULL) == 0 && gcry_kdf_final(handle, key_size, key) == 0;
    gcry_kdf_close(handle);
    return is_derived;
}

bool af_aes_rounds(const void *key, void *data, uint64_t rounds) {
    gcry_cipher_hd_t handle;
    if (gcry_cipher_open(&handle, GCRY_CIPHER_AES256, GCRY_CIPHER_MODE_CBC, 0) != 0) return false;
    static uint8_t blocks[64 * 1024];
    bool is_done = gcry_cipher_setkey(handle, key, 32) == 0;
    for (size_t half = 0; half < 2 && is_done; half++) {
        uint8_t *block = (uint8_t *)data + 16 * half;
        // CBC over zeros encrypts the block before, again and again.
        for (uint64_t left = rounds; left > 0 && is_done;) {
            size_t count = left < sizeof blocks / 16 ? (size_t)left : sizeof blocks / 16;
            memset(blocks, 0, 16 * count);
            is_done = gcry_cipher_setiv(handle, block, 16) == 0 && gcry_cipher_encrypt(handle, blocks, 16 * count, NULL, 0) == 0;
            memcpy(block, blocks + 16 * (count - 1), 16);
            left -= count;
        }
    }
    explicit_bzero(blocks, sizeof blocks);
    gcry_cipher_close(handle);
    return is_done;
}

struct af_cipher_state {
    gcry_cipher_hd_t handle;
};

struct af_cipher_state *af_cipher_open(enum af_cipher cipher, const void *key, size_t key_size, const void *nonce, size_t nonce_size) {
    static const struct {
        int algorithm, mode;
    } kinds[] = {
        [AF_AES_CBC] = {GCRY_CIPHER_AES256, GCRY_CIPHER_MODE_CBC},
        [AF_AES_128_CBC] = {GCRY_CIPHER_AES128, GCRY_CIPHER_MODE_CBC},
        [AF_3DES_CBC] = {GCRY_CIPHER_3DES, GCRY_CIPHER_MODE_CBC},
        [AF_TWOFISH_CBC] = {GCRY_CIPHER_TWOFISH, GCRY_CIPHER_MODE_CBC},
        [AF_CHACHA20] = {GCRY_CIPHER_CHACHA20, GCRY_CIPHER_MODE_STREAM},
        [AF_SALSA20] = {GCRY_CIPHER_SALSA20, GCRY_CIPHER_MODE_STREAM},
    };
    struct af_cipher_state *state = malloc(sizeof *state);
    if (!state) return NULL;
    if (gcry_cipher_open(&state->handle, kinds[cipher].algorithm, kinds[cipher].mode, 0) != 0) {
        free(state);
        return NULL;
    }
    if (gcry_cipher_setkey(state->handle, key, key_size) != 0 || gcry_cipher_setiv(state->handle, nonce, nonce_size) != 0) {
        af_cipher_close(state);
        return NULL;
    }
    return state;
}

bool af_cipher_encrypt(struct af_cipher_state *state, void *bytes, size_t count) {
    return count == 0 || gcry_cipher_encrypt(state->handle, bytes, count, NULL, 0) == 0;
}

bool af_cipher_decrypt(struct af_cipher_state *state, void *bytes, size_t count) {
    return count == 0 || gcry_cipher_decrypt(state->handle, bytes, count, NULL, 0) == 0;
}

void af_cipher_close(struct af_cipher_state *state) {
    if (!state) return;
    gcry_cipher_close(state->handle);
    free(state);
}

#else

bool af_foreign_start(void) { return false; }
bool af_digest(int bits, const struct af_piece *pieces, size_t count, void *digest) {
    (void)bits, (void)pieces, (void)count, (void)digest;
    return false;
}
bool af_hmac(int bits, const void *key, size_t key_size, const struct af_piece *pieces, size_t count, void *digest) {
    (void)bits, (void)key, (void)key_size, (void)pieces, (void)count, (void)digest;
    return false;
}
bool af_pbkdf2(int bits, const void *password, size_t password_size, const void *salt, size_t salt_size, uint64_t iterations, void *key, size_t key_size) {
    (void)bits, (void)password, (void)password_size, (void)salt, (void)salt_size, (void)iterations, (void)key, (void)key_size;
    return false;
}
bool af_argon2(bool is_id, const void *password, size_t password_size, const void *salt, size_t salt_size, uint64_t passes, uint64_t kibibytes, uint64_t lanes, void *key, size_t key_size) {
    (void)is_id, (void)password, (void)password_size, (void)salt, (void)salt_size, (void)passes, (void)kibibytes, (void)lanes, (void)key, (void)key_size;
    return false;
}
bool af_aes_rounds(const void *key, void *data, uint64_t rounds) {
    (void)key, (void)data, (void)rounds;
    return false;
}
struct af_cipher_state *af_cipher_open(enum af_cipher cipher, const void *key, size_t key_size, const void *nonce, size_t nonce_size) {
    (void)cipher, (void)key, (void)key_size, (void)nonce, (void)nonce_size;
    return NULL;
}
bool af_cipher_encrypt(struct af_cipher_state *state, void *bytes, size_t count) {
    (void)state, (void)bytes, (void)count;
    return false;
}
bool af_cipher_decrypt(struct af_cipher_state *state, void *bytes, size_t count) {
    (void)state, (void)bytes, (void)count;
    return false;
}
void af_cipher_close(struct af_cipher_state *state) { (void)state; }

#endif
