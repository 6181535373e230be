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
    convenience init(_ name: String, git url: String, programs: String) throws {
        try self.init(name, at: ["type": "git", "url": url], searchPath: programs + ":/usr/bin:/bin")
    }

    private init(_ name: String, at location: [String: Any], searchPath: String = "/usr/bin:/bin") throws {
        (self.name, self.location, self.searchPath) = (name, location, searchPath)
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

    func killDaemon() { daemon.kill9() }

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
        guard carrier?.isRunning != true else { return }
        let process = Process()
        process.executableURL = URL(filePath: try DaemonProcess.program("autofill-sync"))
        process.arguments = ["--spool", spool]
        process.environment = ["PATH": searchPath]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        carrier = process
    }

    /// Whether the carrier ended by itself: the folder's path has another directory.
    var hasCarrierEnded: Bool { carrier?.isRunning == false }

    // MARK: - Calls

    @discardableResult
    func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> TestAnswer {
        let answer = try connection.call(method, parameters)
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

    /// All that is saved, by user.
    func saved() throws -> [String: Saved] {
        var saved: [String: Saved] = [:], cursor: String?
        repeat {
            var parameters: [String: Any] = ["limit": 500, "proof": Examples.proof]
            parameters["cursor"] = cursor
            let page = try call("credential.list", parameters)
            for entry in page.result?["credentials"] as? [[String: Any]] ?? [] {
                let found = try call(
                    "credential.get", ["credential": entry["credential"] as? String ?? "", "proof": Examples.proof])
                let history = found.result?["history"] as? [[String: Any]] ?? []
                saved[found.text("user") ?? ""] = Saved(
                    password: found.text("password") ?? "",
                    former: Set(history.compactMap { $0["password"] as? String }))
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
        try SyncFolder.eventually("\(other.name) has answered", within: seconds) {
            device = try inviting.call("admin.sync.answer").text("device")
            return device != nil
        }
        try inviting.call("admin.sync.admit", ["device": try #require(device), "accept": true])
        try SyncFolder.eventually("\(other.name) is let in", within: seconds) {
            try other.status().text("state") == "active"
        }
    }
}
