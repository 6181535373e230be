// SPDX-License-Identifier: Apache-2.0
// A peer for the tests of PeerInspection. It connects to the socket named by its first argument (or, started as
// `inherited FD`, takes over a connection) and then does what each byte that it receives says, answering with that byte:
//   ?  nothing        d  stop being dumpable        m  enter user and mount namespaces of its own ('M': refused)
//   x  exec the program of the second argument, which answers
//   r  make the directory of the second argument its root ('R': refused)
//   p  connect to the socket of the second argument and pass that connection on, with the answer
//   f  leave the connection to a child and end; the child answers once its parent has gone
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void answer(int connection, char byte) {
    if (write(connection, &byte, 1) != 1) exit(3);
}

static int connected(const char *path) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    strncpy(name.sun_path, path, sizeof name.sun_path - 1);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&name, sizeof name) < 0) {
        perror("peer-fixture: connect");
        exit(2);
    }
    return descriptor;
}

static void pass_connection(int connection, const char *path) {
    int passed = connected(path);
    union {
        char bytes[CMSG_SPACE(sizeof passed)];
        struct cmsghdr header;
    } control = {.header = {.cmsg_len = CMSG_LEN(sizeof passed), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    memcpy(CMSG_DATA(&control.header), &passed, sizeof passed);
    struct iovec byte = {.iov_base = "p", .iov_len = 1};
    struct msghdr message = {
        .msg_iov = &byte, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes};
    if (sendmsg(connection, &message, 0) != 1) exit(8);
    close(passed);
}

static void leave_to_child(int connection) {
    int alive[2];
    if (pipe(alive) < 0) exit(4);
    pid_t child = fork();
    if (child < 0) exit(5);
    if (child > 0) exit(0);
    char byte;
    close(alive[1]);
    if (read(alive[0], &byte, 1) != 0) exit(6);
    answer(connection, 'f');
}

int main(int count, char **arguments) {
    if (count < 2) return 1;
    int connection;
    if (count == 3 && strcmp(arguments[1], "inherited") == 0) {
        connection = atoi(arguments[2]);
        answer(connection, 'x');
    } else {
        connection = connected(arguments[1]);
    }
    char command;
    while (read(connection, &command, 1) == 1) {
        if (command == 'd') prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
        if (command == 'm' && unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0) command = 'M';
        if (command == 'r' && (count < 3 || chroot(arguments[2]) < 0)) command = 'R';
        if (command == 'p' && count > 2) {
            pass_connection(connection, arguments[2]);
            continue;
        }
        if (command == 'f') {
            leave_to_child(connection);
            continue;
        }
        if (command == 'x' && count > 2) {
            char descriptor[16];
            snprintf(descriptor, sizeof descriptor, "%d", connection);
            execl(arguments[2], arguments[2], "inherited", descriptor, NULL);
            return 7;
        }
        answer(connection, command);
    }
    return 0;
}
