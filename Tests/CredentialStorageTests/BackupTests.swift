// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

@Suite("Backups, restore and rekey")
struct BackupTests {
    @Test("A vault in a folder of any name is copied, read back and restored")
    func foldersOfAnyName() throws {
        let directory = try TemporaryDirectory()
        let names = ["a b", "50%25", "q?x=1#y", "\u{E9}\u{1F511}", "a;b&c"]
        for home in names.map({ directory.path + "/" + $0 }) + ["/" + directory.path + "/two slashes"] {
            let vault = try Vault.new(.directory(home))
            try vault.writers.credentials.save("shop.example", "ann", "p")
            let report = try vault.backups.make(at: home + "/copy.sqlite", at: .at())
            #expect(report.records == 1 && report.findings.isEmpty)
            let outcome = try vault.restoreAttempt(from: home + "/copy.sqlite", secret: .key()).derive()
            #expect(try vault.restore(from: home + "/copy.sqlite", with: outcome).records == 1)
        }
    }

    @Test("A backup is 0600, holds all, is opened by the same secrets, and is never written over a file")
    func backup() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        for number in 0..<20 { try vault.writers.credentials.save("d\(number).example", "ann", "p\(number)") }
        try vault.releases.append(.test(1))
        let path = directory.path + "/backup file?.sqlite"
        let report = try vault.backups.make(at: path, at: .at(5))
        #expect(report.records == 20)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600 && Int(status.st_size) == report.length)
        #expect(failure { _ = try vault.backups.make(at: path, at: .at(6)) } == .fileExists(path: path))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == [
                "backup file?.sqlite", "data",
            ])

        try FileManager.default.createDirectory(atPath: directory.path + "/other", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: path, toPath: directory.path + "/other/vault.sqlite")
        let copy = try Vault.unlocked(.directory(directory.path + "/other"))
        // It was put there by hand; nothing states how new it is.
        #expect(try copy.repair(at: .at(), takesOlder: true).findings == [.unmarked])
        #expect(try copy.password("d7.example", "ann") == "p7")
        #expect(try copy.readers.releases.page(before: nil, limit: 9).elements.count == 1)
        #expect(try copy.check().isIntact)
    }

    @Test("A file in which the slots are a view without end is read neither as a backup nor as a damaged one")
    func endless() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let path = directory.path + "/backup.sqlite"
        _ = try vault.backups.make(at: path, at: .at())
        let columns = ["id", "kind", "salt", "cost", "wrapped", "checksum", "note", "failures"]
        try Tampering.execute("DROP TABLE slot", on: path)
        try Tampering.execute(
            "CREATE VIEW slot AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT "
                + columns.map { "i AS \($0)" }.joined(separator: ", ") + " FROM n", on: path)
        let read = failure {
            _ = try VaultSnapshot.read(path) { snapshot throws(VaultError) in try snapshot.slots() }
        }
        #expect(read == .damaged("schema"))
        _ = try DatabasePages(of: path).slots()
    }

    @Test("A frozen vault is copied and checked as it was while saves go on; thousands of them wait in the log")
    func frozen() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.insert(Credential.many(200))
        try vault.releases.append(.test(1))
        let frozen = try #require(try vault.freeze())
        let before = try Data(contentsOf: URL(fileURLWithPath: directory.database))
        // More than the thousand pages above which the log is to be written back else.
        for number in 0..<500 { try vault.writers.credentials.save("new-\(number).example", "ann", "q\(number)") }
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.database)) == before)
        #expect(!vault.mustWriteBack)
        let checked = try frozen.check(VaultProgress())
        #expect(checked.isIntact && checked.records == 200 && checked.releases == 1)
        let report = try frozen.copy(to: directory.path + "/b.sqlite", VaultProgress())
        #expect(report.records == 200)
        vault.thaw()
        #expect(failure { _ = try frozen.check(VaultProgress()) } == .rekeying)
        try vault.writers.credentials.save("last.example", "ann", "last")
        #expect(try vault.check().isIntact && vault.counts?.credentials == 701)
        #expect(vault.mustWriteBack)
        try vault.writeBack()
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.database)) != before)
        vault.close()
        let again = try Vault.unlocked(directory.vault)
        #expect(try again.password("new-499.example", "ann") == "q499" && again.check().isIntact)
    }

    @Test("What has to write to a frozen vault's file does so, and what was seen of it does not count")
    func givenUp() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.insert(Credential.many(200))
        let frozen = try #require(try vault.freeze())
        try vault.writers.credentials.save("new.example", "ann", "p")
        vault.close()
        let path = directory.path + "/b.sqlite"
        #expect(failure { _ = try frozen.copy(to: path, VaultProgress()) } == .rekeying)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["data"])
    }

    /// attacks.md, the vault, 12
    @Test("The next backup removes an unfinished one of a killed daemon, and no other program's file")
    func stale() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let folder = directory.path + "/mine"
        for folder in [folder, directory.vaultPath + "/backups"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let ours = ".autofilld-0123456789abcdef.partial"
        let others = [
            ".autofilld-0123456789abcdeF.partial", ".autofilld-123.partial", "film.mkv.partial",
            "vault.sqlite.1x8c7.partial",
        ]
        for name in others + [ours] { try Data().write(to: URL(fileURLWithPath: folder + "/" + name)) }
        try Data().write(to: URL(fileURLWithPath: directory.vaultPath + "/backups/" + ours))
        // One that was written to lately may be another daemon's.
        _ = try vault.backups.make(at: folder + "/1", at: .at())
        #expect(FileManager.default.fileExists(atPath: folder + "/" + ours))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: folder + "/" + ours)
        _ = try vault.backups.make(at: folder + "/2", at: .at())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == (others + ["1", "2"]).sorted())
        _ = try vault.backups.makeIfDue(keeping: 2, at: .at())
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.vaultPath + "/backups") == ["vault-1.sqlite"])
    }

    @Test("A locked vault is backed up too, compared row by row")
    func lockedBackup() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        vault.lock()
        let report = try vault.backups.make(at: directory.path + "/b.sqlite", at: .at())
        #expect(report.records == nil && report.length > 0)
    }

    @Test("Automatic backups are made once a day, and the oldest go")
    func automatic() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let day: Int64 = 86_400_000
        var made: [String] = []
        for hour in 0..<96 {
            try vault.writers.credentials.save("shop.example", "ann", "p\(hour)")
            if let report = try vault.backups.makeIfDue(keeping: 2, at: .at(Int64(hour) * day / 24)) {
                made.append(report.path)
            }
        }
        #expect(made.count == 4)
        #expect(vault.backups.automatic == Array(made.suffix(2)))
        #expect(made.allSatisfy { $0.hasPrefix(directory.vaultPath + "/backups/") })
        #expect(try vault.backups.makeIfDue(keeping: 0, at: .at(1000 * day)) == nil)
    }

    @Test("Imports of one day displace no backup of another, and a file that the user put there is none")
    func importsOfADay() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let day: Int64 = 86_400_000
        var (daily, imported): ([String], [String]) = ([], [])
        for number: Int64 in 0..<3 {
            daily.append(try #require(try vault.backups.makeIfDue(keeping: 3, at: .at(number * day))).path)
        }
        let own = directory.vaultPath + "/backups/vault-99.mine.sqlite"
        try Data().write(to: URL(fileURLWithPath: own))
        for number: Int64 in 1...7 {
            let path = try #require(try vault.backups.freshPath())
            imported.append(try vault.backups.make(at: path, at: .at(2 * day + number)).path)
        }
        let next = try #require(try vault.backups.makeIfDue(keeping: 3, at: .at(3 * day + 7))).path
        // The last import is a day before the newest one; the daily one right before the imports is of its day.
        #expect(vault.backups.automatic == Array(daily[1...]) + imported + [next])
        let last = try #require(try vault.backups.makeIfDue(keeping: 3, at: .at(4 * day + 7))).path
        #expect(vault.backups.automatic == Array(daily[2...]) + imported + [next, last])
        _ = try vault.backups.makeIfDue(keeping: 3, at: .at(5 * day + 7))
        #expect(vault.backups.automatic.count == 3 && FileManager.default.fileExists(atPath: own))
    }

    @Test("One that is not on record has the date of its file, and dates that no clock shows do no harm")
    func undated() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let folder = directory.vaultPath + "/backups"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for number in 1...3 {
            let path = folder + "/vault-\(number).sqlite"
            try Data().write(to: URL(fileURLWithPath: path))
            let seconds = Double(Timestamp.at(Int64(number)).milliseconds) / 1000
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path)
        }
        try vault.backups.note(folder + "/vault-0.sqlite", at: Timestamp(milliseconds: .min + 1))
        #expect(try vault.backups.makeIfDue(keeping: 2, at: .at(2 * 86_400_000)) != nil)
        #expect(vault.backups.automatic.count == 4)
    }

    @Test("One that was made under a clock that was ahead makes no others due each hour")
    func clockAhead() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let day: Int64 = 86_400_000
        #expect(try vault.backups.makeIfDue(keeping: 7, at: .at(1000 * day)) != nil)
        let made = try (0..<48).filter { try vault.backups.makeIfDue(keeping: 7, at: .at($0 * day / 24)) != nil }
        #expect(made == [0, 24])
    }

    @Test("Changing a slot's secret names the backups that the old one still opens")
    func staleBackups() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let manual = directory.path + "/manual.sqlite"
        _ = try vault.backups.make(at: manual, at: .at())
        let automatic = try #require(try vault.backups.makeIfDue(keeping: 3, at: .at(1)))
        let stale = try vault.slots.change(1, to: .test(.key(9), seed: 2), at: .at(2))
        #expect(Set(stale.found) == [manual, automatic.path])
        #expect(try vault.slots.change(1, to: .test(.key(10), seed: 3), at: .at(3)).found.isEmpty)
    }

    @Test("A restored backup replaces the vault, which is kept")
    func restore() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let saved = try vault.writers.credentials.save("shop.example", "ann", "former")
        let backup = directory.path + "/b.sqlite"
        _ = try vault.backups.make(at: backup, at: .at())
        try vault.writers.credentials.save("shop.example", "ann", "present")
        _ = try vault.slots.change(1, to: .test(.key(9)), at: .at())
        let wrong = try vault.restoreAttempt(from: backup, secret: .key(9)).derive()
        #expect(
            failure { _ = try vault.restore(from: backup, with: wrong) }
                == .wrongSecret(retryAfterMilliseconds: 0))
        let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
        let report = try vault.restore(from: backup, with: outcome)
        #expect(report.records == 1)
        #expect(try vault.readers.credentials.get(saved.id)?.password.text == "former")
        try vault.writers.credentials.save("shop.example", "ann", "later")
        vault.close()

        let kept = try #require(report.replaced)
        try FileManager.default.createDirectory(atPath: directory.path + "/other", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: kept, toPath: directory.path + "/other/vault.sqlite")
        let before = try Vault.unlocked(.directory(directory.path + "/other"), secret: .key(9))
        #expect(try before.repair(at: .at(), takesOlder: true).findings == [.unmarked])
        #expect(try before.password("shop.example", "ann") == "present")
        #expect(try Vault.unlocked(directory.vault).password("shop.example", "ann") == "later")
    }

    @Test("A backup is restored where there is no vault")
    func restoreIntoNothing() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        let backup = directory.path + "/b.sqlite"
        _ = try vault.backups.make(at: backup, at: .at())
        let elsewhere = try Vault.open(.directory(directory.path + "/new/place"))
        let outcome = try elsewhere.restoreAttempt(from: backup, secret: .key()).derive()
        #expect(try elsewhere.restore(from: backup, with: outcome).replaced == nil)
        #expect(try elsewhere.password("shop.example", "ann") == "p")
    }

    @Test("A restored backup replaces a vault that cannot be opened, which is kept")
    func restoreOverDamaged() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        let backup = directory.path + "/b.sqlite"
        _ = try vault.backups.make(at: backup, at: .at())
        vault.close()
        let garbage = Data(repeating: 0x55, count: 8192)
        try garbage.write(to: URL(fileURLWithPath: directory.database))
        #expect(failure { _ = try Vault.open(directory.vault) } == .notAVault(path: directory.database))
        let repaired = try Vault(at: directory.vault, program: "tests", opensVault: false)
        let outcome = try repaired.restoreAttempt(from: backup, secret: .key()).derive()
        let report = try repaired.restore(from: backup, with: outcome)
        #expect(try repaired.password("shop.example", "ann") == "p")
        #expect(FileManager.default.contents(atPath: try #require(report.replaced)) == garbage)
    }

    @Test("A corrupt backup is refused, and the vault stays as it is")
    func restoreDamaged() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        let backup = directory.path + "/b.sqlite"
        _ = try vault.backups.make(at: backup, at: .at())
        try Tampering.execute("DELETE FROM record WHERE substr(id, 1, 1) = x'01'", on: backup)
        let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
        #expect(failure { _ = try vault.restore(from: backup, with: outcome) } == .backupDamaged)
        #expect(vault.state == .unlocked)
        #expect(try vault.password("shop.example", "ann") == "p")
        try vault.writers.credentials.save("shop.example", "ann", "q")
        #expect(!FileManager.default.fileExists(atPath: directory.vaultPath + "/vault.sqlite.new"))
    }

    @Test("A restore that fails while it puts the vault aside leaves it where it was, and it opens again")
    func restoreFailing() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "former")
        let backup = directory.path + "/b.sqlite"
        _ = try vault.backups.make(at: backup, at: .at())
        try vault.writers.credentials.save("shop.example", "ann", "present")
        // A file where the folder would be.
        let folder = directory.vaultPath + "/replaced"
        try Data().write(to: URL(fileURLWithPath: folder))
        let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
        #expect(failure { _ = try vault.restore(from: backup, with: outcome) } != nil)
        #expect(vault.state == .locked)
        #expect(!FileManager.default.fileExists(atPath: directory.database + ".new"))
        try vault.unlock(.key())
        #expect(try vault.password("shop.example", "ann") == "present")
        try vault.writers.credentials.save("shop.example", "ann", "later")
        try FileManager.default.removeItem(atPath: folder)
        let again = try vault.restoreAttempt(from: backup, secret: .key()).derive()
        _ = try vault.restore(from: backup, with: again)
        #expect(try vault.password("shop.example", "ann") == "former")
    }

    @Test("A vault that was moved away is moved back complete, unless another vault has replaced it")
    func putBack() throws {
        let home = try TemporaryDirectory()
        let directory = VaultDirectory(path: home.path)
        let files = [directory.database: "vault", directory.database + "-wal": "log", directory.releaseLog: "releases"]
        for (path, content) in files { try Data(content.utf8).write(to: URL(fileURLWithPath: path)) }
        for _ in 0..<2 {
            let kept = try directory.putAside(directory.database)
            try directory.rename(directory.releaseLog, to: VaultDirectory.releaseLog(of: kept))
            try directory.putBack(kept)
            for (path, content) in files { #expect(try String(contentsOfFile: path, encoding: .utf8) == content) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.replaced).isEmpty)
        }
        let kept = try directory.putAside(directory.database)
        try Data("new".utf8).write(to: URL(fileURLWithPath: directory.draft))
        try directory.rename(directory.draft, to: directory.database)
        try directory.putBack(kept)
        #expect(try String(contentsOfFile: directory.database, encoding: .utf8) == "new")
        #expect(try String(contentsOfFile: kept, encoding: .utf8) == "vault")
    }

    @Test("A backup's name with a number that nobody counted to stops no backup")
    func numbers() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let folder = directory.vaultPath + "/backups"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for number in ["\(Int.max)", "-1", "\(1 << 53)", "\(UInt64.max)"] {
            try Data().write(to: URL(fileURLWithPath: "\(folder)/vault-\(number).sqlite"))
        }
        let made = try vault.backups.makeIfDue(keeping: 3, at: .at())
        #expect(made?.path == folder + "/vault-1.sqlite")
        #expect(vault.backups.automatic == [folder + "/vault-1.sqlite"])
    }

    @Test("What is no plain file is no backup, and is not waited for")
    func noPlainFile() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let (queue, link, backup) = (directory.path + "/fifo", directory.path + "/link", directory.path + "/b.sqlite")
        try #require(mkfifo(queue, 0o600) == 0)
        // With a writer there, an attempt to read it ends.
        let writer = open(queue, O_RDWR | O_NONBLOCK)
        defer { close(writer) }
        _ = try vault.backups.make(at: backup, at: .at())
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: backup)
        for path in [queue, link, directory.path] {
            #expect(
                failure { _ = try vault.restoreAttempt(from: path, secret: .key()) } == .failed(code: EINVAL), "\(path)"
            )
        }
        // A backup that was moved since is still named.
        try FileManager.default.removeItem(atPath: backup)
        try #require(mkfifo(backup, 0o600) == 0)
        #expect(try vault.slots.change(1, to: .test(.key(9), seed: 2), at: .at(2)).found.isEmpty)
    }

    @Test("Rekey shuts out the old key and the old slots, and loses nothing")
    func rekey() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let credentials = Credential.many(1200)
        try vault.writers.credentials.insert(credentials)
        try vault.writers.offers.insert(Offer.test(1))
        try vault.writers.settings.set("setting", to: SecretBytes(utf8: "value"), at: .at())
        for number in 1...3 { try vault.releases.append(.test(Int64(number))) }
        let stale = try vault.slots.attempt(.key(), at: .at()).derive()
        let progress = VaultProgress()
        try vault.rekey([.test(.key(40)), .test(.key(41))], at: .at(), progress)
        #expect(progress.count.done == 1202 && progress.count.all == 1202)
        #expect(try vault.check().isIntact)
        #expect(try vault.slots.list().map(\.id) == [2, 3])
        #expect(failure { _ = try vault.slots.verify(stale, at: .at()) } == .noSuchSlot)
        #expect(try vault.readers.credentials.get(credentials[77].id)?.password.text == "p77")
        #expect(try vault.password("d78.example", "ann") == "p78")
        #expect(
            try vault.readers.offers.pending(for: .shop, service: .domain("shop.example"), form: "form", at: .at())
                != nil)
        #expect(try vault.readers.settings.get("setting")?.text == "value")
        #expect(try vault.readers.releases.page(before: nil, limit: 9).elements.map(\.number) == [3, 2, 1])
        try vault.releases.append(.test(4))
        vault.close()
        let again = try Vault.open(directory.vault, seed: 3)
        #expect(failure { try again.unlock(.key()) } == .wrongSecret(retryAfterMilliseconds: 250))
        #expect(try again.unlock(.key(41), at: .at(300)).findings.isEmpty)
        #expect(try again.check().isIntact && again.check().releases == 4)
    }

    @Test("A corrupt vault is not rekeyed, and stays as it was")
    func rekeyDamaged() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let saved = try vault.writers.credentials.save("shop.example", "ann", "p")
        try vault.writers.credentials.save("else.example", "ann", "q")
        vault.close()
        try Tampering.execute("DELETE FROM record WHERE id = \(Tampering.literal(saved.id))", on: directory.database)
        let again = try Vault.unlocked(directory.vault)
        #expect(failure { try again.rekey([.test(.key(9))], at: .at()) } == .damaged("vault"))
        #expect(try again.password("else.example", "ann") == "q")
        #expect(try again.slots.list().map(\.id) == [1])
    }
}
