// SPDX-License-Identifier: Apache-2.0
// A process that confines itself: to computing, with the descriptors it has and nothing else, or to some files and directories.
#ifndef CAUTOFILL_CONFINEMENT_H
#define CAUTOFILL_CONFINEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Closes all descriptors but these.
void af_close_all_but(const int *kept, size_t count);

/// Limits the address space, the processor time, the size of files that are written, and new descriptors (none). 0 or a
/// negated errno.
int af_limit_resources(uint64_t memory_bytes, uint64_t processor_seconds, uint64_t file_bytes);

/// Locks all memory, present and future, where RLIMIT_MEMLOCK permits as much as the address space may be. Whether it
/// did.
bool af_lock_all_memory(void);

/// By Landlock: no file, no TCP, no abstract socket or signal of others, as far as the kernel has these restrictions.
/// Returns the version of Landlock's interface, 0 where the kernel has none, or a negated errno.
int af_forbid_files(void);

/// What a rule of Landlock permits with a file, or with all files below a directory.
enum af_access {
    /// To read and list.
    AF_ACCESS_LIST,
    /// To read, list and execute.
    AF_ACCESS_READ,
    /// To read, list, write, make and remove.
    AF_ACCESS_WRITE,
    /// The same, and to move from one directory to another, which version 1 of Landlock's interface always forbids.
    AF_ACCESS_REPOSITORY,
};

/// The version of Landlock's interface, 0 where the kernel has none, or a negated errno.
int af_landlock_version(void);

/// A ruleset that forbids what af_forbid_files does, with TCP or without: its descriptor, or a negated errno.
int af_landlock_ruleset(bool permits_tcp);

/// Adds a rule. 0 or a negated errno.
int af_landlock_permit(int ruleset, int file, enum af_access access);

/// Restricts this thread, and the programs that it starts, by a ruleset. 0 or a negated errno.
int af_landlock_enforce(int ruleset);

/// By a seccomp filter: only system calls that read and write open descriptors, manage memory that is not executable,
/// and end the process; all others fail with EPERM. Lasts until the process ends. 0 or a negated errno.
int af_forbid_system_calls(void);

#endif
