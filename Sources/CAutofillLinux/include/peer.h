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
    uint64_t mount;             ///< the mount it was opened by, as /proc/self/mountinfo counts them; 0 before Linux 5.8
    int64_t modified, changed;  ///< nanoseconds since 1970; `changed` is one that no program can set
    uint32_t owner, group, mode;
};

/// The process that called connect() or socketpair(): SO_PEERCRED.
int af_peer_credentials(int socket, struct af_credentials *credentials);

/// A descriptor of that process: SO_PEERPIDFD, Linux 6.5. -ENOPROTOOPT before.
int af_peer_pidfd(int socket);

/// Whether the process of a pidfd still runs.
bool af_pidfd_is_alive(int pidfd);

/// Has the kernel name the sender of all that arrives at a stream socket, and at those that a listening one accepts
/// (SO_PASSCRED), and pass on bytes out of band as others (SO_OOBINLINE).
int af_name_senders(int socket);

/// Receives bytes, all of one sender: its process, or 0 where it sent them before the kernel was set to name it. Does
/// not wait. The number of bytes, 0 at the end of the stream. `descriptors`: all that arrived with them (SCM_RIGHTS),
/// O_CLOEXEC, at most AF_PASSED_DESCRIPTORS; `count` of them.
long af_receive_from(
    int socket, void *buffer, size_t length, int32_t *sender, int32_t *descriptors, int32_t *count);

/// Whether descriptors come with the next bytes of a socket that names senders. Receives nothing.
bool af_passes_descriptors(int socket);

/// Closes what another program has passed. May block: a file system of that program's is called, the lock of a socket
/// may be held by a thread that sends, and a socket may hold others, unread. One that lingers does so no more.
void af_close_passed(int descriptor);

/// The same for a socket that receives nothing any more, and for all descriptors that it has and nobody received.
void af_close_unread(int socket);

/// The most that the kernel passes with one message (SCM_MAX_FD).
enum { AF_PASSED_DESCRIPTORS = 253 };

/// How many bytes have arrived at a stream socket and were not received.
long af_unread(int socket);

/// Another descriptor of the same (O_CLOEXEC).
int af_duplicate(int descriptor);

/// Whether it is of a process. Calls no file system but proc.
bool af_is_pidfd(int descriptor);

/// The very file of a descriptor that was opened with O_PATH, opened for reading (O_CLOEXEC, O_NONBLOCK, O_NOCTTY).
int af_open_again(int descriptor);

int af_stat_at(int directory, const void *path, bool follow, struct af_file *file);
int af_stat(int descriptor, struct af_file *file);

/// The attributes that the kernel has cached (AT_STATX_DONT_SYNC): neither a FUSE nor an NFS server is called, so no
/// server's silence can be waited for. The same as af_stat on file systems of the machine's own.
int af_stat_cached_at(int directory, const void *path, bool follow, struct af_file *file);
int af_stat_cached(int descriptor, struct af_file *file);

/// Whether a user's own program serves the file system that an open file lies in (FUSE): it may report any owner, and
/// return other content at each reading. The program is not called (from Linux 5.8). -ENOENT where the mount is none of
/// those seen; -E2BIG where only the first MiB of their list is read, unless `whole`, and it is not there. (ntfs-3g and
/// similar ones, on a device of their own, are root's, and do not count.) `process`: a descriptor of the /proc/PID by
/// whose mounts it was opened; -1 for this process's.
int af_is_fuse(int descriptor, const struct af_file *file, int process, bool whole);

/// Whether a file was opened by a mount that is none of those which a process sees, or, unless the `whole` list is read,
/// is not in its first MiB; false before Linux 5.8, where the mount cannot be determined. `process`: a descriptor of its
/// /proc/PID; -1 for this process.
bool af_mount_is_foreign(const struct af_file *file, int process, bool whole);

/// The text of a symbolic link; its length, -ENAMETOOLONG if it does not fit.
long af_read_link(int directory, const void *path, void *buffer, size_t size);

void af_close(int descriptor);

#endif
