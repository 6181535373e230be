// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc

/// `--check`: tries, in the confined program, what it must not do, and prints what happens.
enum ConfinementCheck {
    /// The exit status.
    static func run(_ layer: Confinement.Layer) -> Int32 {
        let servers = CheckedSockets()
        let kept = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] + servers.descriptors
        if let problem = Confinement.enter(keeping: kept, by: layer) {
            Descriptors.printError(problem)
            return EX_OSERR
        }
        var isConfined = true
        for (name, attempt) in files + resources + servers.attempts + processes {
            errno = 0
            let isPossible = attempt()
            Descriptors.print("\(name): \(isPossible ? "POSSIBLE" : "refused, error \(errno)")\n")
            if isPossible { isConfined = false }
        }
        return isConfined ? EX_OK : EX_SOFTWARE
    }

    typealias Attempt = (name: StaticString, @Sendable () -> Bool)

    /// In the present directory: a test makes `file`, `other` and `folder` there.
    private static let files: [Attempt] = [
        ("open a file to read", { open("file", O_RDONLY) >= 0 }),
        ("open a file to write", { open("file", O_WRONLY) >= 0 }),
        ("list a directory", { open(".", O_RDONLY | O_DIRECTORY) >= 0 }),
        ("make a file", { open("new", O_WRONLY | O_CREAT, 0o600) >= 0 }),
        ("cut off a file", { truncate("file", 0) == 0 }),
        ("make a directory", { mkdir("new-folder", 0o700) == 0 }),
        ("make a pipe in a directory", { mkfifo("new-pipe", 0o600) == 0 }),
        ("make a link", { symlink("file", "new-link") == 0 }),
        ("make a device", { mknod("new-device", S_IFCHR | 0o600, 0x103) == 0 }),
        ("make a disk", { mknod("new-disk", S_IFBLK | 0o600, 0x700) == 0 }),
        (
            "move a file to another directory",
            { rename("file", "folder/moved") == 0 && rename("folder/moved", "file") == 0 }
        ),
        ("remove a file", { unlink("other") == 0 }),
        ("remove a directory", { rmdir("folder") == 0 }),
    ]

    private static let resources: [Attempt] = [
        ("use another descriptor", { lseek(9, 0, SEEK_CUR) >= 0 }),
        ("copy a descriptor", { dup(STDOUT_FILENO) >= 0 }),
        (
            "use more memory",
            {
                mmap(nil, 3 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                    != MAP_FAILED
            }
        ),
        ("use more time", { hardLimit(RLIMIT_CPU) > 1000 }),
        ("write a larger file", { hardLimit(RLIMIT_FSIZE) > 2 << 30 }),
        ("raise a limit", { setLimit(RLIMIT_CORE) }),
        ("dump core", { af_is_dumpable() && errno == 0 }),
        ("map executable memory", { map(PROT_READ | PROT_EXEC) != nil }),
        (
            "make memory executable",
            {
                let page = map(PROT_READ | PROT_WRITE)
                return page.map { mprotect($0, 4096, PROT_READ | PROT_EXEC) == 0 } ?? false
            }
        ),
    ]

    /// The last one ends this program where it succeeds; the other program then prints that line.
    private static let processes: [Attempt] = [
        ("send a signal", { kill(getppid(), 0) == 0 }),
        (
            "start a process",
            {
                var child = pid_t()
                return posix_spawn(&child, "/bin/true", nil, nil, [nil], [nil]) == 0
            }
        ),
        (
            "start a thread",
            {
                var thread = pthread_t()
                let result = pthread_create(&thread, nil, { _ in nil }, nil)
                errno = result
                return result == 0
            }
        ),
        (
            "run a program",
            {
                var arguments = [strdup("echo"), strdup("run a program: POSSIBLE"), nil]
                return execve("/bin/echo", &arguments, [nil]) == 0
            }
        ),
    ]

    private static func map(_ protection: Int32) -> UnsafeMutableRawPointer? {
        let page = mmap(nil, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return page == MAP_FAILED ? nil : page
    }

    /// 0 where it cannot be asked for.
    private static func hardLimit(_ resource: __rlimit_resource) -> rlim_t {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 ? limit.rlim_max : 0
    }

    private static func setLimit(_ resource: __rlimit_resource) -> Bool {
        var limit = rlimit()
        let type = __rlimit_resource_t(resource.rawValue)
        return getrlimit(type, &limit) == 0 && setrlimit(type, &limit) == 0
    }
}
