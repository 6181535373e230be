// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "peer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD  // not in the headers of Debian 12
#define SO_PEERPIDFD 77
#endif
enum {
    FUSE_MAGIC = 0x65735546,
    // Bytes of a list of mounts that are read where a sandbox may have made it: 100,000 with long paths.
    MOUNTS_MAX = 1 << 20,
};

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

int af_name_senders(int socket) {
    int on = 1;
    setsockopt(socket, SOL_SOCKET, SO_OOBINLINE, &on, sizeof on);
    return setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) < 0 ? -errno : 0;
}

long af_receive_from(
    int socket, void *buffer, size_t length, int32_t *sender, int32_t *descriptors, int32_t *count) {
    // Space for all: the kernel would discard the others here, and the last reference to a TCP socket that lingers
    // waits for its peer.
    _Alignas(struct cmsghdr) char
        control[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(AF_PASSED_DESCRIPTORS * sizeof(int))];
    struct iovec bytes = {.iov_base = buffer, .iov_len = length};
    struct msghdr message = {
        .msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    *sender = 0;
    *count = 0;
    ssize_t received;
    do received = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    if (received < 0) return -errno;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET) continue;
        if (header->cmsg_type == SCM_CREDENTIALS && header->cmsg_len >= CMSG_LEN(sizeof(struct ucred))) {
            struct ucred credentials;
            memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
            *sender = credentials.pid;
        } else if (header->cmsg_type == SCM_RIGHTS) {
            *count = (int32_t)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
            memcpy(descriptors, CMSG_DATA(header), (size_t)*count * sizeof(int));
        }
    }
    return received;
}

bool af_passes_descriptors(int socket) {
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct ucred))];
    char byte;
    struct iovec bytes = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {
        .msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    return recvmsg(socket, &message, MSG_PEEK | MSG_DONTWAIT) > 0 && message.msg_flags & MSG_CTRUNC;
}

void af_close_passed(int descriptor) {
    const struct linger none = {.l_onoff = 0};
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    close(descriptor);
}

void af_close_unread(int socket) {
    char bytes[4096];
    int32_t sender, count, passed[AF_PASSED_DESCRIPTORS];
    while (af_receive_from(socket, bytes, sizeof bytes, &sender, passed, &count) > 0)
        for (int32_t index = 0; index < count; index++) af_close_passed(passed[index]);
    close(socket);
}

long af_unread(int socket) {
    int count;
    return ioctl(socket, FIONREAD, &count) < 0 ? -errno : count;
}

int af_duplicate(int descriptor) {
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    return copy < 0 ? -errno : copy;
}

bool af_is_pidfd(int descriptor) {
    char path[32], target[16];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(path, target, sizeof target);
    // From Linux 6.9 they are files of a file system of their own.
    static const char old[] = "anon_inode:[pidf", new[] = "pidfd:[";
    return (length == sizeof target && memcmp(target, old, sizeof target) == 0)
        || (length > 0 && (size_t)length >= sizeof new - 1 && memcmp(target, new, sizeof new - 1) == 0);
}

int af_open_again(int descriptor) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    return opened < 0 ? -errno : opened;
}

// Nanoseconds since 1970; saturates in the years 1677 and 2262: files may have any time.
static int64_t nanoseconds(struct statx_timestamp time) {
    int64_t result;
    if (!__builtin_mul_overflow((int64_t)time.tv_sec, (int64_t)1000000000, &result)
        && !__builtin_add_overflow(result, (int64_t)time.tv_nsec, &result))
        return result;
    return time.tv_sec < 0 ? INT64_MIN : INT64_MAX;
}

static int inspect(int directory, const void *path, int flags, struct af_file *file) {
    struct statx status;
    if (statx(directory, path, flags | AT_NO_AUTOMOUNT, STATX_BASIC_STATS | STATX_MNT_ID, &status) < 0) return -errno;
    *file = (struct af_file){
        .device = makedev(status.stx_dev_major, status.stx_dev_minor),
        .inode = status.stx_ino,
        .size = status.stx_size,
        .mount = status.stx_mask & STATX_MNT_ID ? status.stx_mnt_id : 0,
        .modified = nanoseconds(status.stx_mtime),
        .changed = nanoseconds(status.stx_ctime),
        .owner = status.stx_uid,
        .group = status.stx_gid,
        .mode = status.stx_mode,
    };
    return 0;
}

int af_stat_at(int directory, const void *path, bool follow, struct af_file *file) {
    return inspect(directory, path, follow ? 0 : AT_SYMLINK_NOFOLLOW, file);
}

int af_stat(int descriptor, struct af_file *file) { return inspect(descriptor, "", AT_EMPTY_PATH, file); }

int af_stat_cached_at(int directory, const void *path, bool follow, struct af_file *file) {
    return inspect(directory, path, AT_STATX_DONT_SYNC | (follow ? 0 : AT_SYMLINK_NOFOLLOW), file);
}

int af_stat_cached(int descriptor, struct af_file *file) {
    return inspect(descriptor, "", AT_STATX_DONT_SYNC | AT_EMPTY_PATH, file);
}

// A line: ID PARENT MAJOR:MINOR ROOT MOUNTPOINT OPTIONS [MORE…] - TYPE SOURCE OPTIONS; a blank within a field is
// written \040.
static int is_fuse_mount(FILE *mounts, uint64_t mount, ssize_t left) {
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    int result = -ENOENT;
    while (result == -ENOENT && (length = getline(&line, &size, mounts)) > 0) {
        left -= length;
        if (strtoull(line, NULL, 10) == mount) {
            const char *type = strstr(line, " - ");
            result = type != NULL && strncmp(type + 3, "fuse", 4) == 0;
        } else if (left <= 0) {
            result = -E2BIG;
        }
    }
    free(line);
    return result;
}

static int is_fuse_among(int process, uint64_t mount, bool whole) {
    int opened = openat(process < 0 ? AT_FDCWD : process, process < 0 ? "/proc/self/mountinfo" : "mountinfo",
        O_RDONLY | O_CLOEXEC);
    if (opened < 0) return -errno;
    FILE *mounts = fdopen(opened, "r");
    if (mounts == NULL) {
        close(opened);
        return -ENOMEM;
    }
    int result = is_fuse_mount(mounts, mount, whole ? SSIZE_MAX : MOUNTS_MAX);
    fclose(mounts);
    return result;
}

int af_is_fuse(int descriptor, const struct af_file *file, int process, bool whole) {
    if (major(file->device) != 0) return 0;
    if (file->mount == 0) {
        struct statfs file_system;
        if (fstatfs(descriptor, &file_system) < 0) return -errno;
        return file_system.f_type == FUSE_MAGIC;
    }
    return is_fuse_among(process, file->mount, whole);
}

bool af_mount_is_foreign(const struct af_file *file, int process, bool whole) {
    if (file->mount == 0) return false;
    int found = is_fuse_among(process, file->mount, whole);
    return found == -ENOENT || found == -E2BIG;
}

long af_read_link(int directory, const void *path, void *buffer, size_t size) {
    ssize_t length = readlinkat(directory, path, buffer, size);
    if (length < 0) return -errno;
    return (size_t)length < size ? length : -ENAMETOOLONG;
}

void af_close(int descriptor) {
    if (descriptor >= 0) close(descriptor);
}
