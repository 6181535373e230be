// SPDX-License-Identifier: Apache-2.0
// The process at the other end of a socket, and files as the kernel sees them. Each function that can fail returns a
// negated errno. A path is NUL-terminated bytes.
#ifndef CAUTOFILL_PEER_H
#define CAUTOFILL_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct af_credentials {
    int32_t pid;
    uint32_t uid, gid;
};

struct af_file {
    uint64_t device, inode, size;
    int64_t modified, changed;  ///< nanoseconds since 1970; `changed` is one that no program can set
    uint32_t owner, mode;
};

/// Who called connect() or socketpair(): SO_PEERCRED.
int af_peer_credentials(int socket, struct af_credentials *credentials);

/// A descriptor of that process: SO_PEERPIDFD, Linux 6.5. -ENOPROTOOPT before.
int af_peer_pidfd(int socket);

/// Whether the process of a pidfd still runs.
bool af_pidfd_is_alive(int pidfd);

/// openat with O_CLOEXEC, for a path to look at (O_PATH), never to wait on.
int af_open_path(int directory, const void *path, bool is_directory);

/// openat with O_RDONLY, O_CLOEXEC, O_NONBLOCK, O_NOCTTY; a symbolic link at the end is refused unless `follow`.
int af_open_read(int directory, const void *path, bool follow);

int af_stat_at(int directory, const void *path, bool follow, struct af_file *file);
int af_stat(int descriptor, struct af_file *file);

/// Whether a user's own program serves the file system that this file lies in (FUSE): it may tell any owner.
bool af_is_fuse(int descriptor);

/// The text of a symbolic link; its length, -ENAMETOOLONG if it does not fit.
long af_read_link(int directory, const void *path, void *buffer, size_t size);

/// Reads until the end or until the buffer is full; the number of bytes.
long af_read(int descriptor, void *buffer, size_t size);

void af_close(int descriptor);

#endif
