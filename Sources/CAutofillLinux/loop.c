// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "loop.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Thread_local char here;

__attribute__((noinline)) uintptr_t af_thread_identity(void) { return (uintptr_t)&here; }

static int result(int value) { return value < 0 ? -errno : value; }

int af_event_open(void) { return result(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

void af_event_signal(int event) {
    uint64_t one = 1;
    ssize_t written;
    // A full counter is readable already.
    do written = write(event, &one, sizeof one);
    while (written < 0 && errno == EINTR);
}

void af_event_clear(int event) {
    uint64_t count;
    ssize_t received;
    do received = read(event, &count, sizeof count);
    while (received < 0 && errno == EINTR);
}

int af_epoll_open(void) { return result(epoll_create1(EPOLL_CLOEXEC)); }

int af_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
    _Static_assert(AF_EPOLL_ADD == EPOLL_CTL_ADD && AF_EPOLL_REMOVE == EPOLL_CTL_DEL && AF_EPOLL_MODIFY == EPOLL_CTL_MOD, "");
    struct epoll_event event = {.events = events, .data.u64 = token};
    return result(epoll_ctl(epoll, operation, descriptor, &event));
}

int af_epoll_wait(int epoll, struct af_ready *ready, int count, int milliseconds) {
    enum { most = 64 };
    struct epoll_event events[most];
    int found = epoll_wait(epoll, events, count < most ? count : most, milliseconds);
    if (found < 0 && errno == EINTR) return 0;
    for (int i = 0; i < found; i++) ready[i] = (struct af_ready){events[i].events, events[i].data.u64};
    return result(found);
}

int af_pidfd_open(int32_t process) { return result((int)syscall(SYS_pidfd_open, process, 0)); }

int af_pidfd_reap(int pidfd, struct af_exit *end) {
    siginfo_t info = {0};
    int status;
    do status = waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED | WNOHANG);
    while (status < 0 && errno == EINTR);
    if (status < 0) return -errno;
    if (info.si_pid == 0) return 0;
    end->was_signalled = info.si_code != CLD_EXITED;
    end->status = info.si_status;
    return 1;
}

int af_signal_block(int signal) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    return -pthread_sigmask(SIG_BLOCK, &set, NULL);
}

struct start {
    void (*body)(void *);
    void *context;
    bool is_background;
};

static void *begin(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    // Linux: of this thread alone.
    if (start.is_background) setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 10);
    start.body(start.context);
    return NULL;
}

int af_thread_start(void (*body)(void *), void *context, bool is_background) {
    struct start *start = malloc(sizeof *start);
    if (!start) return -ENOMEM;
    *start = (struct start){body, context, is_background};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    int status = pthread_create(&thread, &attributes, begin, start);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (status) free(start);
    return -status;
}

static int64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t af_clock_wall(void) { return now(CLOCK_REALTIME); }
int64_t af_clock_monotonic(void) { return now(CLOCK_MONOTONIC); }
int64_t af_clock_boottime(void) { return now(CLOCK_BOOTTIME); }
