// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("Saves before the stamps of earlier ones")
struct OwnTimeTests {
    private let pair: SyncedPair
    private var desktop: SyncedVault { pair.desktop }
    private var laptop: SyncedVault { pair.laptop }

    init() throws { pair = try SyncedPair() }

    /// Has each machine's saves on the other one.
    private func exchange(at now: Int64) throws {
        try laptop.mergeArrived(at: .at(now))
        try pair.publish(laptop, at: now + 1)
        try desktop.mergeArrived(at: .at(now + 2))
        #expect(try desktop.shown() == laptop.shown() && laptop.vault.check().isIntact)
    }

    @Test(
        "A code, its removal and notes have the time of their own save: what another machine saved before the next one is used",
        arguments: ["code", "no code", "notes"], [false, true])
    func ownTime(of what: String, isUnlocked: Bool) throws {
        let id = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1)).id
        func change(_ machine: SyncedVault, to text: String?, at now: Int64) throws {
            let value = text.map { SecretBytes(utf8: "otpauth://totp/x?secret=" + $0) }
            _ = try machine.vault.writers.credentials.update(id, at: .at(now)) { credential in
                if what == "notes" {
                    credential.apply(DetailsChange(notes: value), by: .other)
                } else {
                    credential.oneTimeCode = value
                }
            }
        }
        try change(desktop, to: "AAAA", at: 2)
        try pair.publish(desktop, at: 3)
        try laptop.mergeArrived(at: .at(4))
        try change(laptop, to: what == "no code" ? nil : "BBBB", at: 10)
        if isUnlocked { laptop.vault.store.beginSync() }
        try change(desktop, to: "CCCC", at: 20)
        try pair.publish(desktop, at: 21)
        #expect(try laptop.vault.writers.credentials.save("shop.example", "ann", "two", at: .at(30)).id == id)
        try exchange(at: 31)
        for machine in [laptop, desktop] {
            let found = try #require(try machine.vault.readers.credentials.get(id))
            let value = what == "notes" ? found.details.notes : found.oneTimeCode
            #expect(found.password.text == "two" && value?.text == "otpauth://totp/x?secret=CCCC")
        }
    }

    private func save(_ machine: SyncedVault, _ password: String, at now: Int64) throws -> ObjectID {
        try machine.vault.writers.credentials.save("shop.example", "ann", password, at: .at(now)).id
    }

    private func note(_ machine: SyncedVault, _ id: ObjectID, _ text: String, at now: Int64) throws {
        _ = try machine.vault.writers.credentials.update(id, at: .at(now)) {
            $0.apply(DetailsChange(notes: SecretBytes(utf8: text)), by: .other)
        }
    }

    @Test("What was saved under a clock that was ahead has the time of the next save, where that is earlier")
    func clockAhead() throws {
        let id = try save(desktop, "one", at: 1)
        try pair.publish(desktop, at: 2)
        try laptop.mergeArrived(at: .at(3))
        try note(laptop, id, "first", at: 1000)
        try note(laptop, id, "second", at: 20)
        try note(desktop, id, "of the desktop", at: 30)
        try pair.publish(desktop, at: 31)
        try exchange(at: 32)
        for machine in [laptop, desktop] {
            #expect(try machine.vault.readers.credentials.get(id)?.details.notes?.text == "of the desktop")
        }
    }

    @Test("An import keeps none of the credentials in memory that it replaces")
    func bulk() throws {
        let id = try save(laptop, "one", at: 1)
        for isBulk in [true, false] {
            let isEmpty = try laptop.vault.store.write { transaction throws(VaultError) -> Bool? in
                transaction.isBulk = isBulk
                let found: Credential? = try transaction.records.fetch(id)
                guard let old = found else { return nil }
                var new = old
                new.details.label = "\(isBulk)"
                new.version += 1
                try transaction.replace(old, with: new)
                return transaction.replacedUnstamped.isEmpty
            }
            #expect(isEmpty == isBulk)
        }
    }

    @Test("So do the notes of a credential that no stamp was made of before")
    func new() throws {
        try note(laptop, save(laptop, "one", at: 1), "of the laptop", at: 10)
        try note(desktop, save(desktop, "of the desktop", at: 19), "of the desktop", at: 20)
        try pair.publish(desktop, at: 21)
        _ = try save(laptop, "two", at: 30)
        try exchange(at: 31)
        for machine in [laptop, desktop] {
            let found = try #require(
                try machine.vault.readers.credentials.get(for: .domain("shop.example"), user: "ann"))
            #expect(found.password.text == "two" && found.details.notes?.text == "of the desktop")
        }
    }

    @Test("A second save joins its credential with none whose stamps still have its login")
    func handedOver() throws {
        let writer = try laptop.vault.writers.credentials
        let first = try writer.save("shop.example", "ann", "first", at: .at(1)).id
        while try laptop.sync.stampNext(at: .at(2)) {}
        // As after an unlock at which what is stored of sync could not be read.
        laptop.vault.store.sync = nil
        _ = try writer.update(first, at: .at(3)) { $0.user = "bob" }
        laptop.vault.store.beginSync()
        let second = try writer.save("shop.example", "ann", "second", at: .at(4)).id
        #expect(try writer.save("shop.example", "ann", "third", at: .at(5)).id == second && first != second)
        let before = try laptop.shown()
        while try laptop.sync.stampNext(at: .at(6)) {}
        #expect(try laptop.shown() == before && before.count == 2)
        try exchange(at: 7)
        #expect(try desktop.vault.password("shop.example", "bob") == "first")
        #expect(try desktop.vault.password("shop.example", "ann") == "third")
    }
}
