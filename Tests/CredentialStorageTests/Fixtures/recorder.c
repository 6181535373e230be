// SPDX-License-Identifier: Apache-2.0
// Put before libc with LD_PRELOAD: keeps in memory what the process does to the files below one folder, with the bytes
// that it writes, its syncs and its renames, so that a test can replay it up to any moment.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPENED = 1, WRITTEN, RESIZED, ALLOCATED, SYNCED, RENAMED, LINKED, REMOVED, FOLDER_MADE, UNSUPPORTED };

// Followed by the two byte strings.
struct event {
    uint32_t kind;
    int32_t file;
    int64_t at; // of a write; a length; of an open 1 where it made the file, 2 where it emptied it
    uint32_t first, second;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[4096];
static size_t root_length;
static char *events;
static size_t length, capacity, count;
static int is_on, refuses_links;
static unsigned char followed[1 << 16];

// ---------------------------------------------------------------- for the test

// Begins with no events, of what is below this folder, and paused.
void recorder_begin(const char *folder) {
    pthread_mutex_lock(&lock);
    snprintf(root, sizeof root, "%s/", folder);
    root_length = strlen(root);
    memset(followed, 0, sizeof followed);
    length = count = 0;
    is_on = 0;
    pthread_mutex_unlock(&lock);
}
void recorder_pause(void) { is_on = 0; }
size_t recorder_count(void) { return count; }
size_t recorder_length(void) { return length; }
const char *recorder_events(void) { return events; }
// Hard links fail as on a file system without them.
void recorder_refuse_links(int refuses) { refuses_links = refuses; }

// ---------------------------------------------------------------- keeping events

static void keep(int kind, int file, int64_t at, const void *first, size_t size, const void *second, size_t other) {
    struct event event = {kind, file, at, size, other};
    pthread_mutex_lock(&lock);
    size_t needed = length + sizeof event + size + other;
    if (needed > capacity) {
        capacity = 2 * needed + (1 << 20);
        events = realloc(events, capacity);
        if (!events) abort();
    }
    memcpy(events + length, &event, sizeof event);
    if (size) memcpy(events + length + sizeof event, first, size);
    if (other) memcpy(events + length + sizeof event + size, second, other);
    length = needed;
    count++;
    pthread_mutex_unlock(&lock);
}

static int is_below(const char *path) { return is_on && root_length && !strncmp(path, root, root_length); }
static int is_followed(int file) { return is_on && file >= 0 && file < (int)sizeof followed && followed[file]; }

static void keep_paths(int kind, const char *first, const char *second) {
    int error = errno;
    if (is_below(first) || (second && is_below(second)))
        keep(kind, -1, 0, first, strlen(first), second, second ? strlen(second) : 0);
    errno = error;
}

static void keep_unsupported(const char *name) { keep(UNSUPPORTED, -1, 0, name, strlen(name), 0, 0); }

static void keep_open(int file, int existed, int flags) {
    int error = errno;
    char link[64], path[4096];
    if (file >= 0 && file < (int)sizeof followed) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        ssize_t size = readlink(link, path, sizeof path - 1);
        path[size < 0 ? 0 : size] = 0;
        // The folder itself too, for its syncs; not what has no name any more.
        followed[file] = is_on && root_length && !strncmp(path, root, root_length - 1) && !strstr(path, " (deleted)");
        // SQLite's index of a log, which it makes again.
        if (followed[file] && size > 4 && !strcmp(path + size - 4, "-shm")) followed[file] = 2;
        if (followed[file])
            keep(OPENED, file, existed ? (flags & O_TRUNC ? 2 : 0) : 1, path, strlen(path), 0, 0);
    }
    errno = error;
}

// Continues, also with the files that are open already.
void recorder_resume(void) {
    is_on = 1;
    for (int file = 0; file < 1024; file++) keep_open(file, 1, 0);
}

#define NEXT(type, name, parameters) \
    static type(*next) parameters; \
    if (!next) next = (type(*) parameters)dlsym(RTLD_NEXT, #name);

// ---------------------------------------------------------------- files

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        NEXT(int, name, (const char *, int, ...)) \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        int existed = !is_on || !access(path, F_OK), file = next(path, flags, mode); \
        keep_open(file, existed, flags); \
        return file; \
    }
OPEN(open)
OPEN(open64)

#define OPEN_AT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        NEXT(int, name, (int, const char *, int, ...)) \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        int existed = !is_on || !faccessat(folder, path, F_OK, 0), file = next(folder, path, flags, mode); \
        keep_open(file, existed, flags); \
        return file; \
    }
OPEN_AT(openat)
OPEN_AT(openat64)

#define OPEN_FORTIFIED(name) \
    int name(const char *path, int flags) { \
        NEXT(int, name, (const char *, int)) \
        int file = next(path, flags); \
        keep_open(file, 1, flags); \
        return file; \
    }
OPEN_FORTIFIED(__open_2)
OPEN_FORTIFIED(__open64_2)

int close(int file) {
    NEXT(int, close, (int))
    if (file >= 0 && file < (int)sizeof followed) followed[file] = 0;
    return next(file);
}

