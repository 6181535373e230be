// SPDX-License-Identifier: Apache-2.0
// Which process holds which end of a connected UNIX socket, as the kernel lists it. A socket is named by its inode, which
// no other socket has while it is open. Each function returns a negated errno when it fails.
#ifndef CAUTOFILL_SOCKETS_H
#define CAUTOFILL_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Lists the sockets that are connected to the listener that `socket` is connected to, `socket` included, in ascending
/// order: the clients' ends, in this process's network namespace. The number of them; -ENOTCONN if `socket` is not
/// connected to a listener with a name; -ENOSPC if there are more than `capacity`.
///
/// `accepted`: how many connections the listener's process has, those included whose client has closed its end.
long af_fellow_clients(int socket, uint32_t *clients, size_t capacity, size_t *accepted);

struct af_held_socket {
    uint32_t socket;
    bool closes_on_exec;  ///< by at least one descriptor that does not outlive an execution
};

/// Which of some sockets a process holds, each once, in ascending order. `process`: a descriptor of its /proc/PID;
/// `sockets`: in ascending order. `held` has space for all of them. Stops with -EOVERFLOW after `limit` descriptors.
long af_held_sockets(
    int process, const uint32_t *sockets, size_t count, struct af_held_socket *held, size_t limit);

#endif
