// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A program that is measured: the daemon, or the floor.
final class Server {
    let socket: String
    /// From the start of the program to its first answer, in milliseconds.
    private(set) var millisecondsToFirstAnswer = 0.0
    private var process: pid_t = 0

    /// Starts it and waits for its first answer to `greeting`.
    init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], socket: String, log: String,
        greeting: [UInt8]
    ) throws {
        self.socket = socket
        let binary = Self.path(of: program)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let list = ([binary] + arguments).map { strdup($0) } + [nil]
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let environ = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in list + environ { free(text) } }
        let clock = ContinuousClock()
        let start = clock.now
        guard posix_spawn(&process, binary, &actions, nil, list, environ) == 0 else {
            throw BenchmarkFault("\(binary) does not start: build it with Tests/bench")
        }
        while true {
            if let connection = try? Connection(to: socket) {
                try connection.exchange(greeting)
                break
            }
            guard clock.now - start < .seconds(120), waitpid(process, nil, WNOHANG) == 0 else {
                throw BenchmarkFault("\(program): \((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
            }
            usleep(100)
        }
        millisecondsToFirstAnswer = (clock.now - start) / .milliseconds(1)
    }

    /// A program that was built beside this one.
    static func path(of program: String) -> String {
        let path = CommandLine.arguments[0].split(separator: "/").dropLast().joined(separator: "/")
        return (CommandLine.arguments[0].hasPrefix("/") ? "/" : "") + path + "/" + program
    }

    deinit {
        kill(process, SIGTERM)
        waitpid(process, nil, 0)
        unlink(socket)
    }

    /// In MiB. The private memory is that without a file: pages of a program that was just linked count as
    /// `Private_Dirty` until they are on the disk. It is nil where the kernel does not show it: the daemon is not
    /// dumpable, so only root may inspect it.
    var memory: (resident: Double, private: Double?) {
        func sum(_ file: String, _ names: [String]) -> Double? {
            guard let text = try? String(contentsOfFile: "/proc/\(process)/\(file)", encoding: .utf8) else {
                return nil
            }
            let lines = text.split(separator: "\n").filter { line in names.contains { line.hasPrefix($0) } }
            let kibibytes = lines.compactMap { line in
                line.split(whereSeparator: { " \t:".contains($0) }).dropFirst().first
            }
            return lines.isEmpty ? nil : kibibytes.compactMap { Double($0) }.reduce(0, +) / 1024
        }
        return (sum("status", ["VmRSS"]) ?? 0, sum("smaps_rollup", ["Anonymous"]))
    }
}
