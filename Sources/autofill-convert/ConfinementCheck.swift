// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// `--check`: tries, in the confined program, what it must not do, and prints what happens.
enum ConfinementCheck {
    private static let attempts: [(name: StaticString, @Sendable () -> Bool)] = [
        ("open a file to read", { open("/etc/passwd", O_RDONLY) >= 0 }),
        ("open a file to write", { open("/tmp/autofill-convert", O_WRONLY | O_CREAT, 0o600) >= 0 }),
        ("remove a file", { unlink("/tmp/autofill-convert") == 0 || errno == ENOENT }),
        ("make a socket", { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0 }),
        ("make a socket of the network", { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0 }),
        (
            "make a socket pair",
            {
                var pair: [Int32] = [0, 0]
                return socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0
            }
        ),
        ("copy a descriptor", { dup(STDOUT_FILENO) >= 0 }),
        (
            "start a process",
            {
                var child = pid_t()
                return posix_spawn(&child, "/bin/true", nil, nil, [nil], [nil]) == 0
            }
        ),
        (
            "run a program",
            {
                // It would end this one.
                execve("/bin/true", [nil], [nil]) == 0
            }
        ),
        ("send a signal", { kill(getppid(), 0) == 0 }),
        (
            "map executable memory",
            {
                mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED
            }
        ),
        (
            "raise a limit",
            {
                var limit = rlimit(rlim_cur: 1, rlim_max: 1)
                return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
            }
        ),
    ]

    /// The exit status.
    static func run() -> Int32 {
        if let problem = Confinement.enter(keeping: [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]) {
            Descriptors.printError(problem)
            return EX_OSERR
        }
        var isConfined = true
        for (name, attempt) in attempts {
            errno = 0
            let isPossible = attempt()
            Descriptors.print("\(name): \(isPossible ? "POSSIBLE" : "refused, error \(errno)")\n")
            if isPossible { isConfined = false }
        }
        return isConfined ? EX_OK : EX_SOFTWARE
    }
}
