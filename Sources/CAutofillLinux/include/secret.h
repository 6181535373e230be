// SPDX-License-Identifier: Apache-2.0
// Memory for secrets: locked where the limit allows it, kept out of core dumps, zeroed on release.
#ifndef CAUTOFILL_SECRET_H
#define CAUTOFILL_SECRET_H

#include <stdbool.h>
#include <stddef.h>

/// `size` bytes, zeroed, in a page that is excluded from dumps and forks, and locked (mlock) while
/// RLIMIT_MEMLOCK admits it. Never NULL: the process ends if the kernel has no memory at all.
void *af_secret_alloc(size_t size);

/// Overwrites and frees memory of af_secret_alloc(size).
void af_secret_free(void *memory, size_t size);

/// Overwrites memory in a way the compiler may not remove.
void af_secret_wipe(void *memory, size_t size);

/// True if the two runs of `size` bytes are equal; its time does not depend on their content.
bool af_secret_equal(const void *left, const void *right, size_t size);

/// False once a page could not be locked (RLIMIT_MEMLOCK); for `status`.
bool af_secret_all_locked(void);

#endif
