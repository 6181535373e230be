// SPDX-License-Identifier: Apache-2.0
// Stream sockets that never wait. Each function that can fail returns a negated errno.
#ifndef CAUTOFILL_CONNECTION_H
#define CAUTOFILL_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Sets O_NONBLOCK.
int af_set_nonblocking(int descriptor);

/// The next connection of a listening socket, O_CLOEXEC and O_NONBLOCK.
int af_accept(int listener);

/// What has arrived, at most `size` bytes; 0 at the end of the input.
long af_receive_now(int socket, void *buffer, size_t size);

/// How much of it went, without SIGPIPE.
long af_send_now(int socket, const void *bytes, size_t size);

/// How much of it went, without SIGPIPE, and with it a descriptor (SCM_RIGHTS); -1 for none. Waits as the socket does.
long af_send_with(int socket, const void *bytes, size_t size, int descriptor);

/// Whether bytes have arrived that were not received yet.
bool af_has_input(int socket);

#endif
