// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import Testing

/// One of a user's machines: the real daemon with a vault of its own, and the real carrier between it and a folder or a
/// git remote.
final class SyncMachine {
    /// What a vault shows of one credential.
    struct Saved: Equatable {
        let password: String
        let former: Set<String>

        init(_ answer: TestAnswer) {
            let history = answer.result?["history"] as? [[String: Any]] ?? []
            password = answer.text("password") ?? ""
            former = Set(history.compactMap { $0["password"] as? String })
        }

        var all: Set<String> { former.union([password]) }
    }

    let name: String
    let daemon: DaemonProcess
    /// Where files are exchanged, as the wire has it.
    private let location: [String: Any]
    /// Where the carrier finds programs.
    private let searchPath: String
    private(set) var connection: SocketConnection
    private var carrier: Process?

    /// With an empty vault.
    convenience init(_ name: String, in folder: String) throws {
        try self.init(name, at: ["type": "folder", "path": folder])
    }

    /// - Parameter programs: a directory whose programs precede the system's.
    convenience init(_ name: String, git url: String, programs: String? = nil) throws {
        try self.init(name, at: ["type": "git", "url": url], programs: programs)
    }

    private init(_ name: String, at location: [String: Any], programs: String? = nil) throws {
        (self.name, self.location) = (name, location)
        searchPath = (programs.map { $0 + ":" } ?? "") + "/usr/bin:/bin"
        daemon = try DaemonProcess(isEphemeral: false)
        connection = try Self.connect(daemon)
        try connection.call("admin.vault.create", Examples.newSecret)
    }

    deinit { killCarrier() }

    private static func connect(_ daemon: DaemonProcess) throws -> SocketConnection {
        let connection = try SocketConnection(to: daemon.socket)
        try connection.hello("org.autofilld.autofillctl")
        return connection
    }

    var spool: String { daemon.folder + "/data/sync" }

    // MARK: - Processes

    func killDaemon() { if daemon.process.isRunning { daemon.kill9() } }

    func killCarrier() {
        guard let carrier else { return }
        kill(carrier.processIdentifier, SIGKILL)
        carrier.waitUntilExit()
        self.carrier = nil
    }

    /// Starts what does not run.
    func start() throws {
        if !daemon.process.isRunning {
            try daemon.start()
            connection = try Self.connect(daemon)
        }
        try startCarrier()
    }

    func startCarrier() throws {
        if carrier?.isRunning != true { carrier = try runCarrier() }
    }

    /// Has the carrier compare at once what a git remote has, which it does every five minutes by itself.
    func hasten() throws {
        guard location["type"] as? String == "git" else { return }
        killCarrier()
        try runCarrier(["--once"]).waitUntilExit()
        try start()
    }

