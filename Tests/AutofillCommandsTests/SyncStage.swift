// SPDX-License-Identifier: Apache-2.0
import AutofillCommands
import FoundationEssentials
import Glibc
import TestGround
import Testing

/// A user's machines, each with a real daemon and a vault of its own, and one folder for all.
struct SyncStage {
    let folder: TemporaryDirectory
    let desktop, laptop: TestService

    init() async throws {
        folder = try TemporaryDirectory()
        desktop = try await TestService.withVault()
        laptop = try await TestService.withVault()
    }

    /// Starts sync on the desktop, and its carrier.
    func start() async throws -> (output: String, carrier: SyncCarrierProgram) {
        let run = try await desktop.proven("sync", "start", folder.path, "--name", "desktop")
        try #require(run.status == 0, "\(run.errors)")
        return (run.output, try SyncCarrierProgram(for: desktop))
    }

    /// Lets the laptop in, which waits for it.
    func admit() async throws -> (invited: CommandRun, joined: CommandRun, carrier: SyncCarrierProgram) {
        let invite = try RunningCommand(["sync", "invite", "--yes"], of: desktop)
        let code = try await invite.code()
        async let joining = laptop.proven(
            "sync", "join", folder.path, "--name", "laptop", "--code-fd", "3", inputs: [3: code])
        let order = laptop.directory.path + "/data/sync/carrier.json"
        try await Self.eventually("the daemon has stated what is carried") { access(order, F_OK) == 0 }
        let carrier = try SyncCarrierProgram(for: laptop)
        let joined = try await joining
        return (invite.end(), joined, carrier)
    }

    /// Asks to be let in, and does not wait.
    func join(_ service: TestService, with code: String, named name: String = "laptop") async throws -> CommandRun {
        try await service.proven(
            "sync", "join", folder.path, "--name", name, "--code-fd", "3", "--no-wait", inputs: [3: code])
    }

    /// The files of the folder whose names end so.
    func files(_ suffix: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }
    }

    /// The sites and users of what is saved.
    static func saved(_ service: TestService) async throws -> Set<String> {
        let lines = try await service.proven("list").output.split(separator: "\n").dropFirst()
        return Set(lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") })
    }

    static func save(_ site: String, _ user: String, _ password: String, on service: TestService) async throws {
        let run = try await service.proven("save", site, user, "--password-fd", "3", inputs: [3: password])
        try #require(run.status == 0, "\(run.errors)")
    }

    /// Waits, for a minute at most, until something is so.
    static func eventually(_ what: Comment, _ isSo: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try await !isSo() {
            try #require(ContinuousClock.now < deadline, what)
            usleep(10_000)
            await Task.yield()
        }
    }
}

/// The real autofill-sync of one machine.
final class SyncCarrierProgram: Sendable {
    /// Beside the tests.
    static let executable: String? = {
        let directory = CommandRun.executable.flatMap { own in own.lastIndex(of: "/").map { String(own[..<$0]) } }
        return directory.map { $0 + "/autofill-sync" }.flatMap { access($0, X_OK) == 0 ? $0 : nil }
    }()

    private let process: Int32

    init(for service: TestService) throws {
        let null = ChildProcess.File.path("/dev/null", flags: O_RDWR)
        process = try ChildProcess.start(
            try #require(Self.executable), ["--spool", service.directory.path + "/data/sync"],
            environment: ["PATH": "/usr/bin:/bin"],
            files: [(STDIN_FILENO, null), (STDOUT_FILENO, null), (STDERR_FILENO, null)])
    }

    /// Whether it has ended by itself: with another folder at the path systemd starts it again.
    var hasEnded: Bool {
        var found = siginfo_t()
        return waitid(P_PID, id_t(process), &found, WEXITED | WNOHANG | WNOWAIT) == 0 && found.si_signo == SIGCHLD
    }

    /// Nothing is carried any more; what arrives waits for another one.
    deinit {
        kill(process, SIGKILL)
        ChildProcess.wait(for: process)
    }
}

/// A run of the real autofillctl whose output is read while it runs.
final class RunningCommand: Sendable {
    private let directory: TemporaryDirectory
    private let process: Int32

    /// With the key of the service as proof.
    init(_ arguments: [String], of service: TestService) throws {
        directory = try TemporaryDirectory()
        let writing = O_WRONLY | O_CREAT | O_APPEND
        process = try ChildProcess.start(
            try #require(CommandRun.executable),
            arguments + ["--socket", service.socket, "--key-file", service.key],
            environment: ["HOME": directory.path],
            files: [
                (STDIN_FILENO, .path("/dev/null", flags: O_RDONLY)),
                (STDOUT_FILENO, .path(directory.path + "/output", flags: writing)),
                (STDERR_FILENO, .path(directory.path + "/errors", flags: writing)),
            ])
    }

    private func text(_ name: String) -> String {
        (try? String(contentsOfFile: "\(directory.path)/\(name)", encoding: .utf8)) ?? ""
    }

    /// Waits for the code that it prints.
    func code() async throws -> String {
        try await SyncStage.eventually("a code is printed") { text("output").code != nil || !text("errors").isEmpty }
        return try #require(text("output").code, "\(text("errors"))")
    }

    /// Waits for its end.
    func end() -> CommandRun {
        let status = ChildProcess.wait(for: process)
        return CommandRun(status: status, output: text("output"), errors: text("errors"))
    }
}

extension String {
    /// The first code in it: eight groups of letters and digits.
    var code: String? {
        split { $0.isWhitespace || $0 == "\"" }.first { $0.split(separator: "-").count == 8 }.map(String.init)
    }
}
