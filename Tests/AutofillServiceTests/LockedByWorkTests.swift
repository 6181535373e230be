// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Foundation
import SecretMemory
import Support
import TestGround
import Testing

/// A restore that fails once the vault is locked for it leaves it locked. (attacks.md, the vault, 2)
@Suite("Work that leaves the vault locked")
struct LockedByWorkTests {
    private let directory: TemporaryDirectory
    private let daemon: TestService
    private let worker: ServiceConnection
    private let app: ServiceConnection

    init() throws {
        directory = try TemporaryDirectory()
        daemon = try TestService(location: .directory(directory.path + "/data"))
        worker = daemon.connect()
        try worker.greet(as: "org.autofilld.autofillctl")
        app = daemon.connect()
        try app.greet()
        try worker.answer(to: VaultBackup(path: directory.path + "/backup", proof: .test))
        try app.answer(to: EventSubscribe())
        // No folder for the vault that is replaced.
        try Data().write(to: URL(filePath: directory.path + "/data/replaced"))
    }

    private var restore: VaultRestore { VaultRestore(path: directory.path + "/backup", secret: .test, proof: .test) }

    private func locks() -> [String] {
        daemon.journal.map(\.message).filter { $0.hasPrefix("[AutoFill] The vault was locked") }
    }

    @Test("Subscribers and the journal are notified of that, once")
    func announced() throws {
        #expect(try !worker.reasons(for: restore).isEmpty)
        #expect(try app.events().map(\.content) == [.vaultLocked(cause: "request")])
        #expect(try app.answer(to: Status()).vault == "locked")
        try worker.answer(to: VaultLock())
        #expect(try app.events().isEmpty)
        #expect(locks().count == 1)
    }

    @Test("The key file opens it when the session is unlocked next, or the machine wakes up", arguments: [true, false])
    func opened(isSession: Bool) throws {
        let key = try TestFiles.keyFile()
        #expect(try !worker.reasons(for: restore).isEmpty)
        #expect(try app.events().map(\.content) == [.vaultLocked(cause: "request")])
        try daemon.follow(isSession ? .locked : .fallsAsleep, keyFile: key)
        #expect(try app.answer(to: Status()).vault == "locked")
        try daemon.follow(isSession ? .unlocked : .wokeUp, keyFile: key)
        #expect(try app.events().map(\.content) == [.vaultUnlocked])
    }

    @Test("The key file does not open it again where it was to be locked since")
    func lockedSince() throws {
        let key = try TestFiles.keyFile()
        #expect(try !worker.reasons(for: restore).isEmpty)
        try worker.answer(to: VaultLock())
        try daemon.follow(.locked, keyFile: key)
        try daemon.follow(.unlocked, keyFile: key)
        #expect(try app.answer(to: Status()).vault == "locked")
    }

    @Test("A session that was locked meanwhile is its cause: the key file opens it again")
    func withSession() throws {
        let key = try TestFiles.keyFile()
        let (sent, slots) = try daemon.begin(restore, worker)
        // The slots of the backup come first, and the key of one of them.
        let first = try #require(slots)
        let derivation = try #require(try daemon.step(first))
        let work = try #require(try daemon.step(derivation))
        daemon.runAside(work)
        try daemon.follow(.locked, keyFile: key)
        #expect(try !sent.reasons().isEmpty)
        #expect(try app.events().map(\.content) == [.vaultLocked(cause: "session")])
        try daemon.follow(.unlocked, keyFile: key)
        #expect(try app.events().map(\.content) == [.vaultUnlocked])
        #expect(locks().count == 1)
    }
}
