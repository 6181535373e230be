// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import CredentialStorage
import Credentials
import EventLoop
import Foundation
import SecretMemory
import Support
import TestGround
import Testing

/// A service whose vault is on the disk, and the user's connection to it.
final class SyncedService {
    let directory: TemporaryDirectory
    let daemon: TestService
    let user: ServiceConnection

    init() throws {
        directory = try TemporaryDirectory()
        daemon = try TestService(location: .directory(directory.path + "/data"))
        user = try daemon.user()
    }

    /// A copy of another's disk at this moment, on which a daemon of its own has opened the vault.
    init(copying other: SyncedService) throws {
        directory = try TemporaryDirectory()
        try FileManager.default.copyItem(
            atPath: other.directory.path + "/data", toPath: directory.path + "/data")
        daemon = try TestService(location: .directory(directory.path + "/data"), isCreated: false)
        user = try daemon.user()
        try user.answer(to: VaultUnlock(proof: .test))
        try daemon.settle()
    }

    var spool: String { directory.path + "/data/sync" }

    /// The paths of what is put out whose names end so.
    func outgoing(_ suffix: String = "") -> [String] {
        let names = FileManager.default.subpaths(atPath: spool + "/out") ?? []
        return names.filter { $0.hasSuffix(suffix) }.map { "\(spool)/out/\($0)" }
    }

    var isOrdered: Bool { FileManager.default.fileExists(atPath: spool + "/carrier.json") }

    /// The user's connection to another daemon with this vault, which they have unlocked.
    ///
    /// - Parameter change: something that happens to the files while no daemon runs.
    func restarted(after change: () throws -> Void = {}) throws -> ServiceConnection {
        try daemon.close()
        try change()
        let next = try TestService(location: .directory(directory.path + "/data"), isCreated: false).user()
        try next.answer(to: VaultUnlock(proof: .test))
        return next
    }

    static let folder = SyncLocation.folder("/home/ann/passwords")

    var status: SyncStatus.Answer { get throws { try user.answer(to: SyncStatus(proof: .test)) } }

    func save(_ password: String, user name: String = "ann") throws {
        try user.answer(to: CredentialSave(name, password, proof: .test))
    }

    func password(of name: String = "ann") throws -> String? {
        let found = try user.send(CredentialGet(service: .shop, user: name, proof: .test))
        guard case .success(let answer) = try found.outcome() else { return nil }
        return answer.password.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Lets a moment pass, after which what was saved is published.
    func publish() throws {
        daemon.clock.advance(by: .milliseconds(Limits.publicationMilliseconds))
        try daemon.settle()
    }
}

/// Carries files between the spools of machines as `autofill-sync` does, over a folder in between.
struct TestCarrier {
    private let folder: TemporaryDirectory
    private var round = 0
    /// What the carrier of each machine has written again.
    var restored: RestoredFiles?
    /// The name of a file that the program which carries the folder has not brought to any machine yet.
    var withheld: String?

    init() throws { folder = try TemporaryDirectory() }

    /// One round for each machine.
    mutating func carry(_ machines: SyncedService...) throws {
        round += 1
        for machine in machines { try put(machine) }
        for machine in machines {
            try bring(to: machine)
            try report(to: machine)
        }
    }

    /// Reports a round for the machine's present order.
    func report(to machine: SyncedService, problem: CarrierProblem? = nil) throws {
        try report(to: machine, problem: problem, token: order(of: machine)?.token)
    }

    private func order(of machine: SyncedService) -> CarrierOrder? {
        let order = try? Data(contentsOf: URL(fileURLWithPath: machine.spool + "/carrier.json"))
        return order.flatMap { try? CarrierOrder(line: Array($0)) }
    }

    /// Reports one for the order with this token.
    func report(to machine: SyncedService, problem: CarrierProblem? = nil, token: String?) throws {
        let report = CarrierReport(
            round: round, checked: 0, problem: problem, detail: nil, waiting: 0, restored: restored, token: token)
        try Data(report.line).write(to: URL(fileURLWithPath: machine.spool + "/in/state.json"), options: .atomic)
        try machine.daemon.settle()
    }

    /// Starts sync on one machine, which lets the other in: “desktop” and “laptop”.
    mutating func letIn(_ laptop: SyncedService, by desktop: SyncedService) throws -> SyncStart.Answer {
        let started = try desktop.user.answer(
            to: SyncStart(location: SyncedService.folder, name: "desktop", proof: .test))
        let code = try desktop.user.answer(to: SyncInvite(proof: .test)).code
        try laptop.user.answer(
            to: SyncJoin(location: SyncedService.folder, code: code, name: "laptop", proof: .test))
        for _ in 0..<2 { try carry(desktop, laptop) }
        let answer = try desktop.user.answer(to: SyncAnswer())
        #expect(answer.name == "laptop")
        try desktop.user.answer(to: SyncAdmit(device: try #require(answer.device), accept: true))
        for _ in 0..<2 { try carry(desktop, laptop) }
        return started
    }

    private func names(_ path: String) -> [String] {
        (FileManager.default.subpaths(atPath: path) ?? []).filter { name in
            [".snap", ".delta", ".invitation", ".answer"].contains { name.hasSuffix($0) } && !name.contains("/.")
        }.sorted()
    }

    private func copy(_ from: String, _ to: String) throws {
        let parent = (to as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: from, toPath: to)
    }

    /// What is out is in the folder; what the machine has settled of its own is removed there.
    private func put(_ machine: SyncedService) throws {
        for name in names(machine.spool + "/out")
        where !FileManager.default.fileExists(atPath: "\(folder.path)/\(name)") {
            try copy("\(machine.spool)/out/\(name)", "\(folder.path)/\(name)")
        }
    }

    private func bring(to machine: SyncedService) throws {
        let own = order(of: machine)?.device
        for name in names(folder.path) where withheld.map({ name.hasSuffix($0) }) != true {
            // What a former id has put out is brought as another machine's.
            let isOwn = own.map { name.contains("/\($0)/") } ?? false
            let isOut = isOwn && FileManager.default.fileExists(atPath: "\(machine.spool)/out/\(name)")
            let target = "\(machine.spool)/in/\(name)"
            guard !isOut, !FileManager.default.fileExists(atPath: target) else { continue }
            try copy("\(folder.path)/\(name)", target)
        }
    }
}
