// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import Foundation
import SecretMemory
import Settings
import Support
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// The effects of work on the vault happen when the work ends, also without a requester.
@Suite("The effects of work on the vault")
struct VaultEffectTests {
    private let directory: TemporaryDirectory
    private let daemon: TestService
    private let worker: ServiceConnection
    private let other: ServiceConnection
    private var backup: String { directory.path + "/backup" }

    init() throws {
        directory = try TemporaryDirectory()
        daemon = try TestService(location: .directory(directory.path + "/data"))
        worker = daemon.connect()
        try worker.greet(as: "org.autofilld.autofillctl")
        other = daemon.connect()
        try other.greet(as: "org.autofilld.autofillctl")
        try worker.answer(
            to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "s3cret"), proof: .test))
    }

    /// Begins a request, and runs all but the last of its parts.
    private func begin<Call: MethodCall>(
        _ call: Call, _ daemon: TestService, _ requester: ServiceConnection
    ) throws -> (sent: SentCall<Call>, work: HeldWork) {
        let (sent, first) = try daemon.begin(call, requester)
        var work = try #require(first)
        let parts: [Method: Int] = [.vaultRestore: 2, .vaultBackup: 1, .vaultRekey: 1]
        for _ in 0..<parts[Call.method, default: 0] { work = try #require(try daemon.step(work)) }
        return (sent, work)
    }

    /// The work is done, and its requester disconnects before it is answered.
    private func finish(
        _ work: HeldWork, _ daemon: TestService, leaving requester: ServiceConnection, _ signals: SessionSignal...
    ) throws {
        daemon.runAside(work)
        daemon.engine.assumeIsolated { [client = requester.client] in $0.disconnect(client) }
        for signal in signals { try daemon.follow(signal, keyFile: daemon.keyFile) }
        try daemon.settle()
        #expect(requester.received().isEmpty)
    }

    private func restore(_ proof: Proof?) -> VaultRestore { VaultRestore(path: backup, secret: .test, proof: proof) }

    @Test("A restore whose requester has disconnected leaves no vault open behind a session that was locked meanwhile")
    func restoreBehindLockedSession() throws {
        try worker.answer(to: VaultBackup(path: backup, proof: .test))
        for signals in [[], [SessionSignal.locked], [.locked, .unlocked]] {
            let empty = try TestService(
                location: .directory(directory.path + "/new \(signals.count)"), isCreated: false)
            let (requester, user) = (empty.connect(), empty.connect())
            for connection in [requester, user] { try connection.greet(as: "org.autofilld.autofillctl") }
            let (_, work) = try begin(restore(nil), empty, requester)
            empty.runAside(work)
            empty.engine.assumeIsolated { [client = requester.client] in $0.disconnect(client) }
            for signal in signals {
                empty.engine.assumeIsolated { $0.followNow(signal) }
            }
            try empty.settle()
            #expect(try user.answer(to: Status()).vault == (signals == [.locked] ? "locked" : "unlocked"))
        }
    }

    @Test("A restore that replaces an open vault, too")
    func restoreOverOpenVault() throws {
        try worker.answer(to: VaultBackup(path: backup, proof: .test))
        let app = daemon.connect()
        try app.greet()
        try app.answer(to: EventSubscribe())
        let (_, work) = try begin(restore(.test), daemon, worker)
        try finish(work, daemon, leaving: worker, .locked)
        #expect(try other.answer(to: Status()).vault == "locked")
        #expect(app.received().contains { $0.contains("credentialsChanged") })
    }

    @Test("A backup whose requester has disconnected is recorded, for it exists")
    func backupIsRecorded() throws {
        let (_, work) = try begin(VaultBackup(path: backup, proof: .test), daemon, worker)
        try finish(work, daemon, leaving: worker)
        #expect(FileManager.default.fileExists(atPath: backup))
        #expect(try other.answer(to: BackupList(proof: .test)).backups.map(\.path) == [backup])
    }

    @Test("A repair whose requester has disconnected is announced, and its faults are no longer reported")
    func repairIsAnnounced() throws {
        try daemon.loseCredential(of: "ann")
        let app = daemon.connect()
        try app.greet()
        try app.answer(to: EventSubscribe())
        let (_, work) = try begin(VaultCheck(repairs: true, proof: .test), daemon, worker)
        try finish(work, daemon, leaving: worker)
        #expect(app.received().contains { $0.contains("credentialsChanged") })
        #expect(try other.answer(to: VaultCheck(proof: .test)).isIntact)
    }

    @Test(
        "A session that locks while work has the vault, and unlocks before it is back, finds it open by its key file",
        arguments: [
            VaultCheck(proof: .test),
            VaultRekey(
                secrets: [.key(SecretBytes(utf8: String(repeating: "8", count: Limits.keyBytes)))], proof: .test),
        ] as [any MethodCall])
    func reopened(_ call: any MethodCall) throws {
        daemon.keyFile = try TestFiles.keyFile()
        try stop(call)
        #expect(try other.answer(to: Status()).vault == "unlocked")
        let (_, second) = try begin(VaultCheck(proof: .test), daemon, worker)
        try daemon.follow(.locked, keyFile: daemon.keyFile)
        try daemon.finish(second)
        #expect(try other.answer(to: Status()).vault == "locked")
        try daemon.follow(.unlocked, keyFile: daemon.keyFile)
        #expect(try other.answer(to: Status()).vault == "unlocked")
    }

    /// Begins work, in which the session locks and unlocks.
    private func stop(_ call: some MethodCall) throws {
        let (sent, work) = try begin(call, daemon, worker)
        for signal in [SessionSignal.locked, .unlocked] { try daemon.follow(signal, keyFile: daemon.keyFile) }
        try daemon.finish(work)
        #expect(try sent.reasons() == ["cancelled"])
    }

    @Test("A stop in the moment in which work on the vault comes back closes the vault; what was released is on record")
    func stopped() throws {
        let place = directory.path + "/stopped"
        do {
            let daemon = try TestService(location: .directory(place))
            let (requester, app) = (daemon.connect(), daemon.connect())
            try requester.greet(as: "org.autofilld.autofillctl")
            try app.greet()
            try app.answer(to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "s3cret")))
            let (_, work) = try begin(VaultCheck(proof: .test), daemon, requester)
            let second = try #require(try daemon.step(work))
            #expect(try app.answer(to: CredentialGet(service: .shop)).password.text == "s3cret")
            daemon.runAside(second)
            daemon.engine.assumeIsolated { $0.beginStopping() }
            let closing = try daemon.begin { await $0.close() }
            #expect(closing.result != nil)
            #expect(daemon.engine.assumeIsolated { !$0.hasUnsyncedReleases })
        }
        // Its folder is unlocked: another service uses it.
        let next = try TestService(location: .directory(place), isCreated: false)
        let user = next.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        let opened = try user.answer(to: VaultUnlock(proof: .test))
        #expect(opened.changed && opened.findings == 0)
        #expect(try user.answer(to: ReleaseList(proof: .test)).releases.map(\.method) == ["credential.get"])
    }

    @Test("A log of which a sync failed while work has the vault is written back when that ends, by another thread")
    func failedSync() throws {
        let app = daemon.connect()
        try app.greet()
        try app.answer(to: CredentialSave(service: .shop, user: "bob", password: SecretBytes(utf8: "s3cret")))
        let (_, first) = try begin(VaultCheck(proof: .test), daemon, worker)
        let work = try #require(try daemon.step(first))
        #expect(try app.answer(to: CredentialGet(service: .shop, user: "bob")).password.text == "s3cret")
        let vault = try #require(daemon.vault)
        #expect(try vault.releases.store(at: daemon.clock.now) != nil)
        vault.file.database?.log?.noteFailure()
        let rescue = try #require(try daemon.step(work))
        #expect(vault.hasFailedLog)
        try daemon.finish(rescue)
        #expect(!vault.hasFailedLog)
    }

    @Test("A service that is closed while work has the vault waits until that has stopped")
    func closedWhileAway() throws {
        let (_, work) = try begin(VaultCheck(proof: .test), daemon, worker)
        daemon.engine.assumeIsolated { $0.beginStopping() }
        let closing = try daemon.begin { await $0.close() }
        #expect(closing.result == nil)
        try daemon.finish(work)
        #expect(closing.result != nil)
    }

    @Test("A lock right after a release writes no fault into the journal", arguments: [false, true])
    func lockAfterRelease(_ isRefused: Bool) throws {
        let app = daemon.connect()
        try app.greet()
        try app.answer(to: CredentialSave(service: .shop, user: "bob", password: SecretBytes(utf8: "s3cret")))
        let got = try app.reasons(for: CredentialGet(service: isRefused ? .bank : .shop, user: "bob"))
        #expect((!got.isEmpty) == isRefused)
        #expect(try other.answer(to: VaultLock()).changed)
        try daemon.onEngine { try $0.syncReleases() }
        daemon.clock.advance(milliseconds: 1000)
        try daemon.onEngine { try $0.syncReleases() }
        #expect(daemon.journal.allSatisfy { $0.level < .error && !$0.message.contains("Fault") })
        let opened = try other.answer(to: VaultUnlock(proof: .test))
        #expect(opened.changed && opened.findings == 0)
    }
}
