// SPDX-License-Identifier: Apache-2.0
#include "CWipingHeap.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_OTHER_HEAP
#endif
#endif

#ifdef HAS_OTHER_HEAP

void af_wipe_freed_memory(void) {}

#else

// A program's own free and realloc replace glibc's for all libraries too; these are glibc's own functions.
extern void __libc_free(void *memory);
extern void *__libc_realloc(void *memory, size_t size);

static bool wipes;

void af_wipe_freed_memory(void) { wipes = true; }

__attribute__((visibility("default"))) void free(void *memory) {
    if (wipes && memory) memset(memory, 0, malloc_usable_size(memory));
    __libc_free(memory);
}

// glibc would free the old block without overwriting it.
__attribute__((visibility("default"))) void *realloc(void *memory, size_t size) {
    if (!wipes || !memory || size == 0) return __libc_realloc(memory, size);
    size_t usable = malloc_usable_size(memory);
    if (size <= usable && size >= usable / 2) return memory;
    void *moved = malloc(size);
    if (!moved) return NULL;
    memcpy(moved, memory, size < usable ? size : usable);
    free(memory);
    return moved;
}

#endif
