// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CSealing.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

// BoringSSL calls these for all its memory (<openssl/mem.h> in its sources) where a program has them. Everything is
// overwritten when it is freed, as BoringSSL does itself; what is large is the working memory of scrypt, from whose
// every page a passphrase can be guessed without its cost: that is excluded from core dumps and forks, and locked where
// the limit allows.
enum { PREFIX = 16, LARGE = 1 << 20 };

struct prefix {
    size_t size;
    size_t locked;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t locked_bytes;

// Half of the limit is left to the secrets that stay.
static size_t lockable(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return 0;
    return limit.rlim_cur == RLIM_INFINITY ? SIZE_MAX : (size_t)limit.rlim_cur / 2;
}

bool af_derivation_lockable(size_t size) { return size + PREFIX <= lockable(); }

static size_t lock_pages(void *pages, size_t size) {
    size_t most = lockable(), done = 0;
    pthread_mutex_lock(&lock);
    if (size <= most && locked_bytes <= most - size && mlock(pages, size) == 0) {
        locked_bytes += size;
        done = size;
    }
    pthread_mutex_unlock(&lock);
    return done;
}

static struct prefix *prefix_of(void *memory) { return (struct prefix *)((char *)memory - PREFIX); }

void *OPENSSL_memory_alloc(size_t size) {
    if (size > SIZE_MAX - PREFIX) return NULL;
    struct prefix *start;
    size_t locked = 0;
    if (size < LARGE) {
        start = malloc(PREFIX + size);
        if (!start) return NULL;
    } else {
        start = mmap(NULL, PREFIX + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (start == MAP_FAILED) return NULL;
        madvise(start, PREFIX + size, MADV_DONTDUMP);
        madvise(start, PREFIX + size, MADV_DONTFORK);
        locked = lock_pages(start, PREFIX + size);
    }
    start->size = size;
    start->locked = locked;
    return (char *)start + PREFIX;
}

void OPENSSL_memory_free(void *memory) {
    struct prefix *start = prefix_of(memory);
    size_t size = start->size, locked = start->locked;
    explicit_bzero(memory, size);
    if (size < LARGE) {
        free(start);
        return;
    }
    munmap(start, PREFIX + size);
    pthread_mutex_lock(&lock);
    locked_bytes -= locked;
    pthread_mutex_unlock(&lock);
}

size_t OPENSSL_memory_get_size(void *memory) { return prefix_of(memory)->size; }
