// SPDX-License-Identifier: Apache-2.0
// Functions of a service: datagrams to its manager and to the journal, and a process that leaks nothing.
#ifndef CAUTOFILL_SERVICE_H
#define CAUTOFILL_SERVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A datagram socket for af_send_datagram, O_CLOEXEC; a negated errno if it cannot be created.
int af_datagram_socket(void);

/// Sends one datagram to a UNIX address ('@' first: abstract), without waiting: -EAGAIN where the other end's queue is
/// full. 0 or a negated errno.
int af_send_datagram(int socket, const char *address, const void *bytes, size_t size);

/// Writes a line to standard error in one write, so that lines of several threads do not mix.
void af_write_standard_error(const void *bytes, size_t size);

/// The device and inode of standard error, to be compared with $JOURNAL_STREAM.
bool af_standard_error_identity(uint64_t *device, uint64_t *inode);

/// Starts this program again, with the same arguments, if Swift's runtime, which reads its environment at start only,
/// has no setting for crashes in SWIFT_BACKTRACE: then it must not print registers and memory. Returns if it has one,
/// or if the program could not be started again.
void af_restart_without_backtraces(void);

/// No core dumps, in files or to a program of the system's, also after an exec: RLIMIT_CORE 1, or 0 where that was the
/// limit. 0 or a negated errno.
int af_forbid_cores(void);

/// No core dumps, no ptrace or /proc reads by others of the same user. Lasts until the next exec. 0 or a negated errno.
int af_forbid_dumps(void);

/// Whether others of the same user may read it by ptrace and /proc, from now on.
void af_set_dumpable(bool is_dumpable);

/// Whether this process may be dumped, and read by others of the same user.
bool af_is_dumpable(void);

/// Makes all threads allocate from one heap. Else each has its own from its first allocation on, which keeps freed
/// memory. Called before there are threads.
void af_keep_one_heap(void);

/// Returns freed memory to the system where it is more than `limit` bytes more than the last time. Called by one
/// thread.
void af_return_memory(size_t limit);

#endif
