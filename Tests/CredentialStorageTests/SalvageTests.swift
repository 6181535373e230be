// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// attacks.md, the vault, 5
@Suite("What is left of a damaged file")
struct SalvageTests {
    private static let count = 300
    private let directory: TemporaryDirectory
    private let bytes: Data
    /// The sealed part of each credential, as it lies in the file.
    private let sealed: [String: Data]

    init() throws {
        directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.insert(Credential.many(Self.count))
        for number in 0..<20 { try vault.releases.append(.test(Int64(number))) }
        vault.close()
        bytes = try Data(contentsOf: URL(fileURLWithPath: directory.database))
        let again = try Vault.unlocked(directory.vault)
        var sealed: [String: Data] = [:]
        for number in 0..<Self.count {
            let id = try #require(try again.readers.credentials.get(for: .domain("d\(number).example"), user: "ann")).id
            sealed["d\(number).example"] = try again.file.openDatabase.statements.records.byID.first(key: id.stored) {
                row in Data(row.copy(3))
            }
        }
        self.sealed = sealed
        again.close()
    }

    /// A vault that was made of what is left.
    private func salvage(_ damaged: Data, _ home: TemporaryDirectory) throws -> (SalvageReport, Vault) {
        let path = home.path + "/damaged.sqlite"
        try damaged.write(to: URL(fileURLWithPath: path))
        let vault = try Vault.open(home.vault, seed: 3)
        let outcome = try vault.salvageAttempt(from: path, secret: .key()).derive()
        let report = try vault.salvage(from: path, with: outcome, at: .at())
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damaged, "the file is only read")
        #expect(try vault.check().isIntact)
        return (report, vault)
    }

    private func expectAll(in damaged: Data, _ place: String) throws {
        let home = try TemporaryDirectory()
        let (report, vault) = try salvage(damaged, home)
        var missing = 0
        for (domain, sealed) in sealed {
            let isThere = damaged.range(of: sealed) != nil
            if !isThere { missing += 1 }
            let password = try vault.password(domain, "ann")
            #expect(password == (isThere ? "p\(domain.dropFirst().prefix { $0 != "." })" : nil), "\(place): \(domain)")
        }
        let described = report.findings.count { if case .missing = $0 { true } else { false } }
        // Each record that is gone is named where what names it is left.
        #expect(described <= missing)
        if missing == 0 { #expect(report.records == Self.count && report.quarantined == 0, "\(place)") }
    }

    @Test("From a file that was cut off, at 40 places, every record is recovered that is still in it")
    func cutOff() throws {
        var generator = SeededGenerator(seed: 40)
        let pages = bytes.count / 4096
        // The slot that opens it is on one of the first pages.
        let least = try #require(try firstPageAfterSlots())
        for number in 0..<40 {
            let kept = number < 10 ? pages - 1 - number : Int.random(in: least..<pages, using: &generator)
            let cut = number % 2 == 0 ? kept * 4096 : kept * 4096 + Int.random(in: 1..<4096, using: &generator)
            try expectAll(in: bytes.prefix(cut), "cut at \(cut)")
        }
    }

    private func firstPageAfterSlots() throws -> Int? {
        let pages = bytes.count / 4096
        let path = directory.path + "/cut"
        return try (2..<pages).first { count in
            try bytes.prefix(count * 4096).write(to: URL(fileURLWithPath: path))
            return try !DatabasePages(of: path).slots().isEmpty
        }
    }

    @Test("From a file with a damaged header, by 220 flips, every record is recovered")
    func header() throws {
        var generator = SeededGenerator(seed: 220)
        let home = try TemporaryDirectory()
        var refused = 0
        for number in 0..<220 {
            var damaged = bytes
            let place = number % 100
            damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            if number % 5 == 0 { damaged[Int.random(in: 0..<100, using: &generator)] ^= 0xFF }
            let path = home.path + "/damaged.sqlite"
            try damaged.write(to: URL(fileURLWithPath: path))
            var ids: Set<Int64> = []
            try DatabasePages(of: path).eachRow { row throws(VaultError) in
                if RowShape.table(of: row) == "record" { ids.insert(row.key) }
            }
            #expect(ids.count == Self.count, "byte \(place)")
            // The whole way for some: the rest of it is the same.
            if number % 20 == 0 { try expectAll(in: damaged, "byte \(place)") }
            let folder = home.path + "/data/autofilld"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try damaged.write(to: URL(fileURLWithPath: folder + "/vault.sqlite"))
            if failure({ _ = try Vault.open(home.vault) }) != nil { refused += 1 }
            try FileManager.default.removeItem(atPath: folder)
        }
        #expect(refused > 40, "SQLite opens none of these")
    }

    @Test("A page of rows that state a length that they do not have costs no record of another page")
    func statedLengths() throws {
        var page = [UInt8](repeating: 0, count: 4096)
        let cells = 16, place = 200
        // A leaf of a table with all its cells at one place.
        page[0] = 13
        page[4] = UInt8(cells)
        for cell in 0..<cells { page[8 + 2 * cell + 1] = UInt8(place) }
        // A length of half the file, as SQLite writes numbers, then the key; no page continues it.
        let length = bytes.count / 2
        let digits = [0x80 | length >> 14, 0x80 | length >> 7 & 0x7F, length & 0x7F].map { UInt8($0) }
        page.replaceSubrange(place..<place + 5, with: digits + [1, 0])
        let first = try #require(try firstPageAfterSlots())
        var damaged = bytes
        damaged.replaceSubrange(first * 4096..<(first + 1) * 4096, with: page)
        try expectAll(in: damaged, "page \(first + 1)")
    }

    @Test("Of the pages that a log states only those that it has are read", .timeLimit(.minutes(1)))
    func statedPages() throws {
        let path = directory.path + "/stated.sqlite"
        try bytes.write(to: URL(fileURLWithPath: path))
        func rows() throws -> Int {
            var count = 0
            try DatabasePages(of: path).eachRow { _ in count += 1 }
            return count
        }
        let before = try rows()
        let leaf = try #require((1..<bytes.count / 4096).first { bytes[$0 * 4096] == 13 && bytes[$0 * 4096 + 4] > 0 })
        let page = [UInt8](bytes[leaf * 4096..<(leaf + 1) * 4096])
        let log = Self.log(of: page, number: 4_000_000_000, pages: .max)
        try Data(log).write(to: URL(fileURLWithPath: path + "-wal"))
        #expect(try DatabasePages(of: path).beyondFile == [4_000_000_000])
        #expect(try rows() > before)
    }

    /// A write-ahead log of one transaction, which writes one page.
    private static func log(of page: [UInt8], number: UInt32, pages: UInt32) -> [UInt8] {
        func digits(_ word: UInt32) -> [UInt8] { withUnsafeBytes(of: word.bigEndian) { Array($0) } }
        let begin = digits(number) + digits(pages)
        let summed = begin + page
        var (first, second): (UInt32, UInt32) = (0, 0)
        for place in stride(from: 0, to: summed.count, by: 8) {
            func word(_ place: Int) -> UInt32 { summed.word(place).byteSwapped }
            first &+= word(place) &+ second
            second &+= word(place + 4) &+ first
        }
        let header: [UInt32] = [0x377F_0682, 3_007_000, 4096, 0, 0, 0, 0, 0]
        let rest: [UInt32] = [0, 0, first, second]
        return header.flatMap(digits) + begin + rest.flatMap(digits) + page
    }

    @Test("A row that is longer than any of a vault, and a file that is, are not read", .timeLimit(.minutes(1)))
    func longRows() throws {
        #expect(try keys(ofRowOf: 1 << 20) == [7])
        #expect(try keys(ofRowOf: 300 << 20).isEmpty)
        #expect(try keys(ofRowOf: 1 << 20, isAllColumns: true).isEmpty, "a million columns without data")
        let path = directory.path + "/long.sqlite"
        try sparseFile(path, [], length: 1 << 40)
        #expect(failure { _ = try DatabasePages(of: path) } == .notAVault(path: path))
    }

    /// What is read of a file of 512 MiB with one row, most of which is the same page again and again.
    private func keys(ofRowOf length: Int, isAllColumns: Bool = false) throws -> [Int64] {
        func digits(_ number: Int) -> [UInt8] {
            (0..<5).map { place -> UInt8 in
                let group = UInt8(number >> (28 - 7 * place) & 0x7F)
                return place < 4 ? 0x80 | group : group
            }
        }
        let fitting = 489 + (length - 489) % 4092
        let local = fitting <= 4061 ? fitting : 489
        let row = isAllColumns ? digits(length) : [6] + digits(12 + 2 * (length - 6))
        var leaf: [UInt8] = [13, 0, 0, 0, 1, 0, 0, 0, 0, 12, 0, 0] + digits(length) + [7]
        leaf += row + [UInt8](repeating: 0, count: local - row.count) + [0, 0, 0, 2]
        leaf += [UInt8](repeating: 0, count: 4096 - leaf.count)
        let path = directory.path + "/row.sqlite"
        // The first page has the header of the file before its own.
        var beginning = [UInt8](repeating: 0, count: 8192)
        beginning[4096 + 3] = 2
        try sparseFile(path, beginning + leaf, length: 512 << 20)
        var keys: [Int64] = []
        try DatabasePages(of: path).eachRow { row throws(VaultError) in keys.append(row.key) }
        return keys
    }

    private func sparseFile(_ path: String, _ beginning: [UInt8], length: UInt64) throws {
        try Data(beginning).write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.truncate(atOffset: length)
        try file.close()
    }

    @Test("A salvage that is stopped reads no further page")
    func stoppedReading() throws {
        let path = directory.path + "/stopped.sqlite"
        try bytes.write(to: URL(fileURLWithPath: path))
        let progress = VaultProgress()
        progress.cancel()
        #expect(failure { try DatabasePages(of: path).eachRow(progress) { _ in } } == .cancelled)
        #expect(failure { _ = try DatabasePages(of: path).slots(progress) } == .cancelled)
        let log = Self.log(of: [UInt8](repeating: 0, count: 4096), number: 1, pages: 1)
        try Data(log).write(to: URL(fileURLWithPath: path + "-wal"))
        #expect(failure { _ = try DatabasePages(of: path, progress) } == .cancelled)
    }

    @Test("A damaged vault is recovered at its own path, with what only its log has, and the damaged file is kept")
    func atItsPath() throws {
        let vault = try Vault.unlocked(directory.vault, seed: 4)
        try vault.writers.credentials.save("late.example", "ann", "late")
        try vault.releases.append(.test(77, app: "org.example.Late"))
        try vault.releases.commit()
        let killed = try TemporaryDirectory()
        try Tampering.copyFiles(from: directory.vaultPath, to: killed)
        // The second page is one of the schema's tables; the header is nonsense.
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: killed.database))
        try file.write(contentsOf: Data(repeating: 0x5A, count: 100))
        try file.close()
        // SQLite has the newest first page from the log: without that nothing opens.
        let log = killed.database + "-wal"
        #expect(FileManager.default.fileExists(atPath: log))
        let aside = try Vault(
            at: killed.vault, program: "tests", entropy: SeededGenerator(seed: 5), opensVault: false)
        let outcome = try aside.salvageAttempt(from: killed.database, secret: .key()).derive()
        let report = try aside.salvage(from: killed.database, with: outcome, at: .at())
        #expect(report.records >= Self.count + 1)
        #expect(try aside.password("late.example", "ann") == "late" && aside.password("d7.example", "ann") == "p7")
        let apps = try aside.readers.releases.page(before: nil, limit: 99).elements.map(\.release.app)
        #expect(apps.count == 21 && apps.first == "org.example.Late")
        let kept = try #require(report.replaced)
        #expect(FileManager.default.fileExists(atPath: kept))
        #expect(try !FileManager.default.contentsOfDirectory(atPath: killed.vaultPath).contains("salvage"))
        aside.close()
        #expect(try Vault.open(killed.vault, seed: 6).unlock(.key()).findings.isEmpty)
    }

    @Test(
        "Of a backup with a damaged record all others are recovered into a new file, the damaged one is reported and kept"
    )
    func backup() throws {
        let home = try TemporaryDirectory()
        let vault = try Vault.unlocked(directory.vault, seed: 4)
        let backup = home.path + "/b.sqlite"
        _ = try vault.backups.make(at: backup, at: .at())
        let damagedID = try #require(try vault.readers.credentials.get(for: .domain("d5.example"), user: "ann")).id
        try Tampering.execute(
            "UPDATE record SET sealed = zeroblob(length(sealed)) WHERE id = \(Tampering.literal(damagedID))", on: backup
        )
        let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
        #expect(failure { _ = try vault.restore(from: backup, with: outcome) } == .backupDamaged)
        let target = home.path + "/had-back.sqlite"
        let report = try vault.salvage(from: backup, with: outcome, to: target, at: .at())
        #expect(report.findings == [.altered(damagedID)] && report.quarantined == 1 && report.replaced == nil)
        #expect(try vault.password("d5.example", "ann") == "p5", "the vault itself is left alone")
        let again = failure { _ = try vault.salvage(from: backup, with: outcome, to: target, at: .at()) }
        #expect(again == .fileExists(path: target))
        // A folder that is not there, and the one that a salvage makes for itself and removes.
        for folder in [home.path + "/none", directory.vaultPath + "/salvage"] {
            let inside = folder + "/b.sqlite"
            let refused = failure { _ = try vault.salvage(from: backup, with: outcome, to: inside, at: .at()) }
            #expect(refused == .absent(path: inside))
        }
        // Also where there is no vault.
        let nowhere = try TemporaryDirectory()
        let other = try Vault.open(nowhere.vault, seed: 8)
        let restored = try other.restore(from: target, with: outcome)
        #expect(restored.records >= Self.count - 1)
        #expect(try other.password("d6.example", "ann") == "p6" && other.password("d5.example", "ann") == nil)
    }

    @Test("What is in quarantine is listed, and can be restored where it opens and nothing has replaced it")
    func quarantine() throws {
        let copy = directory.path + "/copy.sqlite"
        try bytes.write(to: URL(fileURLWithPath: copy))
        let vault = try Vault.unlocked(directory.vault, seed: 4)
        let id = try #require(try vault.readers.credentials.get(for: .domain("d5.example"), user: "ann")).id
        _ = try vault.writers.credentials.delete(id, at: .at())
        _ = try vault.purge(at: .at(vault.limits.recoverableMilliseconds))
        vault.close()
        try Tampering.execute(
            """
            ATTACH '\(copy)' AS old;
            INSERT INTO record (id, lookup, version, sealed)
              SELECT id, lookup, version, sealed FROM old.record WHERE id = \(Tampering.literal(id));
            DETACH old;
            """, on: directory.database)
        let again = try Vault.unlocked(directory.vault, seed: 5)
        _ = try again.repair(at: .at())
        let entry = try #require(try Quarantine(of: again).list().first)
        #expect(entry.row == .record(id, "unexpected", 1) && entry.title == "ann at d5.example")
        #expect(try again.password("d5.example", "ann") == nil)
        try again.writers.credentials.save("d5.example", "ann", "other")
        #expect(failure { _ = try Quarantine(of: again).restore(entry.number) } != nil, "another has its place")
        _ = try again.writers.credentials.delete(
            #require(try again.readers.credentials.get(for: .domain("d5.example"), user: "ann")).id, at: .at())
        #expect(try Quarantine(of: again).restore(entry.number) == id)
        #expect(try again.password("d5.example", "ann") == "p5")
        #expect(
            try Quarantine(of: again).list().isEmpty && Quarantine(of: again).restore(entry.number) == nil
                && again.check().isIntact)
    }
}
