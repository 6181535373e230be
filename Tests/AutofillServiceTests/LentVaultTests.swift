// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import Prompting
import SecretMemory
import Support
import TestGround
import Testing

@Suite("While the vault is lent for work")
struct LentVaultTests {
    private let daemon: TestService
    private let worker: ServiceConnection
    private let app: ServiceConnection

    init() throws {
        daemon = try TestService()
        worker = daemon.connect()
        try worker.greet(as: "org.autofilld.autofillctl")
        app = daemon.connect()
        try app.greet()
    }

    private static let check = VaultCheck(proof: .test)
    static let save = CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "secret"))

    @Test("What needs the vault waits until it is returned, and is then done; all else continues")
    func waiting() throws {
        let (check, work) = try daemon.begin(Self.check, worker)
        let saved = try app.send(Self.save)
        #expect(saved.waits)
        let status = try app.answer(to: Status())
        #expect(status.vault == "unlocked")
        #expect(status.daemon?.work?.method == "admin.vault.check")
        try daemon.finish(try #require(work))
        #expect(try check.answer().isIntact)
        #expect(try saved.answer().changed)
        #expect(try app.answer(to: Status()).daemon?.work == nil)
    }

    @Test("A lock stops the work, which changes nothing, and is answered when the keys are removed")
    func lock() throws {
        try app.answer(to: Self.save)
        let (check, work) = try daemon.begin(Self.check, worker)
        let lock = try app.send(VaultLock())
        #expect(lock.waits)
        try daemon.finish(try #require(work))
        #expect(try check.reasons() == ["cancelled"])
        #expect(try lock.answer().changed)
        #expect(try app.answer(to: Status()).vault == "locked")
    }

    @Test(
        "The vault is returned also when the connection that asked is closed, or cancelled its request: the work stops")
    func gone() throws {
        let (check, first) = try daemon.begin(Self.check, worker)
        try worker.cancel(check)
        #expect(check.waits)
        try daemon.finish(try #require(first))
        #expect(try check.reasons() == ["cancelled"])
        let (_, second) = try daemon.begin(Self.check, worker)
        let saved = try app.send(Self.save)
        try worker.disconnect()
        _ = worker.received()
        try daemon.finish(try #require(second))
        #expect(worker.received().isEmpty)
        #expect(try saved.answer().changed)
    }
}

@Suite("An answer of the user's that comes while the vault is lent for work")
struct AnsweredWhileLentTests {
    private let daemon: TestService
    private let user: ServiceConnection
    private let app: ServiceConnection

    init() throws {
        daemon = try TestService(consent: .user)
        user = try daemon.user()
        app = daemon.connect(.systemProgram)
        try app.greet()
        try user.answer(to: CredentialSave("ann", "s3cret", proof: .test))
    }

    private static let get = CredentialGet(service: .shop)

    /// A request whose question is answered while a check has the vault.
    private func answered(_ answer: ConsentAnswer) throws -> (SentCall<CredentialGet>, HeldWork) {
        let sent = try app.send(Self.get)
        let question = try #require(daemon.questions.first)
        let (_, work) = try daemon.begin(VaultCheck(proof: .test), user)
        try daemon.answer(question, answer)
        #expect(sent.waits && daemon.questions.isEmpty)
        return (sent, try #require(work))
    }

    @Test("It is kept when the vault is back, and the user is not asked again")
    func kept() throws {
        let (sent, work) = try answered(.allow)
        try daemon.finish(work)
        #expect(daemon.questions.isEmpty)
        #expect(try sent.answer().password.text == "s3cret")
        #expect(try user.answer(to: GrantList(proof: .test)).grants.map(\.decision) == ["allow"])
    }

    @Test("A no for good is kept too")
    func never() throws {
        let (sent, work) = try answered(.never)
        try daemon.finish(work)
        #expect(daemon.questions.isEmpty)
        #expect(try sent.reasons() == ["grant-denied"])
        #expect(try app.reasons(for: Self.get) == ["grant-denied"])
    }

    @Test("Where the vault was locked meanwhile nothing is kept and nothing released")
    func locked() throws {
        let (sent, work) = try answered(.allow)
        let lock = try user.send(VaultLock())
        try daemon.finish(work)
        #expect(try lock.answer().changed)
        #expect(try sent.reasons() == ["vault-locked"])
        try user.answer(to: VaultUnlock(proof: .test))
        #expect(try user.answer(to: GrantList(proof: .test)).grants.isEmpty)
    }

    @Test("Where the request is cancelled while the vault is away nothing is kept")
    func cancelled() throws {
        let (sent, work) = try answered(.allow)
        try app.cancel(sent)
        try daemon.finish(work)
        #expect(try sent.reasons() == ["cancelled"])
        #expect(try user.answer(to: GrantList(proof: .test)).grants.isEmpty)
    }
}

@Suite("While a vault on disk is read")
struct FrozenVaultTests {
    private let directory: TemporaryDirectory
    private var folder: String { directory.path }
    private let daemon: TestService
    private let worker: ServiceConnection
    private let app: ServiceConnection
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/backup.sqlite"
        daemon = try TestService(location: .directory(directory.path + "/data"))
        worker = daemon.connect()
        try worker.greet(as: "org.autofilld.autofillctl")
        app = daemon.connect()
        try app.greet()
    }

    private func begin<Call: MethodCall>(_ call: Call) throws -> (SentCall<Call>, HeldWork) {
        let (sent, work) = try daemon.begin(call, worker)
        let first = try #require(work)
        // Before a check the log is written back.
        return (sent, Call.method == .vaultRekey ? first : try #require(try daemon.step(first)))
    }

    private var backup: VaultBackup { VaultBackup(path: path, proof: .test) }
    private var restore: VaultRestore { VaultRestore(path: path, secret: .test, proof: .test) }

    private func save(_ user: String) throws {
        let saved = try app.answer(
            to: CredentialSave(service: .shop, user: user, password: SecretBytes(utf8: "password of \(user)")))
        #expect(saved.changed)
    }

    private func password(_ user: String) throws -> String? {
        try? worker.answer(to: CredentialGet(service: .shop, user: user, proof: .test)).password.text
    }

    @Test("Saves and gets are answered while a backup or a check is under way; the backup is as when it began")
    func served() throws {
        try save("before")
        let (made, work) = try begin(backup)
        for number in 0..<20 { try save("during-\(number)") }
        #expect(try password("before") == "password of before")
        #expect(try password("during-19") == "password of during-19")
        #expect(try app.answer(to: Status()).daemon?.work?.method == "admin.vault.backup")
        try daemon.finish(work)
        #expect(try made.answer().records == 1)
        let (check, checking) = try begin(VaultCheck(proof: .test))
        try save("later")
        try daemon.finish(checking)
        let checked = try check.answer()
        #expect(checked.isIntact)
        // And the note of the backup.
        #expect(checked.records == 22)
        #expect(try app.answer(to: Status()).daemon?.work == nil)
        #expect(try worker.answer(to: restore).records == 1)
        #expect(try password("before") == "password of before")
        #expect(try password("later") == nil)
    }

    @Test("A backup that is cancelled, or whose vault is locked, leaves no file")
    func cancelled() throws {
        let (cancelled, first) = try begin(backup)
        try worker.cancel(cancelled)
        try daemon.finish(first)
        #expect(try cancelled.reasons() == ["cancelled"])
        let (locked, second) = try begin(backup)
        let lock = try app.send(VaultLock())
        // What comes behind the lock waits for it.
        let saved = try app.send(LentVaultTests.save)
        #expect(lock.waits && saved.waits)
        try daemon.finish(second)
        #expect(try locked.reasons() == ["cancelled"])
        #expect(try lock.answer().changed)
        #expect(try saved.reasons() == ["vault-locked"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["data"])
    }

    @Test("What is released in the very turn in which such work is cancelled is on record before the answer is sent")
    func recordedWhileStopping() throws {
        try save("ann")
        let (made, work) = try begin(backup)
        let record = URL(filePath: folder + "/data/vault.releases")
        let before = try Data(contentsOf: record)
        let (got, line) = app.prepare(CredentialGet(service: .shop))
        let isUnsynced = try daemon.onEngine { [client = app.client] engine in
            _ = line.withUnsafeBytes { engine.receive($0, from: client) }
            engine.beginStopping()
            return engine.hasUnsyncedReleases
        }
        #expect(isUnsynced)
        #expect(try got.answer().password.text == "password of ann")
        #expect(try Data(contentsOf: record) != before)
        try daemon.finish(work)
        #expect(try made.reasons() == ["cancelled"])
    }

    @Test("A rekey that is cancelled is undone: the former key opens, the new one does not, nothing is lost")
    func rekey() throws {
        try save("ann")
        let key = SecretBytes(utf8: String(repeating: "8", count: Limits.keyBytes))
        let (rekey, slots) = try begin(VaultRekey(secrets: [.key(key)], proof: .test))
        let work = try #require(try daemon.step(slots))
        // It has the vault for itself.
        let saved = try app.send(LentVaultTests.save)
        #expect(saved.waits)
        try worker.cancel(rekey)
        try daemon.finish(work)
        #expect(try rekey.reasons() == ["cancelled"])
        #expect(try saved.answer().changed)
        #expect(try password("ann") == "secret")
        #expect(try worker.reasons(for: SlotList(proof: .key(key))) == ["proof-wrong"])
        daemon.clock.advance(milliseconds: 10_000)
        let checked = try worker.answer(to: VaultCheck(proof: .test))
        #expect(checked.isIntact)
    }

    @Test("A cancel that comes when the work is done does not undo it: the answer states what was done")
    func late() throws {
        let (made, work) = try begin(backup)
        daemon.runAside(work)
        try worker.cancel(made)
        #expect(try made.answer().path == path)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test("After a restore subscribers are notified that the vault is open and that anything saved may have changed")
    func restored() throws {
        try worker.answer(to: backup)
        try app.answer(to: EventSubscribe())
        try worker.answer(to: restore)
        #expect(
            try app.events().map(\.content) == [
                .vaultUnlocked, .credentialsChanged(service: nil, credential: nil, change: nil),
            ])
    }
}
