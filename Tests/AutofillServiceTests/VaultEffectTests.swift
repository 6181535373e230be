// SPDX-License-Identifier: Apache-2.0
import AutofillService
import CredentialStorage
import Foundation
import Settings
import Support
import TestGround
import Testing

/// What follows from work on the vault follows when the work ends, whoever listens.
@Suite("What comes of work on the vault")
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
        try worker.hello("org.autofilld.autofillctl")
        other = daemon.connect()
        try other.hello("org.autofilld.autofillctl")
        try worker.call(
            "credential.save",
            ["service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof])
    }

    /// Begins a request, and runs all but the last of its parts.
    private func begin(
        _ method: String, _ parameters: [String: Any], _ daemon: TestService, _ asker: ServiceConnection
    ) throws -> HeldWork {
        var work = try #require(try daemon.begin(try ServiceConnection.line(method, parameters), asker))
        let parts =
            ["admin.vault.restore": 2, "admin.vault.backup": 1, "admin.vault.check": 0, "admin.vault.rekey": 1][method]
            ?? 0
        for _ in 0..<parts { work = try #require(try daemon.step(work)) }
        return work
    }

    /// The work is done and its asker goes, before it is told.
    private func finish(
        _ work: HeldWork, _ daemon: TestService, leaving asker: ServiceConnection, _ signals: SessionSignal...
    ) throws {
        daemon.runAside(work)
        daemon.engine.assumeIsolated { [client = asker.client] in $0.disconnect(client) }
        for signal in signals { try daemon.follow(signal, keyFile: daemon.keyFile) }
        try daemon.settle()
        #expect(asker.received().isEmpty)
    }

    private func restore(_ proof: [String: Any]) -> [String: Any] {
        ["path": backup, "secret": Examples.proof].merging(proof) { $1 }
    }

    @Test("A restore whose asker has gone leaves no vault open behind a session that was locked meanwhile")
    func restoreBehindLockedSession() throws {
        #expect(try worker.call("admin.vault.backup", ["path": backup, "proof": Examples.proof]).error == nil)
        for signals in [[], [SessionSignal.locked], [.locked, .unlocked]] {
            let empty = try TestService(
                location: .directory(directory.path + "/new \(signals.count)"), isCreated: false)
            let (asker, person) = (empty.connect(), empty.connect())
            for connection in [asker, person] { try connection.hello("org.autofilld.autofillctl") }
            let work = try begin("admin.vault.restore", restore([:]), empty, asker)
            empty.runAside(work)
            empty.engine.assumeIsolated { [client = asker.client] in $0.disconnect(client) }
            for signal in signals {
                empty.engine.assumeIsolated { $0.followNow(signal) }
            }
            try empty.settle()
            #expect(try person.call("status").text("vault") == (signals == [.locked] ? "locked" : "unlocked"))
        }
    }

    @Test("A restore in the place of an open vault, too")
    func restoreOverOpenVault() throws {
        #expect(try worker.call("admin.vault.backup", ["path": backup, "proof": Examples.proof]).error == nil)
        let app = daemon.connect()
        try app.hello()
        try app.call("event.subscribe")
        let work = try begin("admin.vault.restore", restore(["proof": Examples.proof]), daemon, worker)
        try finish(work, daemon, leaving: worker, .locked)
        #expect(try other.call("status").text("vault") == "locked")
        #expect(app.received().contains { $0.contains("credentialsChanged") })
    }

    @Test("A backup whose asker has gone is recorded, for it is there")
    func backupIsRecorded() throws {
        let work = try begin("admin.vault.backup", ["path": backup, "proof": Examples.proof], daemon, worker)
        try finish(work, daemon, leaving: worker)
        #expect(FileManager.default.fileExists(atPath: backup))
        let listed = try other.call("admin.backup.list", ["proof": Examples.proof])
        #expect((listed.result?["backups"] as? [[String: Any]])?.map { $0["path"] as? String } == [backup])
    }

    @Test("A repair whose asker has gone is announced, and its faults are no longer told")
    func repairIsAnnounced() throws {
        try daemon.loseCredential(of: "ann")
        let app = daemon.connect()
        try app.hello()
        try app.call("event.subscribe")
        let work = try begin("admin.vault.check", ["repair": true, "proof": Examples.proof], daemon, worker)
        try finish(work, daemon, leaving: worker)
        #expect(app.received().contains { $0.contains("credentialsChanged") })
        #expect(try other.call("admin.vault.check", ["proof": Examples.proof]).result?["sound"] as? Bool == true)
    }

    @Test(
        "A session that locks while work has the vault, and unlocks before it is back, finds it open by its key file",
        arguments: ["admin.vault.check", "admin.vault.rekey"])
    func reopened(_ method: String) throws {
        daemon.keyFile = try TestFiles.keyFile()
        let key = ["base64": Data(repeating: 8, count: 32).base64EncodedString()]
        let work = try begin(
            method, method == "admin.vault.rekey" ? ["key": key, "proof": Examples.proof] : ["proof": Examples.proof],
            daemon, worker)
        for signal in [SessionSignal.locked, .unlocked] { try daemon.follow(signal, keyFile: daemon.keyFile) }
        #expect(try daemon.finish(work, worker).map { try TestAnswer($0).reasons } == [["cancelled"]])
        #expect(try other.call("status").text("vault") == "unlocked")
        let second = try begin("admin.vault.check", ["proof": Examples.proof], daemon, worker)
        try daemon.follow(.locked, keyFile: daemon.keyFile)
        _ = try daemon.finish(second, worker)
        #expect(try other.call("status").text("vault") == "locked")
        try daemon.follow(.unlocked, keyFile: daemon.keyFile)
        #expect(try other.call("status").text("vault") == "unlocked")
    }

    @Test("A stop in the moment in which work on the vault comes back closes the vault; what was released is on record")
    func stopped() throws {
        let place = directory.path + "/stopped"
        do {
            let daemon = try TestService(location: .directory(place))
            let (asker, app) = (daemon.connect(), daemon.connect())
            try asker.hello("org.autofilld.autofillctl")
            try app.hello()
            try app.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "s3cret"])
            let work = try begin("admin.vault.check", ["proof": Examples.proof], daemon, asker)
            let second = try #require(try daemon.step(work))
            #expect(try app.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
            daemon.runAside(second)
            daemon.engine.assumeIsolated { $0.beginStopping() }
            let closing = try daemon.begin { await $0.close() }
            #expect(closing.result != nil)
            #expect(daemon.engine.assumeIsolated { !$0.hasUnsyncedReleases })
        }
        // Its folder is let go: another one takes it.
        let next = try TestService(location: .directory(place), isCreated: false)
        let person = next.connect()
        try person.hello("org.autofilld.autofillctl")
        let opened = try person.call("vault.unlock", Examples.proof)
        #expect(opened.result?["changed"] as? Bool == true && opened.result?["findings"] as? Int ?? 0 == 0)
        let releases = try person.call("admin.release.list", ["proof": Examples.proof])
        #expect(
            (releases.result?["releases"] as? [[String: Any]])?.map { $0["method"] as? String } == ["credential.get"])
    }

    @Test("A service that is closed while work has the vault waits until that has stopped")
    func closedWhileAway() throws {
        let work = try begin("admin.vault.check", ["proof": Examples.proof], daemon, worker)
        daemon.engine.assumeIsolated { $0.beginStopping() }
        let closing = try daemon.begin { await $0.close() }
        #expect(closing.result == nil)
        _ = try daemon.finish(work, worker)
        #expect(closing.result != nil)
    }

    @Test("A lock right after a release writes no fault into the journal", arguments: [false, true])
    func lockAfterRelease(_ isRefused: Bool) throws {
        let app = daemon.connect()
        try app.hello()
        try app.call("credential.save", ["service": Examples.shop, "user": "bob", "password": "s3cret"])
        let got = try app.call(
            "credential.get", ["service": isRefused ? Examples.bank : Examples.shop, "user": "bob"])
        #expect((got.error != nil) == isRefused)
        #expect(try other.call("admin.vault.lock").result?["changed"] as? Bool == true)
        try daemon.onEngine { try $0.syncReleases() }
        daemon.clock.advance(milliseconds: 1000)
        try daemon.onEngine { try $0.syncReleases() }
        #expect(daemon.journal.allSatisfy { $0.level < .error && !$0.message.contains("Fault") })
        let opened = try other.call("vault.unlock", Examples.proof)
        #expect(opened.result?["changed"] as? Bool == true && opened.result?["findings"] as? Int ?? 0 == 0)
    }
}
