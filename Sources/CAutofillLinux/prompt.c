// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "prompt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int af_spawn_prompter(
    const char *path, char *const arguments[], char *const environment[], int socket, int32_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return -error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return -error;
    }
    sigset_t signals;
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
    if (!(error = posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)) &&
        !(error = posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO)) &&
        !(error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)) &&
        !(error = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)) &&
        !(error = posix_spawn_file_actions_addchdir_np(&actions, "/"))) {
        pid_t child = 0;
        error = posix_spawn(&child, path, &actions, &attributes, arguments, environment);
        *process = child;
    }
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return -error;
}

void af_end_prompter(int32_t process) {
    kill(-process, SIGKILL);
    kill(process, SIGKILL);
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
}

int af_socket_pair(int sockets[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) < 0 ? -errno : 0;
}

static int64_t milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int af_await_either(int first, int second, int milliseconds) {
    struct pollfd waiting[2] = {{.fd = first, .events = POLLIN}, {.fd = second, .events = POLLIN}};
    int64_t end = milliseconds_now() + milliseconds;
    for (;;) {
        int64_t left = end - milliseconds_now();
        int ready = poll(waiting, 2, left > 0 ? (int)left : 0);
        if (ready > 0) return waiting[1].revents ? 2 : 1;
        if (ready == 0) return 0;
        if (errno != EINTR) return -errno;
    }
}

int af_send_all(int socket, const void *bytes, size_t size) {
    const char *rest = bytes;
    while (size > 0) {
        ssize_t sent = send(socket, rest, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return -errno;
        rest += sent;
        size -= (size_t)sent;
    }
    return 0;
}

long af_receive(int socket, void *buffer, size_t size) {
    ssize_t count;
    do count = recv(socket, buffer, size, 0);
    while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}
