// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import SecretMemory
import Support
import Testing

/// Rekey, restore and repair have the vault for themselves: what others see meanwhile, and afterwards.
@Suite("While the whole vault is changed")
struct WholeVaultTests {
    enum Change: CaseIterable {
        case rekey, restore, repair
    }

    private let folder: String
    private let daemon: TestService
    private let worker: ServiceConnection
    private let app: ServiceConnection
    private static let otherKey = SecretBytes(utf8: String(repeating: "8", count: Limits.keyBytes))
    private static let dan = CredentialSave(service: .shop, user: "dan", password: SecretBytes(utf8: "secret"))

    /// A vault of three credentials, with a backup of the first; for a repair one of the three is gone.
    init() throws {
        folder = try TestFiles.folder()
        daemon = try TestService(location: .directory(folder + "/data"))
        worker = daemon.connect()
        try worker.greet(as: "org.autofilld.autofillctl")
        app = daemon.connect()
        try app.greet()
        try save("ann")
        try worker.answer(to: VaultBackup(path: folder + "/backup", proof: .test))
        try save("bob")
        try save("eve")
    }

    private func save(_ user: String) throws {
        let saved = try app.answer(to: CredentialSave(service: .shop, user: user, password: SecretBytes(utf8: user)))
        #expect(saved.changed)
    }

    private func users(proof: Proof = .test) throws -> [String] {
        try worker.answer(to: CredentialList(proof: proof)).credentials.map(\.user).sorted()
    }

    /// A change that has the vault, and the outcome of its call.
    private struct Begun {
        let work: HeldWork
        let method: Method
        let reasons: () throws -> [String]
        let cancel: () throws -> Void
    }

    /// Begins a change, and brings it to where it has the vault.
    private func begin(_ change: Change) throws -> Begun {
        switch change {
        // The new slots come first.
        case .rekey: return try begin(VaultRekey(secrets: [.key(Self.otherKey)], proof: .test), after: 1)
        // The slots of the backup come first, and the key of one of them.
        case .restore: return try begin(restore, after: 2)
        case .repair:
            try daemon.loseCredential(of: "eve")
            return try begin(VaultCheck(repairs: true, proof: .test), after: 0)
        }
    }

    private var restore: VaultRestore { VaultRestore(path: folder + "/backup", secret: .test, proof: .test) }

    private func begin<Call: MethodCall>(_ call: Call, after parts: Int) throws -> Begun {
        let (sent, first) = try daemon.begin(call, worker)
        var work = try #require(first)
        for _ in 0..<parts { work = try #require(try daemon.step(work)) }
        return Begun(
            work: work, method: Call.method, reasons: { try sent.reasons() }, cancel: { try worker.cancel(sent) })
    }

    private func expectUndone(_ change: Change) throws {
        #expect(try users() == (change == .repair ? ["ann", "bob"] : ["ann", "bob", "dan", "eve"]))
        let checked = try worker.answer(to: VaultCheck(proof: .test))
        #expect(checked.isIntact == (change != .repair))
    }

    @Test(
        "Requests that need the vault wait, the status reports its progress, and then they are done",
        arguments: Change.allCases)
    func waiting(_ change: Change) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let begun = try begin(change)
        let saved = try app.send(Self.dan)
        #expect(saved.waits)
        daemon.runAside(begun.work)
        let status = try app.answer(to: Status())
        let work = try #require(status.daemon?.work)
        #expect(status.vault == "unlocked" && work.method == begun.method.rawValue)
        #expect(work.all > 0 && work.done == work.all)
        try daemon.finish(begun.work)
        #expect(try begun.reasons() == [])
        #expect(try saved.answer().changed)
        #expect(try app.answer(to: Status()).daemon?.work == nil)
        let proof = change == .rekey ? Proof.key(Self.otherKey) : .test
        let expected: [Change: [String]] = [
            .rekey: ["ann", "bob", "dan", "eve"], .restore: ["ann", "dan"], .repair: ["ann", "bob", "dan"],
        ]
        #expect(try users(proof: proof) == expected[change])
        #expect(try worker.answer(to: VaultCheck(proof: proof)).isIntact)
    }

    @Test("Cancelled, it is undone, and what waited for it is done", arguments: Change.allCases)
    func cancelled(_ change: Change) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let begun = try begin(change)
        let saved = change == .repair ? nil : try app.send(Self.dan)
        #expect(saved?.waits != false)
        try begun.cancel()
        try daemon.finish(begun.work)
        #expect(try begun.reasons() == ["cancelled"])
        #expect(try saved?.answer().changed != false)
        try expectUndone(change)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder + "/data").allSatisfy { !$0.hasSuffix(".new") })
    }

    @Test("It is undone too when its connection ends, and what waited for it is done", arguments: Change.allCases)
    func disconnected(_ change: Change) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let other = daemon.connect()
        try other.greet(as: "org.autofilld.autofillctl")
        let begun = try begin(change)
        let saved = try app.send(Self.dan)
        #expect(saved.waits)
        try worker.disconnect()
        try daemon.finish(begun.work)
        #expect(worker.received().isEmpty)
        #expect(try saved.answer().changed)
        let checked = try other.answer(to: VaultCheck(proof: .test))
        #expect(checked.isIntact == (change != .repair))
    }

    @Test(
        "A lock undoes it, and removes the keys; what waited is answered that the vault is locked",
        arguments: Change.allCases)
    func locked(_ change: Change) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let begun = try begin(change)
        let other = daemon.connect()
        try other.greet()
        let lock = try other.send(VaultLock())
        let saved = try app.send(Self.dan)
        #expect(lock.waits && saved.waits)
        try daemon.finish(begun.work)
        #expect(try begun.reasons() == ["cancelled"])
        #expect(try lock.answer().changed)
        #expect(try saved.reasons() == ["vault-locked"])
        #expect(try app.answer(to: Status()).vault == "locked")
    }

    @Test(
        "A request that has waited two minutes is answered that the vault is busy, what to do, and when; once",
        arguments: Change.allCases)
    func busy(_ change: Change) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let begun = try begin(change)
        let saved = try app.send(Self.dan)
        daemon.clock.advance(milliseconds: Int64(Limits.promptMilliseconds) - 1)
        try daemon.settle()
        try daemon.settle()
        #expect(saved.waits)
        daemon.clock.advance(milliseconds: 1)
        try daemon.settle()
        try daemon.settle()
        guard case .failure(let refused) = try saved.outcome(), let reason = refused.reasons.first else {
            Issue.record("it was saved")
            return
        }
        #expect(refused.reasons.count == 1 && reason.reason == "vault-busy")
        #expect(reason.fix == "Try again when the operation has finished: autofillctl status")
        #expect(reason.retry == "afterDelay" && reason.retryAfterMilliseconds == 1000)
        try daemon.finish(begun.work)
        #expect(try begun.reasons() == [])
        #expect(app.received() == [])
        try app.answer(to: Self.dan)
    }

    @Test("A restore that is cancelled while the slots of the backup are read, or its key is derived, is not made")
    func earlyCancel() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for parts in 0..<2 {
            let begun = try begin(restore, after: parts)
            daemon.runAside(begun.work)
            try begun.cancel()
            try daemon.finish(begun.work)
            #expect(try begun.reasons() == ["cancelled"])
        }
        #expect(try users() == ["ann", "bob", "eve"])
    }
}
