// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("The record of releases")
struct ReleaseTests {
    private func numbers(_ vault: Vault, before: UInt64? = nil, limit: Int = 1000) throws -> [UInt64] {
        try vault.readers.releases.page(before: before, limit: limit).elements.map(\.number)
    }

    @Test("Entries are listed the newest first, before and after they are synchronised, in pages")
    func listing() throws {
        let vault = try Vault.new()
        for number in 1...10 {
            try vault.releases.append(.test(Int64(number), refused: number % 3 == 0 ? "not-granted" : nil))
            try vault.releases.commit()
            if number % 4 == 0 { try vault.releases.sync(at: .at()) }
        }
        #expect(try numbers(vault) == (1...10).reversed())
        #expect(vault.counts?.releases == 10)
        let page = try vault.readers.releases.page(before: nil, limit: 4)
        #expect(page.elements.map(\.number) == [10, 9, 8, 7] && page.next == 7)
        #expect(try numbers(vault, before: page.next, limit: 100) == [6, 5, 4, 3, 2, 1])
        let entry = try #require(page.elements.first { $0.number == 9 }?.release)
        #expect(entry.time == .at(9) && entry.refused == "not-granted" && entry.app == "org.example.Shop")
        #expect(entry.processID == 4711 && entry.unit == "app-org.example.Shop-1.scope")
        #expect(entry.service == .domain("shop.example") && entry.object?.kind == .credential && entry.grant == nil)
    }

    @Test("An entry may have 16 KiB; a longer one is refused, and the log continues without it")
    func longest() throws {
        let vault = try Vault.new()
        let shortest = BinaryWriter.length { writer in
            Release.test(1, evidence: "").write(to: &writer, after: ReleaseLink(generation: 1))
        }
        func release(_ number: Int64, bytes: Int) -> Release {
            .test(number, evidence: String(repeating: "x", count: bytes - shortest))
        }
        try vault.releases.append(release(1, bytes: 16_384))
        #expect(failure { try vault.releases.append(release(2, bytes: 16_385)) } == .tooLarge(limit: 16_384))
        try vault.releases.append(.test(3))
        let entries = try vault.readers.releases.page(before: nil, limit: 9).elements
        #expect(entries.map(\.number) == [2, 1] && entries.map(\.release.time) == [.at(3), .at(1)])
        #expect(entries.last?.release.evidence?.utf8.count == 16_384 - shortest)
    }

