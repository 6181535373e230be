// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "sockets.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

// The name of a listener, which each connection that it accepted has too. A file of the same path that another listener
// has made is another one.
struct name {
    uint16_t length;
    char path[sizeof(struct sockaddr_un)];
    struct unix_diag_vfs file;
};

struct entry {
    uint32_t socket, peer;
    struct name name;
};

static struct entry read_entry(const struct nlmsghdr *header) {
    const struct unix_diag_msg *message = NLMSG_DATA(header);
    struct entry entry = {.socket = message->udiag_ino};
    int left = (int)header->nlmsg_len - (int)NLMSG_LENGTH(sizeof *message);
    for (const struct rtattr *field = (const void *)(message + 1); RTA_OK(field, left); field = RTA_NEXT(field, left)) {
        size_t size = RTA_PAYLOAD(field);
        if (field->rta_type == UNIX_DIAG_PEER && size == sizeof entry.peer) {
            memcpy(&entry.peer, RTA_DATA(field), size);
        } else if (field->rta_type == UNIX_DIAG_NAME && size <= sizeof entry.name.path) {
            entry.name.length = (uint16_t)size;
            memcpy(entry.name.path, RTA_DATA(field), size);
        } else if (field->rta_type == UNIX_DIAG_VFS && size == sizeof entry.name.file) {
            memcpy(&entry.name.file, RTA_DATA(field), size);
        }
    }
    return entry;
}

static int request(int netlink, uint32_t socket) {
    struct {
        struct nlmsghdr header;
        struct unix_diag_req body;
    } message = {
        .header = {.nlmsg_len = sizeof message, .nlmsg_type = SOCK_DIAG_BY_FAMILY,
            .nlmsg_flags = NLM_F_REQUEST | (socket ? 0 : NLM_F_DUMP)},
        .body = {.sdiag_family = AF_UNIX, .udiag_states = 1 << TCP_ESTABLISHED, .udiag_ino = socket,
            .udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_VFS | UDIAG_SHOW_PEER, .udiag_cookie = {UINT32_MAX, UINT32_MAX}},
    };
    return send(netlink, &message, sizeof message, 0) < 0 ? -errno : 0;
}

// Calls `take` with each entry of the answer; its first negative result ends it.
static int receive(int netlink, int (*take)(void *context, struct entry entry), void *context, bool is_list) {
    _Alignas(struct nlmsghdr) char buffer[32768];
    while (true) {
        ssize_t received = recv(netlink, buffer, sizeof buffer, 0);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) return received < 0 ? -errno : -EIO;
        size_t left = (size_t)received;
        for (const struct nlmsghdr *header = (void *)buffer; NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
            if (header->nlmsg_type == NLMSG_DONE) return 0;
            if (header->nlmsg_type == NLMSG_ERROR) return ((const struct nlmsgerr *)NLMSG_DATA(header))->error;
            int result = take(context, read_entry(header));
            if (result < 0 || !is_list) return result;
        }
    }
}

static int take_one(void *context, struct entry entry) {
    *(struct entry *)context = entry;
    return 0;
}

static int find(int netlink, uint32_t socket, struct entry *entry) {
    int result = request(netlink, socket);
    return result < 0 ? result : receive(netlink, take_one, entry, false);
}

struct list {
    struct name name;
    uint32_t *clients;
    size_t count, capacity, accepted;
};

static int take_fellow(void *context, struct entry entry) {
    struct list *list = context;
    if (memcmp(&entry.name, &list->name, sizeof entry.name) != 0) return 0;
    list->accepted++;
    if (entry.peer == 0) return 0;
    if (list->count == list->capacity) return -ENOSPC;
    list->clients[list->count++] = entry.peer;
    return 0;
}

static int compare(const void *one, const void *other) {
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

static long list_fellows(int netlink, uint32_t own, struct list *list) {
    struct entry entry;
    int result = find(netlink, own, &entry);
    if (result == 0) result = entry.peer == 0 ? -ENOTCONN : find(netlink, entry.peer, &entry);
    if (result == 0 && entry.name.length == 0) result = -ENOTCONN;
    if (result < 0) return result;
    list->name = entry.name;
    result = request(netlink, 0);
    if (result == 0) result = receive(netlink, take_fellow, list, true);
    if (result < 0) return result;
    qsort(list->clients, list->count, sizeof *list->clients, compare);
    return (long)list->count;
}

long af_fellow_clients(int socket_, uint32_t *clients, size_t capacity, size_t *accepted) {
    struct stat status;
    if (fstat(socket_, &status) < 0) return -errno;
    int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (netlink < 0) return -errno;
    struct list list = {.clients = clients, .capacity = capacity};
    long result = list_fellows(netlink, (uint32_t)status.st_ino, &list);
    *accepted = list.accepted;
    close(netlink);
    return result;
}

// Whether a descriptor closes when its process executes another program: the octal flags of /proc/PID/fdinfo/N.
static bool closes_on_exec(int process, const char *number) {
    char path[32], text[256];
    if (snprintf(path, sizeof path, "fdinfo/%s", number) >= (int)sizeof path) return false;
    int file = openat(process, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return false;
    text[length] = 0;
    const char *flags = strstr(text, "flags:");
    return flags != NULL && (strtoul(flags + strlen("flags:"), NULL, 8) & O_CLOEXEC) != 0;
}

static uint32_t socket_of(int directory, const char *number) {
    char target[32];
    ssize_t length = readlinkat(directory, number, target, sizeof target - 1);
    if (length <= 0) return 0;
    target[length] = 0;
    static const char prefix[] = "socket:[";
    return strncmp(target, prefix, sizeof prefix - 1) == 0 ? (uint32_t)strtoul(target + sizeof prefix - 1, NULL, 10) : 0;
}

static long read_held(int process, DIR *descriptors, const uint32_t *sockets, size_t count, struct af_held_socket *held,
    size_t limit) {
    size_t found = 0, seen = 0;
    for (struct dirent *entry; (entry = readdir(descriptors)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        if (++seen > limit) return -EOVERFLOW;
        uint32_t socket = socket_of(dirfd(descriptors), entry->d_name);
        if (socket == 0 || bsearch(&socket, sockets, count, sizeof socket, compare) == NULL) continue;
        size_t index = 0;
        while (index < found && held[index].socket != socket) index++;
        if (index == found) held[found++] = (struct af_held_socket){.socket = socket};
        if (!held[index].closes_on_exec) held[index].closes_on_exec = closes_on_exec(process, entry->d_name);
    }
    // The first member is the socket.
    qsort(held, found, sizeof *held, compare);
    return (long)found;
}

long af_held_sockets(int process, const uint32_t *sockets, size_t count, struct af_held_socket *held, size_t limit) {
    int directory = openat(process, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return -errno;
    DIR *descriptors = fdopendir(directory);
    if (descriptors == NULL) {
        close(directory);
        return -ENOMEM;
    }
    long result = read_held(process, descriptors, sockets, count, held, limit);
    closedir(descriptors);
    return result;
}
