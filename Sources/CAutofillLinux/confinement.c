// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "confinement.h"
#include "peer.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void af_close_all_but(const int *kept, size_t count) {
    int next = 0;
    for (;;) {
        // The next one to keep, in ascending order.
        int lowest = -1;
        for (size_t i = 0; i < count; i++)
            if (kept[i] >= next && (lowest < 0 || kept[i] < lowest)) lowest = kept[i];
        if (lowest < 0) break;
        if (lowest > next) syscall(SYS_close_range, next, lowest - 1, 0);
        next = lowest + 1;
    }
    syscall(SYS_close_range, next, ~0U, 0);
}

static int limit(__rlimit_resource_t resource, uint64_t soft, uint64_t hard) {
    struct rlimit present;
    if (getrlimit(resource, &present) < 0) return -errno;
    if (hard > present.rlim_max) hard = present.rlim_max;
    if (soft > hard) soft = hard;
    struct rlimit wanted = {soft, hard};
    return setrlimit(resource, &wanted) < 0 ? -errno : 0;
}

int af_limit_resources(uint64_t memory_bytes, uint64_t processor_seconds, uint64_t file_bytes) {
    int result = limit(RLIMIT_AS, memory_bytes, memory_bytes);
    if (result == 0) result = limit(RLIMIT_CPU, processor_seconds, processor_seconds + 1);
    if (result == 0) result = limit(RLIMIT_FSIZE, file_bytes, file_bytes);
    if (result == 0) result = limit(RLIMIT_NOFILE, 0, 0);
    return result;
}

bool af_lock_all_memory(void) {
    struct rlimit locked, space;
    if (getrlimit(RLIMIT_MEMLOCK, &locked) < 0 || getrlimit(RLIMIT_AS, &space) < 0) return false;
    // With a lower limit an allocation would fail that succeeds unlocked.
    if (locked.rlim_cur != RLIM_INFINITY && locked.rlim_cur < space.rlim_cur) return false;
    return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0;
}

// The kernel's interface up to version 6, which headers of Debian 12 do not have.
struct landlock_rules {
    uint64_t files, network, scopes;
};

struct landlock_rule {
    uint64_t rights;
    int32_t file;
} __attribute__((packed));

enum { RIGHT_REFER = 13, RIGHT_TRUNCATE = 14, RIGHT_IOCTL = 15 };

enum {
    LIST_RIGHTS = 1 << 2 | 1 << 3,
    READ_RIGHTS = 1 << 0 | LIST_RIGHTS,
    // To read, write and cut off files; to list, make and remove files and directories. No link, device, pipe or socket is
    // made, and nothing is executed.
    WRITE_RIGHTS = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << RIGHT_TRUNCATE,
    // What a rule for a file may name.
    FILE_RIGHTS = 1 << 0 | 1 << 1 | 1 << 2 | 1 << RIGHT_TRUNCATE,
};

static const uint64_t rights_of[] = {
    [AF_ACCESS_LIST] = LIST_RIGHTS,
    [AF_ACCESS_READ] = READ_RIGHTS,
    [AF_ACCESS_WRITE] = WRITE_RIGHTS,
    [AF_ACCESS_REPOSITORY] = WRITE_RIGHTS | 1 << RIGHT_REFER,
};

int af_landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
    if (version >= 0) return (int)version;
    return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -errno;
}

static uint64_t handled_files(int version) {
    int last = version >= 5 ? RIGHT_IOCTL : version >= 3 ? RIGHT_TRUNCATE : version == 2 ? RIGHT_REFER : RIGHT_REFER - 1;
    return ((uint64_t)2 << last) - 1;
}

int af_landlock_ruleset(bool permits_tcp) {
    int version = af_landlock_version();
    if (version <= 0) return version < 0 ? version : -ENOSYS;
    struct landlock_rules rules = {.files = handled_files(version)};
    if (version >= 4 && !permits_tcp) rules.network = 3; // bind, connect
    if (version >= 6) rules.scopes = 3;                  // abstract sockets, signals
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    return ruleset < 0 ? -errno : ruleset;
}

int af_landlock_permit(int ruleset, int file, enum af_access access) {
    struct af_file facts;
    int result = af_stat_cached(file, &facts);
    if (result < 0) return result;
    uint64_t rights = rights_of[access] & handled_files(af_landlock_version());
    if (!S_ISDIR(facts.mode)) rights &= FILE_RIGHTS;
    struct landlock_rule rule = {.rights = rights, .file = file};
    return syscall(SYS_landlock_add_rule, ruleset, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0) < 0 ? -errno : 0;
}

int af_landlock_enforce(int ruleset) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -errno;
    return syscall(SYS_landlock_restrict_self, ruleset, 0) < 0 ? -errno : 0;
}

int af_forbid_files(void) {
    int version = af_landlock_version();
    if (version <= 0) return version;
    int ruleset = af_landlock_ruleset(false);
    if (ruleset < 0) return ruleset;
    int result = af_landlock_enforce(ruleset);
    close(ruleset);
    return result < 0 ? result : version;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

#ifdef ARCHITECTURE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
// The instruction after it runs if the number is this one.
#define IF(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1)
#define PERMIT(number) IF(number), ALLOW
// No number of x32 is among those that are permitted: they begin at 0x40000000.

int af_forbid_system_calls(void) {
    struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        PERMIT(SYS_read), PERMIT(SYS_write), PERMIT(SYS_readv), PERMIT(SYS_writev), PERMIT(SYS_close), PERMIT(SYS_lseek),
        PERMIT(SYS_brk), PERMIT(SYS_munmap), PERMIT(SYS_mremap), PERMIT(SYS_madvise), PERMIT(SYS_mlock),
        PERMIT(SYS_munlock), PERMIT(SYS_futex), PERMIT(SYS_getrandom), PERMIT(SYS_clock_gettime),
        PERMIT(SYS_rt_sigreturn), PERMIT(SYS_rt_sigprocmask), PERMIT(SYS_sigaltstack), PERMIT(SYS_getpid), PERMIT(SYS_gettid),
        PERMIT(SYS_sched_yield), PERMIT(SYS_restart_syscall), PERMIT(SYS_exit), PERMIT(SYS_exit_group),
        // Memory, unless it is to be executable. Both have the protection as their third argument.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
        LOAD(args[2]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0),
        ALLOW,
        REFUSE,
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -errno;
    // Of all threads, should a library have made one.
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    return result == 0 ? 0 : result > 0 ? -EBUSY : -errno;
}
#else
int af_forbid_system_calls(void) { return -ENOSYS; }
#endif
