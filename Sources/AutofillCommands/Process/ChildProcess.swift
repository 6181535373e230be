// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A child process, started with the given environment and descriptors, and no others of this process.
package enum ChildProcess {
    /// The source of a child's descriptor.
    package enum File: Sendable {
        /// A descriptor of this process.
        case descriptor(Int32)
        /// A file, opened in the child with these flags of open(2).
        case path(String, flags: Int32)
    }

    package struct StartFailure: Error, Hashable, Sendable {
        package let text: String
        /// Whether an interrupt at the terminal ended it: until it has its own process group it receives the signals of
        /// this process, and this process may receive the signal later.
        package var wasInterrupted = false
    }

    /// Starts a program in its own process group: an interrupt at the terminal is sent to this process, which ends the
    /// program.
    ///
    /// - Parameters:
    ///   - environment: the complete environment.
    ///   - files: its descriptors. Of this process's others it inherits only those that were passed to this process.
    ///   - isSessionLeader: whether it gets its own session; the first terminal among the files is then its controlling
    ///     terminal.
    /// - Returns: its process ID; the caller waits for its end.
    package static func start(
        _ executable: String, _ arguments: [String], environment: [String: String], files: [(Int32, File)],
        isSessionLeader: Bool = false
    ) throws(StartFailure) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, file) in files {
            switch file {
            case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            case .path(let path, let flags): posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
            }
        }
        // The child must accept the signals that this process may block.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        let group = isSessionLeader ? newSession : POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group))
        let argumentVector = ([executable] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argumentVector + variables).forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, executable, &actions, &attributes, argumentVector, variables)
        guard failure == 0 else { throw StartFailure(text: "\(executable): \(String(cString: strerror(failure)))") }
        return child
    }

    /// How a child ended.
    package enum End: Hashable, Sendable {
        case exited(status: Int32)
        case signalled(Int32)
    }

    /// Waits for its end.
    package static func end(of processID: Int32) -> End {
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .signalled(signal)
    }

    /// Waits for its end.
    ///
    /// - Returns: its exit status; nil if a signal ended it.
    @discardableResult
    package static func wait(for processID: Int32) -> Int32? {
        if case .exited(let status) = end(of: processID) { status } else { nil }
    }

    /// POSIX_SPAWN_SETSID of glibc 2.26, which its headers show only with _GNU_SOURCE.
    private static let newSession: Int32 = 0x80
}
