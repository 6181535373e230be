// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "af_confine does not know this architecture"
#endif

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define ALLOW(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), RETURN(SECCOMP_RET_ALLOW)

static const struct sock_filter filter[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    RETURN(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
    // What is open.
    ALLOW(read), ALLOW(write), ALLOW(writev), ALLOW(recvfrom), ALLOW(sendto), ALLOW(accept4), ALLOW(shutdown), ALLOW(close),
#ifdef __NR_poll
    ALLOW(poll),
#endif
    ALLOW(ppoll),
    // Memory, time and random numbers.
    ALLOW(mmap), ALLOW(mremap), ALLOW(munmap), ALLOW(mprotect), ALLOW(madvise), ALLOW(brk), ALLOW(mlock), ALLOW(munlock),
    ALLOW(clock_gettime), ALLOW(getrandom), ALLOW(futex), ALLOW(sched_yield),
    // Signals, and the end.
    ALLOW(restart_syscall), ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(getpid), ALLOW(gettid),
    ALLOW(tgkill), ALLOW(exit), ALLOW(exit_group),
    RETURN(SECCOMP_RET_ERRNO | EPERM),
};

int af_confine(void) {
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = (struct sock_filter *)filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    // The ID of a thread that could not be included.
    return result < 0 ? -errno : result > 0 ? -EBUSY : 0;
}
