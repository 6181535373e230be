// SPDX-License-Identifier: Apache-2.0
#ifndef CAUTOFILL_FILE_H
#define CAUTOFILL_FILE_H

/// Renames a file, and never replaces one: also not one that has appeared in the meantime. By renameat2, which a memory
/// stick's file system has too, else by link, which network file systems have. 0 or -errno.
int af_rename_new(const char *path, const char *name);

#endif
