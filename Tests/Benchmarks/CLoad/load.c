// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct run {
    const char *lines; // `depth` times the line
    size_t length;
    long unsent;
};

// The lines of all clients under way fit into the sockets' buffers, so that a send is never cut short.
static int send_lines(struct run *run, int socket, long count) {
    if (count > run->unsent) count = run->unsent;
    if (count <= 0) return 1;
    run->unsent -= count;
    size_t size = (size_t)count * run->length;
    return send(socket, run->lines, size, MSG_NOSIGNAL) == (ssize_t)size;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int answer_all(struct run *run, const int *sockets, int count, long total, int depth, int poller) {
    static char buffer[1 << 18];
    struct epoll_event events[256];
    for (int i = 0; i < count; i++)
        if (!send_lines(run, sockets[i], depth)) return 0;
    for (long answered = 0; answered < total;) {
        int ready = epoll_wait(poller, events, 256, 60000);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return 0;
        for (int i = 0; i < ready; i++) {
            ssize_t received = recv(events[i].data.fd, buffer, sizeof buffer, MSG_DONTWAIT);
            if (received <= 0) return 0;
            long lines = 0;
            for (char *at = buffer; (at = memchr(at, '\n', (size_t)(buffer + received - at))); at++) lines++;
            answered += lines;
            if (!send_lines(run, events[i].data.fd, lines)) return 0;
        }
    }
    return 1;
}

double load_run(const int *sockets, int count, const void *line, size_t length, long total, int depth) {
    char *lines = malloc(length * (size_t)depth);
    int poller = epoll_create1(EPOLL_CLOEXEC);
    if (!lines || poller < 0) return -1;
    for (int i = 0; i < depth; i++) memcpy(lines + (size_t)i * length, line, length);
    for (int i = 0; i < count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.fd = sockets[i]};
        epoll_ctl(poller, EPOLL_CTL_ADD, sockets[i], &event);
    }
    struct run run = {lines, length, total};
    double start = now();
    int done = answer_all(&run, sockets, count, total, depth, poller);
    double seconds = now() - start;
    close(poller);
    free(lines);
    return done ? seconds : -1;
}

static cpu_set_t all;

void load_on_one_core(void) {
    cpu_set_t one;
    int core = 0;
    if (sched_getaffinity(0, sizeof all, &all) < 0) return;
    while (core < CPU_SETSIZE - 1 && !CPU_ISSET(core, &all)) core++;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
}

void load_on_all_cores(void) {
    if (CPU_COUNT(&all) > 0) sched_setaffinity(0, sizeof all, &all);
}
