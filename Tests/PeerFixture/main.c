// SPDX-License-Identifier: Apache-2.0
// A peer for the tests of PeerInspection. It connects to the socket named by its first argument (or, started as
// `inherited FD`, continues one) and then performs the command of each byte that it receives, and answers with the byte:
//   ?  nothing        d  stop being dumpable        m  enter user and mount namespaces of its own ('M': refused)
//   x  exec the program of the second argument, which answers
//   r  make the directory of the second argument its root ('R': refused)
//   a  map the file of the second argument over the third one, which is of three pages ('A': refused)
//   p  connect to the socket of the second argument and pass that connection on, with the answer; the last one stays open
//   s  send on that last connection the following data: its length (4 bytes), the bytes, and their descriptors
//      ('S': could not)
//   f  leave the connection to a child and end; the child answers once its parent has ended
// Started as `race SOCKET SENDER PROGRAM LINES` it connects and becomes PROGRAM, for three seconds, while a child keeps the
// connection and prints what arrives there within one. SENDER sends the lines: the `connector`, before it becomes PROGRAM,
// or the `child`, afterwards.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
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

static int last_connection = -1;

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
    if (last_connection >= 0) close(last_connection);
    last_connection = passed;
}

static void send_on(int connection) {
    uint32_t left;
    char result = 's';
    if (recv(connection, &left, sizeof left, MSG_WAITALL) != sizeof left) exit(14);
    while (left > 0) {
        char bytes[4096];
        union {
            char bytes[CMSG_SPACE(16 * sizeof(int))];
            struct cmsghdr header;
        } control;
        struct iovec part = {.iov_base = bytes, .iov_len = left < sizeof bytes ? left : sizeof bytes};
        struct msghdr message = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
        ssize_t count = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
        if (count <= 0) exit(15);
        left -= (uint32_t)count;
        part.iov_len = (size_t)count;
        message.msg_flags = 0;
        if (sendmsg(last_connection, &message, MSG_NOSIGNAL) != count) result = 'S';
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        if (header == NULL || header->cmsg_type != SCM_RIGHTS) continue;
        for (size_t at = CMSG_LEN(0); at < header->cmsg_len; at += sizeof(int)) {
            int descriptor;
            memcpy(&descriptor, (char *)header + at, sizeof descriptor);
            close(descriptor);
        }
    }
    answer(connection, result);
}

static int map_over(char *argument, const char *path) {
    // The first page that lies in the argument alone.
    uintptr_t page = ((uintptr_t)argument + 4095) & ~(uintptr_t)4095;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    return mmap((void *)page, 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) == MAP_FAILED ? -1 : 0;
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

static void send_all(int connection, const char *lines) {
    size_t length = strlen(lines);
    if (write(connection, lines, length) != (ssize_t)length) exit(9);
}

// Returns in the child only.
static void race(char **arguments) {
    int connection = connected(arguments[2]), other[2];
    int sends_itself = strcmp(arguments[3], "connector") == 0;
    if (sends_itself) send_all(connection, arguments[5]);
    // Closed by the exec.
    if (pipe2(other, O_CLOEXEC) < 0) exit(10);
    pid_t child = fork();
    if (child < 0) exit(11);
    if (child > 0) {
        execl(arguments[4], arguments[4], "3", NULL);
        exit(12);
    }
    char bytes[4096];
    close(other[1]);
    if (read(other[0], bytes, 1) != 0) exit(13);
    if (!sends_itself) send_all(connection, arguments[5]);
    struct timeval limit = {.tv_sec = 1};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ssize_t count;
    while ((count = read(connection, bytes, sizeof bytes)) > 0) fwrite(bytes, 1, (size_t)count, stdout);
    printf("\nend\n");
}

int main(int count, char **arguments) {
    if (count < 2) return 1;
    if (count == 6 && strcmp(arguments[1], "race") == 0) {
        race(arguments);
        return 0;
    }
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
        if (command == 'a' && (count < 4 || map_over(arguments[3], arguments[2]) < 0)) command = 'A';
        if (command == 'p' && count > 2) {
            pass_connection(connection, arguments[2]);
            continue;
        }
        if (command == 's' && last_connection >= 0) {
            send_on(connection);
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
