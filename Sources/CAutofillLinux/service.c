// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "service.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

int af_datagram_socket(void) {
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return descriptor < 0 ? -errno : descriptor;
}

int af_send_datagram(int socket, const char *address, const void *bytes, size_t size) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    size_t length = strlen(address);
    if (length == 0 || length >= sizeof name.sun_path) return -ENAMETOOLONG;
    memcpy(name.sun_path, address, length);
    if (address[0] == '@') name.sun_path[0] = '\0';
    socklen_t name_length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + (address[0] == '@' ? 0 : 1));
    int flags = MSG_NOSIGNAL | MSG_DONTWAIT;
    ssize_t sent;
    do sent = sendto(socket, bytes, size, flags, (struct sockaddr *)&name, name_length);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : 0;
}

void af_write_standard_error(const void *bytes, size_t size) {
    ssize_t written;
    do written = write(STDERR_FILENO, bytes, size);
    while (written < 0 && errno == EINTR);
}

bool af_standard_error_identity(uint64_t *device, uint64_t *inode) {
    struct stat status;
    if (fstat(STDERR_FILENO, &status) < 0) return false;
    *device = status.st_dev;
    *inode = status.st_ino;
    return true;
}

// The rest of a file, whose size the kernel does not report; NULL where it cannot be read.
static char *rest(FILE *file, size_t *length) {
    char *content = NULL, *larger;
    size_t capacity = 0;
    *length = 0;
    while (*length == capacity && (larger = realloc(content, capacity += 4096))) {
        content = larger;
        *length += fread(content + *length, 1, capacity - *length, file);
    }
    if (larger && !ferror(file)) return content;
    free(content);
    return NULL;
}

// The arguments as the kernel keeps them, for a restart needs them before anything of Swift's has been set up.
static char **arguments(char **content) {
    FILE *file = fopen("/proc/self/cmdline", "re");
    if (!file) return NULL;
    size_t length;
    *content = rest(file, &length);
    fclose(file);
    if (!*content || length == 0) return NULL;
    size_t count = 0;
    for (size_t i = 0; i < length; i++) count += (*content)[i] == '\0';
    char **list = calloc(count + 1, sizeof *list);
    char *next = *content;
    for (size_t i = 0; list && i < count; i++, next += strlen(next) + 1) list[i] = next;
    return list;
}

void af_restart_without_backtraces(void) {
    if (getenv("SWIFT_BACKTRACE")) return;
    char *content = NULL;
    char **list = arguments(&content);
    if (list && setenv("SWIFT_BACKTRACE", "enable=no", 0) == 0) execv("/proc/self/exe", list);
    free(list);
    free(content);
}

int af_forbid_cores(void) {
    // One byte is no core in a file. With 0 the kernel still starts the program of a core_pattern that is a pipe
    // (systemd-coredump, which logs the environment); with 1 it does not.
    struct rlimit none = {1, 1};
    if (setrlimit(RLIMIT_CORE, &none) == 0) return 0;
    none = (struct rlimit){0, 0};
    return setrlimit(RLIMIT_CORE, &none) < 0 ? -errno : 0;
}

int af_forbid_dumps(void) {
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) return -errno;
    return af_forbid_cores();
}

void af_set_dumpable(bool is_dumpable) { prctl(PR_SET_DUMPABLE, is_dumpable, 0, 0, 0); }

bool af_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0; }

void af_keep_one_heap(void) { mallopt(M_ARENA_MAX, 1); }

void af_return_memory(size_t limit) {
    // Free memory still counts after its pages were returned: checked again only when there is more of it.
    static size_t returned_at;
    size_t free_bytes = mallinfo2().fordblks;
    if (free_bytes > returned_at + limit) {
        malloc_trim(0);
        free_bytes = mallinfo2().fordblks;
        returned_at = free_bytes;
    }
    if (free_bytes < returned_at) returned_at = free_bytes;
}