    @Test("A release is recorded with the use of what it returned; where it cannot be, neither is")
    func recorded() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let id = try vault.writers.credentials.save("shop.example", "ann", "one").id
        try vault.releases.record(.test(5), usedNow: id)
        try vault.releases.record(.test(6))
        #expect(try numbers(vault) == [2, 1] && vault.credentialCount == 1)
        let log = try OpenDescriptor(of: directory.vaultPath + "/vault.releases")
        try log.fill()
        #expect(failure { try vault.releases.record(.test(7), usedNow: id) } == .storageFull)
        try log.restoreOutput()
        #expect(try numbers(vault) == [2, 1])
        try vault.releases.sync(at: .at(7))
        #expect(try vault.readers.credentials.get(id)?.lastUsed == .at(5))
        vault.lock()
        #expect(failure { try vault.releases.record(.test(9), usedNow: id) } == .locked)
        #expect(vault.credentialCount == nil)
    }

    @Test("What was committed survives the end of the process without a sync, lock or close")
    func survivesKill() throws {
        let directory = try TemporaryDirectory()
        let copy = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        for number in 1...3 { try vault.releases.append(.test(Int64(number))) }
        try vault.releases.commit()
        try vault.releases.sync(at: .at())
        for number in 4...6 { try vault.releases.append(.test(Int64(number))) }
        try vault.releases.commit()
        try vault.releases.append(.test(7))
        // The files as a killed process leaves them.
        try FileManager.default.createDirectory(atPath: copy.path + "/data", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: directory.vaultPath, toPath: copy.vaultPath)
        let again = try Vault.unlocked(copy.vault)
        #expect(try numbers(again) == [6, 5, 4, 3, 2, 1])
        try again.releases.append(.test(8))
        try again.releases.sync(at: .at())
        #expect(try numbers(again) == [7, 6, 5, 4, 3, 2, 1])
    }

    @Test(
        "Entries that the database cannot take over when the vault is closed are synchronised in the file they are in")
    func synchronisedAtTheEnd() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.releases.append(.test(1))
        try vault.releases.commit()
        let journal = try vault.store.unlocked.releases
        #expect(!journal.isDurable)
        try vault.releases.sync(at: .at())
        #expect(journal.isDurable)
        try vault.releases.append(.test(2))
        try vault.releases.commit()
        // Nothing is written to a database that was moved away.
        try FileManager.default.moveItem(atPath: directory.database, toPath: directory.database + ".moved")
        vault.close()
        #expect(journal.isDurable && journal.pendingCount == 1)
        try FileManager.default.moveItem(atPath: directory.database + ".moved", toPath: directory.database)
        #expect(try numbers(Vault.unlocked(directory.vault)) == [2, 1])
    }

    @Test("What cannot be written is not on record, and its number is the next one's")
    func unwritable() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.releases.append(.test(1))
        try vault.releases.commit()
        let log = try OpenDescriptor(of: directory.vaultPath + "/vault.releases")
        try log.fill()
        try vault.releases.append(.test(2))
        #expect(throws: VaultError.storageFull) { try vault.releases.commit() }
        try log.restoreOutput()
        try vault.releases.append(.test(3))
        try vault.releases.commit()
        #expect(
            try vault.readers.releases.page(before: nil, limit: 9).elements.map {
                [Int64($0.number), $0.release.time.milliseconds]
            }
                == [[2, Timestamp.at(3).milliseconds], [1, Timestamp.at(1).milliseconds]])
    }

    @Test("A log that ends in the middle of an entry, or is missing, loses only what is missing")
    func tornLog() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        for number in 1...3 { try vault.releases.append(.test(Int64(number))) }
        try vault.releases.commit()
        let log = directory.vaultPath + "/vault.releases"
        let copy = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: copy.path + "/data", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: directory.vaultPath, toPath: copy.vaultPath)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: log))
        let length = Int(bytes[0]) << 8 | Int(bytes[1]) + 10
        truncate(copy.vaultPath + "/vault.releases", off_t(length * 2 + 40))
        let again = try Vault.unlocked(copy.vault)
        #expect(try numbers(again) == [2, 1])
        again.close()
        try FileManager.default.removeItem(atPath: copy.vaultPath + "/vault.releases")
        #expect(try numbers(try Vault.unlocked(copy.vault)) == [2, 1])
    }

    @Test("An unlock reads next to nothing of a long log: its size is counted beside the event loop")
    func counted() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        for number in 1...1000 {
            try vault.releases.append(.test(Int64(number)))
            if number % 4 == 0 { try vault.releases.sync(at: .at(Int64(number))) }
        }
        vault.close()
        let again = try Vault.unlocked(directory.vault)
        let read = again.cachedBytes
        try again.releases.sync(at: .at(2000))
        #expect(again.cachedBytes > 2 * read)
    }

    @Test("Thousands of entries in one turn are kept, and the oldest are dropped when the log is too large")
    func bounds() throws {
        var limits = VaultLimits()
        limits.releaseBytes = 600 << 10
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault, limits: limits)
        for number in 1...5000 { try vault.releases.append(.test(Int64(number))) }
        try vault.releases.commit()
        try vault.releases.sync(at: .at())
        let kept = try numbers(vault, limit: 10_000)
        #expect(kept.first == 5000)
        #expect(kept == kept.sorted(by: >) && kept.count > 1000 && kept.count < 3000)
        #expect(vault.counts?.releases == kept.count)
        vault.close()
        #expect(try numbers(try Vault.unlocked(directory.vault), limit: 10_000) == kept)
    }

    @Test("Entries that are too old go")
    func age() throws {
        var limits = VaultLimits()
        limits.releaseMilliseconds = 10_000
        let vault = try Vault.new(limits: limits)
        try vault.releases.append(.test(1))
        try vault.releases.sync(at: .at(1))
        try vault.releases.append(.test(7_000_000))
        try vault.releases.sync(at: .at(7_000_000))
        #expect(try numbers(vault) == [2])
    }

    @Test("Entries that are too old are deleted also after the clock was set back")
    func ageUnderAnotherClock() throws {
        var limits = VaultLimits()
        limits.releaseMilliseconds = 10_000
        let vault = try Vault.new(limits: limits)
        try vault.releases.append(.test(1))
        try vault.releases.sync(at: .at(86_400_000))
        try vault.releases.append(.test(7_000_000))
        try vault.releases.sync(at: .at(7_000_000))
        #expect(try numbers(vault) == [2])
    }

    @Test("Entries are written to the file all at once, times of last use a few at a time, and all at the lock")
    func uses() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let ids = try (0..<30).map { try vault.writers.credentials.save("d\($0).example", "ann", "p").id }
        func written() throws -> Int { try ids.count { try vault.readers.credentials.get($0)?.lastUsed == .at(1) } }
        for id in ids { try vault.writers.credentials.noteUse(of: id, at: .at(1)) }
        for number in 0..<30 { try vault.releases.append(.test(Int64(number))) }
        for count in [8, 16, 24, 30] {
            #expect(vault.releases.hasUnsynced)
            try vault.releases.sync(at: .at(2))
            #expect(try written() == count)
            #expect(try vault.check().releases == 30)
        }
        #expect(!vault.releases.hasUnsynced)
        for id in ids { try vault.writers.credentials.noteUse(of: id, at: .at(2)) }
        vault.close()
        let again = try Vault.unlocked(directory.vault)
        #expect(try ids.allSatisfy { try again.readers.credentials.get($0)?.lastUsed == .at(2) })
    }

    @Test("A use of a credential that is damaged by now is dropped; the entries and other uses are written to the file")
    func useOfDamaged() throws {
        let vault = try Vault.new()
        let ids = try (0..<3).map { try vault.writers.credentials.save("d\($0).example", "ann", "p").id }
        for id in ids { try vault.writers.credentials.noteUse(of: id, at: .at(1)) }
        try vault.releases.append(.test(1))
        try vault.file.openDatabase.write { statements throws(VaultError) in
            let row = try statements.records.byID.first(.bytes(ids[1].stored)) { row throws(VaultError) in
                (lookup: row.copy(1), sealed: row.copy(3))
            }
            guard let row else { return }
            try statements.records.update.run(
                .bytes(ids[1].stored), .bytes(row.lookup), .integer(9), .bytes(row.sealed))
        }
        try vault.releases.sync(at: .at(2))
        #expect(!vault.releases.hasUnsynced)
        #expect(try numbers(vault) == [1])
        #expect(try [ids[0], ids[2]].allSatisfy { try vault.readers.credentials.get($0)?.lastUsed == .at(1) })
    }

    @Test("Nothing waits where nothing happened")
    func idle() throws {
        let vault = try Vault.new()
        #expect(!vault.releases.hasUnsynced)
        try vault.releases.append(.test(1))
        #expect(vault.releases.hasUnsynced)
        try vault.releases.sync(at: .at())
        #expect(!vault.releases.hasUnsynced)
    }
}

/// A file that this process has open, by whatever number: its disk can be made full.
private final class OpenDescriptor {
    private let number: Int32
    private let original: Int32

    init(of path: String) throws {
        let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        number = try #require(
            numbers.first {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
            })
        original = dup(number)
    }

    deinit {
        dup2(original, number)
        close(original)
    }

    /// full(4): what is written finds no space.
    func fill() throws {
        let full = open("/dev/full", O_RDWR)
        try #require(full >= 0 && dup2(full, number) == number)
        close(full)
    }

    func restoreOutput() throws { try #require(dup2(original, number) == number) }
}
