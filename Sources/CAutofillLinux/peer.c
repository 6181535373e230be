// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "peer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD  // not in the headers of Debian 12
#define SO_PEERPIDFD 77
#endif
enum { FUSE_MAGIC = 0x65735546 };

int af_peer_credentials(int socket, struct af_credentials *credentials) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0) return -errno;
    *credentials = (struct af_credentials){.pid = peer.pid, .uid = peer.uid, .gid = peer.gid};
    return 0;
}

int af_peer_pidfd(int socket) {
    int pidfd = -1;
    socklen_t length = sizeof pidfd;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &length) < 0) return -errno;
    return pidfd;
}

bool af_pidfd_is_alive(int pidfd) {
    struct pollfd ended = {.fd = pidfd, .events = POLLIN};
    int ready;
    do ready = poll(&ended, 1, 0);
    while (ready < 0 && errno == EINTR);
    return ready == 0;
}

int af_open_path(int directory, const void *path, bool is_directory) {
    int descriptor = openat(directory, path, O_PATH | O_CLOEXEC | (is_directory ? O_DIRECTORY : 0));
    return descriptor < 0 ? -errno : descriptor;
}

int af_open_read(int directory, const void *path, bool follow) {
    int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (follow ? 0 : O_NOFOLLOW);
    int descriptor = openat(directory, path, flags);
    return descriptor < 0 ? -errno : descriptor;
}

// Nanoseconds since 1970; at its ends, the years 1677 and 2262, it stays: files may bear any time.
static int64_t nanoseconds(struct timespec time) {
    int64_t result;
    if (!__builtin_mul_overflow((int64_t)time.tv_sec, (int64_t)1000000000, &result)
        && !__builtin_add_overflow(result, (int64_t)time.tv_nsec, &result))
        return result;
    return time.tv_sec < 0 ? INT64_MIN : INT64_MAX;
}

static void fill(struct af_file *file, const struct stat *status) {
    *file = (struct af_file){
        .device = status->st_dev,
        .inode = status->st_ino,
        .size = (uint64_t)status->st_size,
        .modified = nanoseconds(status->st_mtim),
        .changed = nanoseconds(status->st_ctim),
        .owner = status->st_uid,
        .mode = status->st_mode,
    };
}

int af_stat_at(int directory, const void *path, bool follow, struct af_file *file) {
    struct stat status;
    if (fstatat(directory, path, &status, follow ? 0 : AT_SYMLINK_NOFOLLOW) < 0) return -errno;
    fill(file, &status);
    return 0;
}

int af_stat(int descriptor, struct af_file *file) {
    struct stat status;
    if (fstat(descriptor, &status) < 0) return -errno;
    fill(file, &status);
    return 0;
}

bool af_is_fuse(int descriptor) {
    struct statfs file_system;
    return fstatfs(descriptor, &file_system) < 0 || file_system.f_type == FUSE_MAGIC;
}

long af_read_link(int directory, const void *path, void *buffer, size_t size) {
    ssize_t length = readlinkat(directory, path, buffer, size);
    if (length < 0) return -errno;
    return (size_t)length < size ? length : -ENAMETOOLONG;
}

long af_read(int descriptor, void *buffer, size_t size) {
    size_t count = 0;
    while (count < size) {
        ssize_t step = read(descriptor, (char *)buffer + count, size - count);
        if (step == 0) break;
        if (step < 0 && errno == EINTR) continue;
        if (step < 0) return -errno;
        count += (size_t)step;
    }
    return (long)count;
}

void af_close(int descriptor) {
    if (descriptor >= 0) close(descriptor);
}
