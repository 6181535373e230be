// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import SyncFiles
import SyncMerge
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("Saves before their stamps are made")
struct UnstampedSaveTests {
    private let group: SyncedGroup
    private let directory: TemporaryDirectory
    private let desktop: SyncedVault
    private let laptop: SyncedVault

    init() throws {
        group = try SyncedGroup()
        directory = try TemporaryDirectory()
        let folder = SyncSpool(at: directory.path + "/folder")
        desktop = try SyncedVault(group.desktop, in: group, sharing: folder, seed: 2)
        laptop = try SyncedVault(group.laptop, in: group, sharing: folder, seed: 3)
    }

    private func publish(_ machine: SyncedVault, at now: Int64) throws {
        try machine.sync.sealChanges(at: .at(now))
        try machine.tidy(at: .at(now))
    }

    /// Saves on the laptop, and makes no stamps.
    private func save(_ domain: String, _ password: String, at now: Int64) throws -> ObjectID {
        try laptop.vault.writers.credentials.save(domain, "ann", password, at: .at(now)).id
    }

    private var unstamped: Set<ObjectID>? {
        laptop.vault.store.findUnstamped()
        return laptop.vault.store.sync?.noted.unstamped
    }

    private func pageCount(of database: VaultDatabase) throws -> Int {
        try database.access { connection throws(VaultError) in
            Int(try SQLStatement("PRAGMA page_count", on: connection).first { row in row.integer(0) } ?? 0)
        }
    }

