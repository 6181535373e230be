// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import CredentialStorage
import SecretMemory
import TestGround
import Testing

@testable import Support

@Suite("slot.*: the ways to open the vault")
struct SlotMethodTests {
    private static func key(_ letter: Character) -> SecretBytes {
        SecretBytes(utf8: String(repeating: letter, count: Limits.keyBytes))
    }

    private func connection(_ daemon: TestService) throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.greet(as: "org.autofilld.autofillctl")
        return connection
    }

    private func slots(_ connection: ServiceConnection, proof: Proof = .test) throws -> [SlotEntry] {
        try connection.answer(to: SlotList(proof: proof)).slots
    }

    @Test("A recovery key is returned once, opens the locked vault in any case and grouping, and is not listed")
    func recoveryKey() throws {
        let connection = try connection(try TestService())
        let added = try connection.answer(to: SlotAdd(secret: .recoveryKey, proof: .test))
        let key = try #require(added.recoveryKey)
        #expect(key.text.split(separator: "-").map(\.count) == [Int](repeating: 4, count: 8))
        #expect(added.protects.contains("paper"))
        #expect(try !"\(slots(connection, proof: .recoveryKey(key)))".contains(key.text))
        try connection.answer(to: VaultLock())
        let typed = SecretBytes(utf8: key.text.lowercased().replacing("-", with: " "))
        #expect(try connection.answer(to: VaultUnlock(proof: .recoveryKey(typed))).changed)
        try connection.answer(to: VaultLock())
        let mistyped = SecretBytes(utf8: (key.text.hasPrefix("Q") ? "P" : "Q") + key.text.dropFirst())
        #expect(
            try connection.reasons(for: VaultUnlock(proof: .recoveryKey(mistyped))) == ["recovery-key-mistyped"])
        // A mistyped key is no try: the right one needs no waiting.
        #expect(try connection.answer(to: VaultUnlock(proof: .recoveryKey(key))).changed)
    }

    @Test("A slot's new secret opens the vault and the old one no more; its label stays")
    func change() throws {
        let daemon = try TestService()
        let connection = try connection(daemon)
        try connection.answer(to: SlotAdd(secret: .key(Self.key("A")), label: "stick", proof: .test))
        let changed = try connection.answer(to: SlotChange(slot: 2, secret: .key(Self.key("B")), proof: .test))
        #expect(changed.backups == [])
        #expect(try connection.reasons(for: SlotList(proof: .key(Self.key("A")))) == ["proof-wrong"])
        daemon.clock.advance(milliseconds: 10_000)
        #expect(try slots(connection, proof: .key(Self.key("B"))).map(\.label) == ["key", "stick"])
    }

    @Test(
        "The last slot stays, an unknown one is reported, and a short passphrase is refused before anything is derived")
    func refusals() throws {
        let connection = try connection(try TestService())
        #expect(try connection.reasons(for: SlotRemove(slot: 1, proof: .test)) == ["slot-last"])
        #expect(try connection.reasons(for: SlotRemove(slot: 9, proof: .test)) == ["slot-not-found"])
        let short = NewSecret.passphrase(SecretBytes(utf8: "short"))
        #expect(try connection.reasons(for: SlotAdd(secret: short, proof: .test)) == ["passphrase-too-short"])
        #expect(try slots(connection).map(\.slot) == [1])
    }

    @Test("A removed slot opens nothing, and its number is not given again")
    func remove() throws {
        let daemon = try TestService()
        let connection = try connection(daemon)
        let other = Proof.key(Self.key("A"))
        try connection.answer(to: SlotAdd(secret: .key(Self.key("A")), proof: .test))
        try connection.answer(to: SlotRemove(slot: 1, proof: other))
        #expect(try connection.reasons(for: SlotList(proof: .test)) == ["proof-wrong"])
        daemon.clock.advance(milliseconds: 10_000)
        try connection.answer(to: SlotAdd(secret: .recoveryKey, proof: other))
        #expect(try slots(connection, proof: other).map(\.slot) == [2, 3])
    }

    @Test(
        "admin.vault.create states what each kind of slot protects from, and what not, and returns the recovery key once"
    )
    func create() throws {
        let connection = try connection(try TestService(isCreated: false))
        let made = try connection.answer(
            to: VaultCreate(secrets: [
                .passphrase(SecretBytes(utf8: "correct horse")), .key(Self.key("k")), .recoveryKey,
            ]))
        #expect(made.slots.map(\.kind) == ["passphrase", "key", "recoveryKey"])
        for (slot, words) in zip(made.slots, ["Forget it", "not against a thief of the disk", "Whoever finds it"]) {
            #expect(slot.protects.contains(words))
        }
        let key = try #require(made.recoveryKey)
        try connection.answer(to: VaultLock())
        #expect(try connection.answer(to: VaultUnlock(proof: .recoveryKey(key))).changed)
    }
    @Test(
        "While a recorded backup's file system does not answer, the vault can be locked, and the answer names the backup",
        arguments: ["change", "remove", "rekey"])
    func hungBackup(_ method: String) throws {
        let directory = try TemporaryDirectory()
        let daemon = try TestService(location: .directory(directory.path + "/data"))
        let (connection, other) = (try connection(daemon), try connection(daemon))
        let backup = directory.path + "/elsewhere.sqlite"
        try connection.answer(to: SlotAdd(secret: .key(Self.key("A")), proof: .test))
        try connection.answer(to: VaultBackup(path: backup, proof: .test))
        let work = daemon.parts.work
        work.holdsInspections = true
        defer { work.releaseAll() }
        func expectLocked<Call: MethodCall>(during call: Call) throws -> Call.Answer {
            let sent = try connection.send(call)
            #expect(sent.waits)
            #expect(try other.answer(to: VaultLock()).changed)
            daemon.clock.advance(milliseconds: Int64(Limits.fileLookMilliseconds))
            try daemon.settle()
            return try sent.answer()
        }
        switch method {
        case "rekey":
            let call = VaultRekey(secrets: [.key(Self.key("B")), .recoveryKey], proof: .test)
            let answer = try expectLocked(during: call)
            #expect(answer.backups == [] && answer.uncheckedBackups == [backup] && answer.recoveryKey != nil)
        case "remove":
            let answer = try expectLocked(during: SlotRemove(slot: 2, proof: .test))
            #expect(answer.backups == [] && answer.uncheckedBackups == [backup])
        default:
            let answer = try expectLocked(during: SlotChange(slot: 2, secret: .recoveryKey, proof: .test))
            #expect(answer.backups == [] && answer.uncheckedBackups == [backup] && answer.recoveryKey != nil)
        }
    }
}