    private func runCarrier(_ options: [String] = []) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: try DaemonProcess.program("autofill-sync"))
        process.arguments = ["--spool", spool] + options
        process.environment = ["PATH": searchPath]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Whether the carrier ended by itself: the folder's path has another directory.
    var hasCarrierEnded: Bool { carrier?.isRunning == false }

    // MARK: - Calls

    @discardableResult
    func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> TestAnswer {
        try #require(try call(method, parameters, unless: []))
    }

    /// - Returns: nil where it is refused for one of these reasons.
    private func call(
        _ method: String, _ parameters: [String: Any], unless reasons: Set<String>
    ) throws -> TestAnswer? {
        let answer = try connection.call(method, parameters)
        if let reason = answer.reasons.first, reasons.contains(reason) { return nil }
        try #require(answer.result != nil, "\(name), \(method): \(answer.reasons)")
        return answer
    }

    /// Saves, where `beforeAnswer` is called once the request is sent. Returns whether an answer was received.
    func save(_ user: String, _ password: String, beforeAnswer: () -> Void = {}) throws -> Bool {
        let parameters: [String: Any] = [
            "service": Examples.shop, "user": user, "password": password, "proof": Examples.proof,
        ]
        let request: [String: Any] = [
            "jsonrpc": "2.0", "id": "save", "method": "credential.save", "params": parameters,
        ]
        let line = try JSONSerialization.data(withJSONObject: request, options: [.withoutEscapingSlashes])
        do {
            try connection.send(String(decoding: line, as: UTF8.self))
            beforeAnswer()
            let answer = try TestAnswer(try connection.line())
            try #require(answer.result != nil, "\(answer.reasons)")
            return true
        } catch is SocketConnection.Failure {
            return false
        }
    }

    /// Deletes what is saved of a user.
    ///
    /// - Returns: the passwords that it had here.
    func delete(_ user: String) throws -> Set<String> {
        let named: [String: Any] = ["service": Examples.shop, "user": user, "proof": Examples.proof]
        // What a merge changes meanwhile is read again.
        while let found = try call("credential.get", named, unless: ["credential-not-found"]) {
            let version: [String: Any] = [
                "credential": found.text("credential") ?? "", "ifVersion": found.text("version") ?? "",
                "proof": Examples.proof,
            ]
            let answer = try call(
                "credential.delete", version, unless: ["credential-not-found", "version-mismatch"])
            if answer?.result?["changed"] as? Bool == true { return Saved(found).all }
        }
        return []
    }

    /// All that is saved, by user.
    func saved() throws -> [String: Saved] {
        var saved: [String: Saved] = [:], cursor: String?
        repeat {
            var parameters: [String: Any] = ["limit": 500, "proof": Examples.proof]
            parameters["cursor"] = cursor
            let page = try call("credential.list", parameters)
            for entry in page.result?["credentials"] as? [[String: Any]] ?? [] {
                let named: [String: Any] = [
                    "credential": entry["credential"] as? String ?? "", "proof": Examples.proof,
                ]
                // A merge may have deleted it since.
                guard let found = try call("credential.get", named, unless: ["credential-not-found"]) else { continue }
                saved[found.text("user") ?? ""] = Saved(found)
            }
            cursor = page.text("next")
        } while cursor != nil
        return saved
    }

    var isIntact: Bool {
        get throws { try call("admin.vault.check", ["proof": Examples.proof]).result?["intact"] as? Bool == true }
    }

    private var devices: [[String: Any]] {
        get throws { try status().result?["devices"] as? [[String: Any]] ?? [] }
    }

    func status() throws -> TestAnswer { try call("admin.sync.status", ["proof": Examples.proof]) }

    var device: String {
        get throws { try #require(try devices.first { $0["this"] as? Bool == true }?["device"] as? String) }
    }

    /// Whether this machine knows that a machine was removed.
    func isRemoved(_ device: String) throws -> Bool {
        try devices.contains { $0["device"] as? String == device && $0["member"] as? Bool == false }
    }

    // MARK: - The group

    /// Starts sync as the first machine.
    func found() throws {
        try call("admin.sync.start", ["location": location, "name": name, "proof": Examples.proof])
        try start()
    }

    /// Lets another machine in.
    func admit(_ other: SyncMachine, within seconds: Int = 60) throws {
        let inviting = try Self.connect(daemon)
        let code = try #require(try inviting.call("admin.sync.invite", ["proof": Examples.proof]).text("code"))
        try other.call(
            "admin.sync.join",
            ["location": other.location, "name": other.name, "code": code, "proof": Examples.proof])
        try other.start()
        var device: String?
        try SyncFolder.eventually("\(other.name) has answered", within: seconds, hastening: [self, other]) {
            device = try inviting.call("admin.sync.answer").text("device")
            return device != nil
        }
        try inviting.call("admin.sync.admit", ["device": try #require(device), "accept": true])
        try SyncFolder.eventually("\(other.name) is let in", within: seconds, hastening: [self, other]) {
            try other.status().text("state") == "active"
        }
    }
}
