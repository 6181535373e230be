// SPDX-License-Identifier: Apache-2.0
// A process that confines itself to computing: it reads and writes the descriptors it has, and nothing else.
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

/// The same, but for the files below these directories: they may be read, written, made and removed.
int af_confine_to_directories(const int *directories, size_t count);

/// By a seccomp filter: only system calls that read and write open descriptors, manage memory that is not executable,
/// and end the process; all others fail with EPERM. Lasts until the process ends. 0 or a negated errno.
int af_forbid_system_calls(void);

#endif
