// SPDX-License-Identifier: Apache-2.0
// A process that from now on uses only what it has open.
#ifndef CAUTOFILL_CONFINE_H
#define CAUTOFILL_CONFINE_H

/// Takes from all threads of this process, for ever, every system call but those for memory, time, random numbers, signals,
/// and reading, writing and accepting on open descriptors. The others fail with EPERM: it opens no file, no socket and no
/// other process, starts no program and no thread. A seccomp filter, which every kernel since 3.17 with seccomp has. A
/// negated errno when it fails.
int af_confine(void);

#endif
