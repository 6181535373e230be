// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int af_rename_new(const char *path, const char *name) {
    if (renameat2(AT_FDCWD, path, AT_FDCWD, name, RENAME_NOREPLACE) == 0) return 0;
    if (errno == EEXIST) return -EEXIST;
    if (link(path, name) < 0) return -errno;
    unlink(path);
    return 0;
}