    @Test("A merge stamps what it would replace before it merges")
    func replaced() throws {
        let id = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1)).id
        try publish(desktop, at: 2)
        try laptop.mergeArrived(at: .at(3))
        #expect(try save("shop.example", "three", at: 20) == id)
        _ = try desktop.vault.writers.credentials.update(id, at: .at(15)) {
            $0.apply(DetailsChange(label: "Shop"), by: .other)
        }
        try publish(desktop, at: 16)
        try laptop.mergeArrived(at: .at(21))
        let found = try #require(try laptop.vault.readers.credentials.get(id))
        #expect(found.password.text == "three" && found.details.label == "Shop")
        #expect(try laptop.sync.hasChanges)
        try publish(laptop, at: 22)
        try desktop.mergeArrived(at: .at(23))
        #expect(try desktop.vault.password("shop.example", "ann") == "three")
        #expect(try desktop.shown() == laptop.shown())
    }

    @Test("A merge stamps what has a login in common with what it brings")
    func joined() throws {
        let other = try save("shop.example", "of the laptop", at: 20)
        let id = try desktop.vault.writers.credentials.save("shop.example", "ann", "of the desktop", at: .at(10)).id
        try publish(desktop, at: 11)
        try laptop.mergeArrived(at: .at(21))
        #expect(try laptop.vault.password("shop.example", "ann") == "of the laptop")
        #expect(try laptop.vault.readers.credentials.get(other)?.id == min(id, other))
        try publish(laptop, at: 22)
        try desktop.mergeArrived(at: .at(23))
        #expect(try desktop.vault.password("shop.example", "ann") == "of the laptop")
        #expect(try desktop.shown() == laptop.shown() && laptop.vault.check().isIntact)
    }

    @Test("A batch stamps what was saved since its file was opened")
    func betweenBatches() throws {
        let id = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1)).id
        try publish(desktop, at: 2)
        try laptop.mergeArrived(at: .at(3))
        _ = try desktop.vault.writers.credentials.update(id, at: .at(15)) {
            $0.apply(DetailsChange(label: "Shop"), by: .other)
        }
        try publish(desktop, at: 16)
        let device = desktop.keys.publicKeys.device
        let file = try #require(try laptop.files().last { $0.device == device })
        var (merging, _) = try laptop.sync.begin(file.bytes, name: file.name, of: device, at: .at(19))
        #expect(try save("shop.example", "three", at: 20) == id)
        #expect(unstamped == [id])
        while try laptop.sync.step(&merging, at: .at(21)) != nil {}
        let found = try #require(try laptop.vault.readers.credentials.get(id))
        #expect(found.password.text == "three" && found.details.label == "Shop")
        try publish(laptop, at: 22)
        #expect(unstamped == [])
        try desktop.mergeArrived(at: .at(23))
        #expect(try desktop.vault.password("shop.example", "ann") == "three")
        #expect(try desktop.shown() == laptop.shown() && laptop.vault.check().isIntact)
    }

    @Test("On a disk that has space for a save and not for its stamps the save is stored, and published later")
    func fullDisk() throws {
        try laptop.tidy(at: .at(1))
        let database = try laptop.vault.store.file.openDatabase, sync = try laptop.sync
        var pages = try pageCount(of: database)
        var saved = 0, isFull = false
        // Without a stamp there is always a moment at which just the save fits.
        while !isFull, saved < 3000 {
            try database.access { connection throws(VaultError) in
                try connection.run("PRAGMA max_page_count = \(pages)")
            }
            do throws(VaultError) {
                _ = try laptop.vault.writers.credentials.save(
                    CredentialDraft(
                        service: .domain("d\(saved).example"), user: "ann",
                        password: SecretBytes(utf8: "password \(saved)"), writer: .shop), at: .at(2))
                saved += 1
                do throws(SyncFailure) { _ = try sync.sealChanges(at: .at(2)) } catch {
                    #expect(error == .vault(.storageFull))
                    isFull = true
                }
            } catch {
                #expect(error == .storageFull)
                pages += 1
            }
        }
        #expect(isFull && saved > 0)
        let last = "d\(saved - 1).example"
        #expect(try laptop.vault.password(last, "ann") == "password \(saved - 1)")
        #expect(try laptop.sync.hasChanges)
        try database.access { connection throws(VaultError) in try connection.run("PRAGMA max_page_count = 1000000") }
        try publish(laptop, at: 3)
        #expect(try !laptop.sync.hasChanges)
        try desktop.mergeArrived(at: .at(4))
        #expect(try desktop.vault.password(last, "ann") == "password \(saved - 1)")
        #expect(try desktop.shown() == laptop.shown() && laptop.vault.check().isIntact)
    }

    @Test("What was saved before a kill is stamped after the next unlock, and nothing else")
    func killed() throws {
        for name in ["one", "two", "three"] { _ = try save(name + ".example", name, at: 1) }
        try publish(laptop, at: 2)
        let id = try save("shop.example", "four", at: 3)
        #expect(unstamped == [id])
        // What a new process finds.
        laptop.vault.store.beginSync()
        #expect(unstamped == [id])
        #expect(try laptop.sync.hasChanges)
        try publish(laptop, at: 4)
        try desktop.mergeArrived(at: .at(5))
        #expect(try desktop.vault.password("shop.example", "ann") == "four")
        laptop.vault.store.beginSync()
        #expect(try unstamped == [] && !laptop.sync.hasChanges)
    }

    @Test("What was saved before an unlock is found by the first merge after it, which replaces none of it")
    func foundByMerge() throws {
        let id = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1)).id
        try publish(desktop, at: 2)
        try laptop.mergeArrived(at: .at(3))
        #expect(try save("shop.example", "three", at: 20) == id)
        _ = try desktop.vault.writers.credentials.update(id, at: .at(15)) { $0.user = "bob" }
        try publish(desktop, at: 16)
        laptop.vault.store.beginSync()
        #expect(laptop.vault.store.sync?.noted.hasFormer == false)
        #expect(try laptop.sync.hasChanges)
        try laptop.mergeArrived(at: .at(21))
        try publish(laptop, at: 22)
        try desktop.mergeArrived(at: .at(23))
        for machine in [laptop, desktop] {
            let found = try #require(try machine.vault.readers.credentials.get(id))
            #expect(found.password.text == "three" && found.user == "bob")
        }
        #expect(try desktop.shown() == laptop.shown() && laptop.vault.check().isIntact)
    }

    @Test("Of many saves each is stamped, whatever was stamped before a kill")
    func many() throws {
        for number in 0..<300 { _ = try save("d\(number).example", "password", at: 1) }
        #expect(try laptop.sync.stampNext(at: .at(2)))
        #expect(unstamped?.count == 44)
        laptop.vault.store.beginSync()
        #expect(unstamped?.count == 300)
        #expect(try laptop.sync.stampNext(at: .at(2)))
        #expect(try !laptop.sync.stampNext(at: .at(2)))
        try publish(laptop, at: 3)
        try desktop.mergeArrived(at: .at(4))
        #expect(try desktop.shown() == laptop.shown() && laptop.vault.check().isIntact)
    }

    @Test("The passwords between two stamps are in the history of every machine")
    func history() throws {
        for (index, password) in ["one", "two", "three"].enumerated() {
            _ = try save("shop.example", password, at: Int64(index))
        }
        try publish(laptop, at: 9)
        let id = try save("shop.example", "four", at: 10)
        _ = try save("shop.example", "five", at: 11)
        try publish(laptop, at: 12)
        try desktop.mergeArrived(at: .at(13))
        for machine in [laptop, desktop] {
            let found = try #require(try machine.vault.readers.credentials.get(id))
            #expect(found.password.text == "five")
            #expect(found.previous.map(\.password.text) == ["four", "three", "two", "one"])
        }
        #expect(try desktop.shown() == laptop.shown())
    }

    @Test(
        "A password has the time of its own save, whatever was changed after it: one that another machine saved since is used",
        arguments: [true, false])
    func ownTime(isMerged: Bool) throws {
        if isMerged {
            _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1))
            try publish(desktop, at: 2)
            try laptop.mergeArrived(at: .at(3))
        } else {
            _ = try save("shop.example", "one", at: 1)
        }
        let id = try save("shop.example", "two", at: 10)
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "three", at: .at(20))
        try publish(desktop, at: 21)
        _ = try laptop.vault.writers.credentials.update(id, at: .at(30)) {
            $0.apply(DetailsChange(label: "Shop"), by: .other)
        }
        try laptop.mergeArrived(at: .at(31))
        try publish(laptop, at: 32)
        try desktop.mergeArrived(at: .at(33))
        for machine in [laptop, desktop] {
            let found = try #require(
                try machine.vault.readers.credentials.get(for: .domain("shop.example"), user: "ann"))
            #expect(found.password.text == "three" && found.details.label == "Shop")
            #expect(found.previous.map(\.password.text) == ["two", "one"])
        }
        #expect(try desktop.shown() == laptop.shown() && laptop.vault.check().isIntact)
    }

    @Test("A value that was changed and set back between two stamps is the present one on every machine")
    func setBack() throws {
        let id = try save("shop.example", "one", at: 1)
        try publish(laptop, at: 2)
        for (time, password) in [(Int64(3), "two"), (4, "one")] { _ = try save("shop.example", password, at: time) }
        for (time, code) in [(Int64(5), SecretBytes(utf8: "otpauth://totp/x?secret=AAAA")), (6, nil)] {
            _ = try laptop.vault.writers.credentials.update(id, at: .at(time)) { $0.oneTimeCode = code }
        }
        try publish(laptop, at: 7)
        try desktop.mergeArrived(at: .at(8))
        for machine in [laptop, desktop] {
            let found = try #require(try machine.vault.readers.credentials.get(id))
            #expect(found.password.text == "one" && found.oneTimeCode == nil)
            #expect(found.previous.map(\.password.text).contains("two"))
        }
    }

    /// Exchanges logins between credentials, and makes the stamps after all of it.
    private func exchangeLogins(_ domain: String, _ kind: Int, at now: Int64) throws {
        let writer = try laptop.vault.writers.credentials
        func save(_ user: String, _ password: String, at time: Int64) throws -> ObjectID {
            try writer.save(domain, user, password, at: .at(time)).id
        }
        func rename(_ id: ObjectID, _ user: String, at time: Int64) throws {
            _ = try writer.update(id, at: .at(time)) { $0.user = user }
        }
        let first = try save("ann", "of ann", at: now), second = try save("bob", "of bob", at: now)
        if kind > 1 { _ = try laptop.sync.stampNext(at: .at(now)) }
        switch kind % 4 {
        case 0:
            try rename(first, "anna", at: now + 1)
            _ = try save("anna", "new of anna", at: now + 2)
            _ = try save("ann", "of another", at: now + 3)
        case 1:
            try rename(first, "tmp", at: now + 1)
            try rename(second, "ann", at: now + 2)
            try rename(first, "bob", at: now + 3)
        case 2:
            _ = try writer.delete(first, at: .at(now + 1))
            _ = try save("ann", "of another", at: now + 2)
        default:
            _ = try writer.delete(first, at: .at(now + 1))
            let third = try save("ann", "of another", at: now + 2)
            _ = try writer.delete(third, at: .at(now + 3))
            _ = try writer.undelete(first, at: .at(now + 4))
        }
    }

    @Test("Logins that go from one credential to another before the stamps are made join no two credentials")
    func handedOver() throws {
        for number in 0..<32 { try exchangeLogins("d\(number).example", number % 8, at: Int64(number) * 10 + 1) }
        let before = try laptop.vault.allCredentials().map { try $0.text }.sorted()
        while try laptop.sync.stampNext(at: .at(500)) {}
        #expect(try laptop.vault.allCredentials().map { try $0.text }.sorted() == before)
        try publish(laptop, at: 501)
        try desktop.mergeArrived(at: .at(502))
        #expect(try desktop.shown() == laptop.shown() && laptop.vault.check().isIntact)
    }

    /// Reads what is stored of sync again, and makes the stamps, which change no credential.
    private func stampUnchanged() throws {
        laptop.vault.store.beginSync()
        let before = try laptop.vault.allCredentials().map { try $0.text }.sorted()
        while try laptop.sync.stampNext(at: .at(500)) {}
        #expect(try laptop.vault.allCredentials().map { try $0.text }.sorted() == before)
    }

    @Test("Logins that were handed over while no stamps could be made join no two credentials")
    func handedOverWithoutStamps() throws {
        for number in 0..<32 {
            let (domain, now) = ("d\(number).example", Int64(number) * 10 + 1)
            if number > 15 {
                for user in ["ann", "bob"] {
                    _ = try laptop.vault.writers.credentials.save(domain, user, "of " + user, at: .at(now))
                }
                while try laptop.sync.stampNext(at: .at(now)) {}
            }
            // As after an unlock at which what is stored of sync could not be read.
            laptop.vault.store.sync = nil
            try exchangeLogins(domain, number % 4, at: now)
            try stampUnchanged()
        }
        try publish(laptop, at: 501)
        try desktop.mergeArrived(at: .at(502))
        #expect(try desktop.shown() == laptop.shown() && laptop.vault.check().isIntact)
    }

    @Test("What was moved and deleted, or restored and moved, without stamps takes no other credential with it")
    func movedWithoutStamps() throws {
        let writer = try laptop.vault.writers.credentials
        for number in 0..<16 {
            let domain = "d\(number).example"
            let first = try save(domain, "first", at: 1)
            _ = try writer.delete(first, at: .at(2))
            let second = number < 8 ? try save(domain, "second", at: 3) : first
            while try laptop.sync.stampNext(at: .at(4)) {}
            laptop.vault.store.sync = nil
            if number >= 8 { _ = try writer.undelete(first, at: .at(5)) }
            _ = try writer.update(second, at: .at(6)) { $0.user = "bob" }
            if number < 8 { _ = try writer.delete(second, at: .at(7)) } else { _ = try save(domain, "third", at: 7) }
            try stampUnchanged()
        }
        try publish(laptop, at: 501)
        try desktop.mergeArrived(at: .at(502))
        #expect(try desktop.shown() == laptop.shown() && laptop.vault.check().isIntact)
    }

    @Test("A password that was saved and then deleted has the time of its save: a later one of another machine is used")
    func ownTimeOfDeleted() throws {
        let id = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1)).id
        try publish(desktop, at: 2)
        try laptop.mergeArrived(at: .at(3))
        _ = try save("shop.example", "two", at: 10)
        _ = try desktop.vault.writers.credentials.save("shop.example", "ann", "three", at: .at(20))
        try publish(desktop, at: 21)
        _ = try laptop.vault.writers.credentials.delete(id, at: .at(30))
        try laptop.mergeArrived(at: .at(31))
        #expect(try laptop.vault.password("shop.example", "ann") == "three")
        try publish(laptop, at: 32)
        try desktop.mergeArrived(at: .at(33))
        #expect(try desktop.vault.password("shop.example", "ann") == "three")
        #expect(try desktop.shown() == laptop.shown() && laptop.vault.check().isIntact)
    }

    @Test("A deleted credential whose stamps were lost leaves the one that has its login since")
    func deletedWithoutStamps() throws {
        let writer = try laptop.vault.writers.credentials
        for number in 0..<8 {
            let domain = "d\(number).example"
            let first = try save(domain, "wrong", at: 1)
            _ = try writer.delete(first, at: .at(2))
            let second = try save(domain, "right", at: 3)
            while try laptop.sync.stampNext(at: .at(4)) {}
            // What a repair does with a damaged row.
            try laptop.vault.store.write { transaction throws(VaultError) in
                let entry: StoredSyncEntry? = try transaction.records.fetch(SyncSlice.entry(of: first))
                if let entry { try transaction.remove(entry) }
            }
            try laptop.sync.catchUp(at: .at(5), always: true)
            #expect(try laptop.vault.password(domain, "ann") == "right")
            let found = try laptop.vault.readers.credentials.get(second)
            #expect(found?.previous.isEmpty == true)
        }
        try publish(laptop, at: 6)
        try desktop.mergeArrived(at: .at(7))
        #expect(try desktop.shown() == laptop.shown() && laptop.vault.check().isIntact)
    }

    @Test("A row from before its stamps is shown again as they have it, and publishes nothing older")
    func olderRow() throws {
        let id = try save("shop.example", "one", at: 1)
        let former = try #require(try laptop.vault.readers.credentials.get(id))
        _ = try save("shop.example", "two", at: 2)
        try publish(laptop, at: 3)
        // What a repair may find of it.
        try laptop.vault.store.write { transaction throws(VaultError) in
            transaction.isMerging = true
            let present: Credential? = try transaction.records.fetch(id)
            if let present { try transaction.replace(present, with: former) }
        }
        try laptop.sync.catchUp(at: .at(4), always: true)
        #expect(try laptop.vault.password("shop.example", "ann") == "two")
        _ = try laptop.vault.writers.credentials.update(id, at: .at(5)) {
            $0.apply(DetailsChange(label: "Shop"), by: .other)
        }
        try publish(laptop, at: 6)
        try desktop.mergeArrived(at: .at(7))
        #expect(try desktop.vault.password("shop.example", "ann") == "two")
        #expect(try desktop.shown() == laptop.shown() && laptop.vault.check().isIntact)
    }

    @Test("The removal of a machine leaves what was saved here and is not stamped")
    func removedMachine() throws {
        let id = try desktop.vault.writers.credentials.save("shop.example", "ann", "one", at: .at(1)).id
        try publish(desktop, at: 2)
        try laptop.mergeArrived(at: .at(3))
        #expect(try save("shop.example", "two", at: 4) == id)
        try publish(laptop, at: 5)
        try desktop.mergeArrived(at: .at(6))
        #expect(try save("shop.example", "three", at: 7) == id)
        try laptop.sync.remove(desktop.keys.publicKeys.device, by: .recoveryKey(group.recovery), at: .at(8))
        #expect(try laptop.vault.password("shop.example", "ann") == "three")
        try publish(laptop, at: 9)
        #expect(try laptop.vault.password("shop.example", "ann") == "three")
    }
}