static ssize_t keep_written(int file, const void *bytes, ssize_t count, off_t at) {
    if (count > 0 && is_followed(file)) keep(WRITTEN, file, at, bytes, count, 0, 0);
    return count;
}

ssize_t write(int file, const void *bytes, size_t size) {
    NEXT(ssize_t, write, (int, const void *, size_t))
    if (!is_followed(file)) return next(file, bytes, size);
    struct stat status;
    int is_appending = fcntl(file, F_GETFL) & O_APPEND;
    off_t at = is_appending && !fstat(file, &status) ? status.st_size : lseek(file, 0, SEEK_CUR);
    return keep_written(file, bytes, next(file, bytes, size), at);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
    NEXT(ssize_t, pwrite, (int, const void *, size_t, off_t))
    return keep_written(file, bytes, next(file, bytes, size, at), at);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
    NEXT(ssize_t, pwrite64, (int, const void *, size_t, off64_t))
    return keep_written(file, bytes, next(file, bytes, size, at), at);
}

#define WITH_FILE(kind, type, name, parameters, arguments, at) \
    type name parameters { \
        NEXT(type, name, parameters) \
        type status = next arguments; \
        if (status == 0 && is_followed(file)) keep(kind, file, at, 0, 0, 0, 0); \
        return status; \
    }
WITH_FILE(RESIZED, int, ftruncate, (int file, off_t size), (file, size), size)
WITH_FILE(RESIZED, int, ftruncate64, (int file, off64_t size), (file, size), size)
WITH_FILE(ALLOCATED, int, posix_fallocate, (int file, off_t from, off_t size), (file, from, size), from + size)
WITH_FILE(ALLOCATED, int, posix_fallocate64, (int file, off64_t from, off64_t size), (file, from, size), from + size)
WITH_FILE(SYNCED, int, fsync, (int file), (file), 0)
WITH_FILE(SYNCED, int, fdatasync, (int file), (file), 0)

// What is not replayed is an error of the test where it happens.
#define REFUSED(type, name, parameters, arguments, happens) \
    type name parameters { \
        NEXT(type, name, parameters) \
        if (happens) keep_unsupported(#name); \
        return next arguments; \
    }
REFUSED(ssize_t, writev, (int file, const struct iovec *v, int n), (file, v, n), is_followed(file))
REFUSED(ssize_t, pwritev, (int file, const struct iovec *v, int n, off_t at), (file, v, n, at), is_followed(file))
REFUSED(ssize_t, sendfile, (int file, int in, off_t *at, size_t n), (file, in, at, n), is_followed(file))
REFUSED(ssize_t, copy_file_range, (int in, off64_t *a, int file, off64_t *b, size_t n, unsigned f), (in, a, file, b, n, f), is_followed(file))
REFUSED(int, fallocate, (int file, int mode, off_t at, off_t size), (file, mode, at, size), is_followed(file))
REFUSED(int, fallocate64, (int file, int mode, off64_t at, off64_t size), (file, mode, at, size), is_followed(file))
REFUSED(int, truncate, (const char *path, off_t size), (path, size), is_below(path))
REFUSED(int, truncate64, (const char *path, off64_t size), (path, size), is_below(path))
REFUSED(int, symlink, (const char *old, const char *new), (old, new), is_below(new))
#define IS_SHARED_MEMORY (is_followed(file) && followed[file] == 1 && flags & MAP_SHARED && protection & PROT_WRITE)
REFUSED(void *, mmap, (void *at, size_t size, int protection, int flags, int file, off_t from),
    (at, size, protection, flags, file, from), IS_SHARED_MEMORY)
REFUSED(void *, mmap64, (void *at, size_t size, int protection, int flags, int file, off64_t from),
    (at, size, protection, flags, file, from), IS_SHARED_MEMORY)

// ---------------------------------------------------------------- names

#define WITH_PATHS(kind, name, parameters, arguments, first, second) \
    int name parameters { \
        NEXT(int, name, parameters) \
        int status = next arguments; \
        if (status == 0) keep_paths(kind, first, second); \
        return status; \
    }
WITH_PATHS(RENAMED, rename, (const char *old, const char *new), (old, new), old, new)
WITH_PATHS(RENAMED, renameat, (int a, const char *old, int b, const char *new), (a, old, b, new), old, new)
WITH_PATHS(
    RENAMED, renameat2, (int a, const char *old, int b, const char *new, unsigned flags), (a, old, b, new, flags), old, new)
WITH_PATHS(REMOVED, unlink, (const char *path), (path), path, 0)
WITH_PATHS(REMOVED, unlinkat, (int folder, const char *path, int flags), (folder, path, flags), path, 0)
WITH_PATHS(REMOVED, rmdir, (const char *path), (path), path, 0)
WITH_PATHS(FOLDER_MADE, mkdir, (const char *path, mode_t mode), (path, mode), path, 0)
WITH_PATHS(FOLDER_MADE, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode), path, 0)

int link(const char *old, const char *new) {
    NEXT(int, link, (const char *, const char *))
    if (refuses_links) {
        errno = EPERM;
        return -1;
    }
    int status = next(old, new);
    if (status == 0) keep_paths(LINKED, old, new);
    return status;
}
