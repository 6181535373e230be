// SPDX-License-Identifier: Apache-2.0
// BareEcho SOCKET: the floor under any daemon that answers lines on a Unix socket. One thread, one epoll; each line
// begins with the number of bytes that its answer is to have, in decimal, and is otherwise ignored.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { INPUT = 1 << 16, OUTPUT = 1 << 20, ANSWER = 1 << 16 };
struct client {
    int descriptor;
    size_t count;
    char input[INPUT];
};
static char output[OUTPUT], answer[ANSWER];

static int send_all(int descriptor, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
        if (sent < 0) {
            struct pollfd writable = {.fd = descriptor, .events = POLLOUT};
            if (poll(&writable, 1, 1000) <= 0 || writable.revents & (POLLERR | POLLHUP)) return 0;
            continue;
        }
        bytes += sent;
        count -= (size_t)sent;
    }
    return 1;
}

// One recv, all whole lines, one send; 0 when the client has closed.
static int serve(struct client *client) {
    ssize_t received = recv(client->descriptor, client->input + client->count, INPUT - client->count, 0);
    if (received <= 0) return 0;
    client->count += (size_t)received;
    char *line = client->input, *end = client->input + client->count, *feed;
    size_t filled = 0;
    while ((feed = memchr(line, '\n', (size_t)(end - line)))) {
        size_t length = (size_t)strtoul(line, NULL, 10);
        if (length < 1 || length > ANSWER) return 0;
        if (filled + length > OUTPUT) {
            if (!send_all(client->descriptor, output, filled)) return 0;
            filled = 0;
        }
        memcpy(output + filled, answer, length);
        filled += length;
        output[filled - 1] = '\n';
        line = feed + 1;
    }
    client->count = (size_t)(end - line);
    memmove(client->input, line, client->count);
    return send_all(client->descriptor, output, filled);
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    signal(SIGPIPE, SIG_IGN);
    memset(answer, '.', sizeof answer);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", arguments[1]);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096)) return 71;
    int poller = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN}, events[256];
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int ready = epoll_wait(poller, events, 256, -1);
        for (int i = 0; i < ready; i++) {
            struct client *client = events[i].data.ptr;
            if (client) {
                if (serve(client)) continue;
                close(client->descriptor);
                free(client);
                continue;
            }
            int accepted;
            while ((accepted = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
                client = calloc(1, sizeof *client);
                if (!client) return 71;
                client->descriptor = accepted;
                event = (struct epoll_event){.events = EPOLLIN, .data.ptr = client};
                epoll_ctl(poller, EPOLL_CTL_ADD, accepted, &event);
            }
        }
    }
}
