// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "secret.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// Slabs of 16 KiB, cut into power-of-two blocks of 32 to 4096 bytes with one free list a size. They are small, since
// all of what is locked is in memory from the first block on. A slab is never returned to the kernel: its blocks are
// zero while they are free, so nothing can linger there.
enum { SLAB = 16 * 1024, SMALLEST_SHIFT = 5, LARGEST_SHIFT = 12, CLASSES = LARGEST_SHIFT - SMALLEST_SHIFT + 1 };

struct block {
    struct block *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *free_blocks[CLASSES];
static bool all_locked = true;

void af_secret_wipe(void *memory, size_t size) {
    if (memory) explicit_bzero(memory, size);
}

bool af_secret_equal(const void *left, const void *right, size_t size) {
    const volatile uint8_t *a = left, *b = right;
    uint8_t difference = 0;
    for (size_t i = 0; i < size; i++) difference |= a[i] ^ b[i];
    return difference == 0;
}

bool af_secret_all_locked(void) {
    pthread_mutex_lock(&lock);
    bool result = all_locked;
    pthread_mutex_unlock(&lock);
    return result;
}

// Called with the lock held.
static void *guarded_pages(size_t size) {
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) abort();
    if (mlock(pages, size) != 0) all_locked = false;
    madvise(pages, size, MADV_DONTDUMP);
    madvise(pages, size, MADV_DONTFORK);
    return pages;
}

static size_t rounded_to_pages(size_t size) { return (size + 4095) & ~(size_t)4095; }

static int class_of(size_t size) {
    int shift = SMALLEST_SHIFT;
    while (((size_t)1 << shift) < size) shift++;
    return shift - SMALLEST_SHIFT;
}

void *af_secret_alloc(size_t size) {
    pthread_mutex_lock(&lock);
    void *result;
    if (size > (size_t)1 << LARGEST_SHIFT) {
        result = guarded_pages(rounded_to_pages(size));
    } else {
        int class = class_of(size);
        if (!free_blocks[class]) {
            size_t length = (size_t)1 << (class + SMALLEST_SHIFT);
            char *slab = guarded_pages(SLAB);
            for (size_t at = SLAB; at >= length; at -= length) {
                struct block *block = (struct block *)(slab + at - length);
                block->next = free_blocks[class];
                free_blocks[class] = block;
            }
        }
        struct block *block = free_blocks[class];
        free_blocks[class] = block->next;
        block->next = NULL;
        result = block;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void af_secret_free(void *memory, size_t size) {
    if (!memory) return;
    explicit_bzero(memory, size);
    pthread_mutex_lock(&lock);
    if (size > (size_t)1 << LARGEST_SHIFT) {
        munmap(memory, rounded_to_pages(size));
    } else {
        struct block *block = memory;
        int class = class_of(size);
        block->next = free_blocks[class];
        free_blocks[class] = block;
    }
    pthread_mutex_unlock(&lock);
}
