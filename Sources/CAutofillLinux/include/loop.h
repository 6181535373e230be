// SPDX-License-Identifier: Apache-2.0
// The kernel's functions that the event loop needs beside libsystemd. Each function that can fail returns a negated
// errno.
#ifndef CAUTOFILL_LOOP_H
#define CAUTOFILL_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/// A number that no other living thread has. Not inlined, and not pthread_self(), which the compiler may read once for
/// both sides of a suspension.
uintptr_t af_thread_identity(void);

/// An event descriptor, O_CLOEXEC and O_NONBLOCK.
int af_event_open(void);

/// Makes an event descriptor readable.
void af_event_signal(int event);

/// Makes an event descriptor unreadable until the next af_event_signal.
void af_event_clear(int event);

struct af_ready {
    uint32_t events;
    uint64_t token;
};

/// An epoll descriptor, O_CLOEXEC.
int af_epoll_open(void);

/// Adds, modifies or removes a descriptor; `operation` is one of these.
enum { AF_EPOLL_ADD = 1, AF_EPOLL_REMOVE = 2, AF_EPOLL_MODIFY = 3 };
int af_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token);

/// Stores the ready descriptors, at most `count` (64 at most), and returns their number. Waits for at most the given
/// milliseconds; for ever if negative. A signal ends it with none.
int af_epoll_wait(int epoll, struct af_ready *ready, int count, int milliseconds);

/// A descriptor of a child process: pidfd_open.
int af_pidfd_open(int32_t process);

struct af_exit {
    bool was_signalled;
    int32_t status;  ///< the exit status, or the number of the signal
};

/// Reaps the child of a pidfd, without waiting: 1 when it has ended, 0 when it runs.
int af_pidfd_reap(int pidfd, struct af_exit *end);

/// Blocks a signal in this thread and those that it will start.
int af_signal_block(int signal);

/// Starts a detached thread in which every signal is blocked, so that all go to the loop. One in the background yields
/// to threads that are not: its nice value is 10 more.
int af_thread_start(void (*body)(void *context), void *context, bool is_background);

/// Nanoseconds of a clock.
int64_t af_clock_wall(void);
int64_t af_clock_monotonic(void);
int64_t af_clock_boottime(void);

#endif
