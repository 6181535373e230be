// SPDX-License-Identifier: Apache-2.0
// Put before libc with LD_PRELOAD: has one write or sync of the thread that asks for it fail, or end the process there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static __thread long nth, seen, nth_read, read_count;
static __thread int number, lasts, read_number, read_lasts;

// The nth call from now on fails with this error, and with `stays` all after it; 0 ends the process by SIGKILL.
void faults_arm(long place, int error, int stays) { nth = place, seen = 0, number = error, lasts = stays; }
// How many calls there were; none fails any more.
long faults_disarm(void) { nth = 0; return seen; }
// The nth read from now on fails with this error, and with `stays` all after it; 0 reads: none.
void faults_arm_reads(long place, int error, int stays) {
    nth_read = place, read_count = 0, read_number = error, read_lasts = stays;
}
// A child that hangs ends all the same.
int faults_fork(void) {
    int process = fork();
    if (!process) alarm(30);
    return process;
}
void faults_exit(int status) { _exit(status); }

// The paths of what this thread has synced, a line each.
static __thread char synced[1 << 15];
static __thread size_t length;
void faults_forget(void) { synced[length = 0] = 0; }
const char *faults_synced(void) { return synced; }

static void record(int file) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = readlink(link, path, sizeof path);
    if (count <= 0 || length + count + 2 > sizeof synced) return;
    memcpy(synced + length, path, count);
    length += count;
    memcpy(synced + length++, "\n", 2);
}

static int strikes(void) {
    if (!nth || !(++seen == nth || (lasts && seen > nth))) return 0;
    if (!number) kill(getpid(), SIGKILL);
    errno = number;
    return 1;
}

#define GUARDED(type, name, parameters, arguments, failure) \
    type name parameters { \
        static type(*next) parameters; \
        if (!next) next = (type(*) parameters)dlsym(RTLD_NEXT, #name); \
        if (strikes()) return failure; \
        return next arguments; \
    }

#define GUARDED_READ(type, name, parameters, arguments) \
    type name parameters { \
        static type(*next) parameters; \
        if (!next) next = (type(*) parameters)dlsym(RTLD_NEXT, #name); \
        if (nth_read && (++read_count == nth_read || (read_lasts && read_count > nth_read))) { \
            errno = read_number; \
            return -1; \
        } \
        return next arguments; \
    }

GUARDED_READ(ssize_t, pread, (int file, void *bytes, size_t size, off_t at), (file, bytes, size, at))
GUARDED_READ(ssize_t, pread64, (int file, void *bytes, size_t size, off64_t at), (file, bytes, size, at))
GUARDED(ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, size), -1)
GUARDED(ssize_t, pwrite, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at), -1)
GUARDED(ssize_t, pwrite64, (int file, const void *bytes, size_t size, off64_t at), (file, bytes, size, at), -1)
GUARDED(int, fsync, (int file), ((record(file), file)), -1)
GUARDED(int, fdatasync, (int file), ((record(file), file)), -1)
GUARDED(int, ftruncate, (int file, off_t size), (file, size), -1)
GUARDED(int, ftruncate64, (int file, off64_t size), (file, size), -1)
GUARDED(int, posix_fallocate, (int file, off_t at, off_t size), (file, at, size), number)
GUARDED(int, rename, (const char *old, const char *new), (old, new), -1)
GUARDED(int, renameat2, (int a, const char *old, int b, const char *new, unsigned flags), (a, old, b, new, flags), -1)
GUARDED(int, link, (const char *old, const char *new), (old, new), -1)
GUARDED(int, mkdir, (const char *path, mode_t mode), (path, mode), -1)
