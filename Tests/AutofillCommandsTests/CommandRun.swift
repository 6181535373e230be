// SPDX-License-Identifier: Apache-2.0
import AutofillCommands
import Dispatch
import FoundationEssentials
import Glibc
import TestGround

/// One run of the real autofillctl: its input, and its results.
struct CommandRun {
    let status: Int32?
    let output: String
    let errors: String
    /// What the terminal showed, where there was one.
    var screen = ""

    /// The program beside the tests.
    static let executable: String? = {
        let directory = DaemonProgram.own.flatMap { own in own.lastIndex(of: "/").map { String(own[..<$0]) } }
        return directory.map { $0 + "/autofillctl" }.flatMap { access($0, X_OK) == 0 ? $0 : nil }
    }()

    /// Runs it without a terminal.
    ///
    /// - Parameter inputs: what each descriptor gives to read.
    static func of(
        _ arguments: [String], inputs: [Int32: String] = [:], environment: [String: String] = [:]
    ) async throws -> CommandRun {
        try await untilAnswered {
            try await run([executable ?? ""] + arguments, inputs, environment, terminal: nil) { _ in "" }
        }
    }

    /// The same with another program.
    static func of(program: String, _ arguments: [String], environment: [String: String]) async throws -> CommandRun {
        try await untilAnswered { try await run([program] + arguments, [:], environment, terminal: nil) { _ in "" } }
    }

    /// Runs it at a terminal of its own, with standard output there too where it `printsThere`.
    ///
    /// - Parameters:
    ///   - dialogue: what the terminal shows, and what is typed when it does.
    ///   - inAnyOrder: whether each may be shown at any time, and any number of times.
    ///   - shell: a script for sh(1) that runs it, as `"$@"`, and inspects the terminal.
    static func atTerminal(
        _ arguments: [String], dialogue: [(shows: String, type: String)], inAnyOrder: Bool = false,
        printsThere: Bool = false, columns: Int = 80,
        shell: String? = nil, environment: [String: String] = [:]
    ) async throws -> CommandRun {
        let command = shell.map { ["/bin/sh", "-c", $0, "sh", executable ?? ""] } ?? [executable ?? ""]
        return try await untilAnswered {
            let terminal = try TestTerminal(columns: columns)
            return try await run(command + arguments, [:], environment, terminal: (terminal, printsThere)) { child in
                terminal.hold(dialogue, inAnyOrder: inAnyOrder, until: child)
            }
        }
    }

    /// Again where the service was too late for its hello, as it may be while all other tests keep the machine busy:
    /// nothing was done then.
    private static func untilAnswered(_ run: () async throws -> CommandRun) async throws -> CommandRun {
        for _ in 0..<20 {
            let result = try await run()
            if !result.errors.contains("autofilld does not answer") { return result }
        }
        return try await run()
    }

    private static func run(
        _ command: [String], _ inputs: [Int32: String], _ environment: [String: String],
        terminal: (TestTerminal, printsThere: Bool)?, _ accompany: @escaping @Sendable (Int32) -> String
    ) async throws -> CommandRun {
        let directory = try TemporaryDirectory()
        let (output, errors) = (directory.path + "/output", directory.path + "/errors")
        let writing = O_WRONLY | O_CREAT | O_APPEND
        var files: [(Int32, ChildProcess.File)] = [(STDERR_FILENO, .path(errors, flags: writing))]
        if let (terminal, printsThere) = terminal {
            files.append((STDIN_FILENO, .path(terminal.path, flags: O_RDWR)))
            files.append((STDOUT_FILENO, printsThere ? .descriptor(STDIN_FILENO) : .path(output, flags: writing)))
        } else {
            files.append((STDIN_FILENO, .path("/dev/null", flags: O_RDONLY)))
            files.append((STDOUT_FILENO, .path(output, flags: writing)))
        }
        for (number, text) in inputs {
            try directory.write("input-\(number)", text)
            files.append((number, .path("\(directory.path)/input-\(number)", flags: O_RDONLY)))
        }
        // A session of its own, so that it does not use the terminal of the test run.
        let child = try ChildProcess.start(
            command[0], Array(command.dropFirst()), environment: ["HOME": directory.path].merging(environment) { $1 },
            files: files,
            isSessionLeader: true)
        return await withCheckedContinuation { continuation in
            // A queue of its own, because it blocks, and the global queues have few threads.
            DispatchQueue(label: "org.autofilld.test.command").async {
                let screen = accompany(child)
                let status = ChildProcess.wait(for: child)
                func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
                continuation.resume(
                    returning: CommandRun(status: status, output: text(output), errors: text(errors), screen: screen))
            }
        }
    }
}
