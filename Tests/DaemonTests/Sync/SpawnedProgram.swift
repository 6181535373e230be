// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

/// A program in a process group of its own, which is killed as a whole.
///
/// Foundation's `Process` notices the end of a program by a descriptor that it inherits: of a program that closes all of them, such as
/// sshd, it waits for the end, and meanwhile for no other one.
final class SpawnedProgram {
    private let process: pid_t
    private var isOver = false

    /// - Parameter environment: nil: that of this process.
    init(_ program: String, _ arguments: [String], environment: [String: String]? = nil) throws {
        var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var process = pid_t()
        let result = Self.withStrings([program] + arguments) { arguments in
            guard let environment else {
                return posix_spawn(&process, program, &actions, &attributes, arguments, environ)
            }
            return Self.withStrings(environment.map { "\($0)=\($1)" }) {
                posix_spawn(&process, program, &actions, &attributes, arguments, $0)
            }
        }
        try #require(result == 0, "\(program): error \(result)")
        self.process = process
    }

    deinit { kill9() }

    private static func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }

    func kill9() {
        guard !isOver else { return }
        isOver = true
        kill(-process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
}
