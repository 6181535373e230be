// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "prompt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

void af_kill_prompter(int32_t process) {
    kill(-process, SIGKILL);
    kill(process, SIGKILL);
}

void af_end_prompter(int32_t process) {
    af_kill_prompter(process);
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
}

int af_socket_pair(int sockets[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) < 0 ? -errno : 0;
}

int af_is_own_terminal(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISCHR(found.st_mode) && found.st_uid == geteuid();
}
