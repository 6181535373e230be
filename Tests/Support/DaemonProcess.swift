// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Glibc

/// The real daemon, started for a test in a folder of its own.
package final class DaemonProcess {
    package enum Failure: Error { case noBinary(String), notListening(String), notLogged(String, String) }

    package let folder: String
    package let socket: String
    package private(set) var process = Process()
    private let arguments: [String]
    private let descriptorLimit: Int?
    private let environment: [String: String]
    private let startsWithoutMask: Bool
    private let wrapper: [String]

    /// Where the built programs are: beside the tests.
    package static func program(_ name: String) throws -> String {
        if let folder = ProcessInfo.processInfo.environment["AUTOFILL_PROGRAMS"] { return folder + "/" + name }
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        for folder in [tests, tests.deletingLastPathComponent(), URL(filePath: TestFiles.root + ".build/debug")] {
            let path = folder.appending(path: name).path(percentEncoded: false)
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw Failure.noBinary(name)
    }

    /// - Parameters:
    ///   - startsWithoutMask: with umask 0.
    ///   - siteAssociation: the administrator's setting; an ephemeral one has its own default.
    ///   - isEphemeral: else the vault is in `folder`/data, opened by the tests' key where `opensWithKey`.
    ///   - settings: the text of its settings file; it is not ephemeral then.
    ///   - environment: what is added to its environment.
    ///   - descriptorLimit: how many descriptors it may have; nil for as many as this process may.
    ///   - wrapper: a command that becomes the daemon.
    package init(
        isEphemeral: Bool = true, opensWithKey: Bool = true, siteAssociation: String = "advisory",
        startsWithoutMask: Bool = false, registrations: String = TestFiles.registrations,
        arguments extra: [String] = [], descriptorLimit: Int? = nil, settings: String? = nil,
        environment added: [String: String] = [:], wrapper: [String] = []
    ) throws {
        self.wrapper = wrapper
        self.descriptorLimit = descriptorLimit
        folder = try TestFiles.folder()
        socket = folder + "/s"
        var arguments = ["--socket", socket, "--registrations", registrations]
        arguments +=
            isEphemeral
            ? ["--ephemeral"]
            : [
                "--data-directory", folder + "/data", "--settings", folder + "/settings.json", "--system-settings",
                folder + "/system.json",
            ]
        // Of an option that is given twice the last counts.
        self.arguments = arguments + extra
        self.startsWithoutMask = startsWithoutMask
        // Most tests are not about sites, and none of these has one.
        let administrators = Data(#"{"siteAssociation":"\#(siteAssociation)"}"#.utf8)
        guard
            isEphemeral
                || FileManager.default.createFile(
                    atPath: folder + "/system.json", contents: administrators, attributes: [.posixPermissions: 0o600])
        else { throw POSIXError(.EIO) }
        try settings?.write(toFile: folder + "/settings.json", atomically: false, encoding: .utf8)
        var environment = ProcessInfo.processInfo.environment
        for name in ["JOURNAL_STREAM", "NOTIFY_SOCKET", "LISTEN_FDS", "CREDENTIALS_DIRECTORY", "AUTOFILLD_SOCKET"] {
            environment[name] = nil
        }
        if opensWithKey {
            environment["CREDENTIALS_DIRECTORY"] =
                URL(filePath: try TestFiles.keyFile()).deletingLastPathComponent().path(percentEncoded: false)
        }
        self.environment = environment.merging(added) { $1 }
        try start()
    }

    deinit {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts it, and waits until it listens.
    package func start() throws {
        process = Process()
        // Mask and limits are the whole process's: the tests that run beside this one need theirs.
        let limits = (startsWithoutMask ? "umask 0 && " : "") + (descriptorLimit.map { "ulimit -n \($0) && " } ?? "")
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments =
            ["-c", limits + "exec \"$@\"", "sh"] + wrapper + [try Self.program("autofilld")] + arguments
        process.environment = environment
        let log = folder + "/log"
        if !FileManager.default.fileExists(atPath: log) {
            guard FileManager.default.createFile(atPath: log, contents: nil) else { throw POSIXError(.EIO) }
        }
        let output = try FileHandle(forWritingTo: URL(filePath: log))
        try output.seekToEnd()
        process.standardError = output
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let deadline = Date(timeIntervalSinceNow: 120)
        while Date() < deadline, process.isRunning {
            if let connection = try? SocketConnection(to: socket) {
                connection.close()
                return
            }
            usleep(2000)
        }
        throw Failure.notListening(self.log())
    }

    /// What it wrote: standard error is its journal here.
    package func log() -> String {
        (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
    }

    /// Waits until it has written a text.
    package func awaitLog(_ text: String) throws {
        let deadline = Date(timeIntervalSinceNow: 120)
        while !log().contains(text) {
            guard Date() < deadline else { throw Failure.notLogged(text, log()) }
            usleep(10_000)
        }
    }

    /// What it has in memory now.
    package var residentKibibytes: Int {
        let path = "/proc/\(process.processIdentifier)/status"
        let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? []
        let words = lines.first { $0.hasPrefix("VmRSS:") }?.split(whereSeparator: \.isWhitespace) ?? []
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    /// Kills it as a crash would.
    package func kill9() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Stops it as systemd would; its exit status.
    package func terminate() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
