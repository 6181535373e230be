// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// What is answered is what is: whatever write or sync finds a full disk, and wherever the process is killed.
/// 12 rounds of each; 200 with AUTOFILL_FULL=1.
///
/// attacks.md, the vault, 1
@Suite("Rounds of faults", .serialized)
struct FaultRoundTests {
    @Test(
        "Restore, rekey, create, backup, slot change, repair, lock and save: all is done, or nothing is",
        .timeLimit(.minutes(20)))
    func rounds() throws {
        let folder = try TemporaryDirectory()
        let library = try FaultLibrary.build(in: folder.path)
        let (status, output) = try runInOwnProcess(
            "FaultRoundsChild", "AUTOFILL_FAULT_ROUNDS_CHILD",
            environment: ["LD_PRELOAD": library, "SWIFT_BACKTRACE": "enable=no"])
        #expect(status == 0, "\(output.suffix(8000))")
    }
}

/// What runs in a process whose writes and syncs can be made to fail.
@Suite(.enabled(if: getenv("AUTOFILL_FAULT_ROUNDS_CHILD") != nil, "runs within another test"), .serialized)
struct FaultRoundsChild {
    private static let rounds = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1" ? 200 : 12

    enum Operation: CaseIterable { case restore, rekey, create, backup, slotChange, repair, lock, save }

    private let library: FaultLibrary
    /// A closed vault, a backup of it as it was before, and the same with a damaged record.
    private let sound, damaged: TemporaryDirectory
    private let backup: String
    private static let names = ["backups", "replaced", "vault.lock", "vault.releases", "vault.sqlite"]

    init() throws {
        library = try #require(FaultLibrary())
        let (sound, damaged) = (try TemporaryDirectory(), try TemporaryDirectory())
        let backup = sound.path + "/former.sqlite"
        let made = library.inChild { _ in
            let vault = try Vault.new(sound.vault)
            try vault.writers.credentials.save("shop.example", "ann", "former")
            let id = try vault.writers.credentials.save("lost.example", "ann", "lost").id
            _ = try vault.backups.make(at: backup, at: .at())
            try vault.writers.credentials.save("shop.example", "ann", "present")
            try vault.releases.append(.test(1))
            try vault.releases.commit()
            vault.close()
            try Tampering.copyFiles(from: sound.vaultPath, to: damaged)
            try Tampering.execute(
                "UPDATE record SET sealed = zeroblob(length(sealed)) WHERE id = \(Tampering.literal(id))",
                on: damaged.database)
            return 0
        }
        try #require(made == 0)
        (self.sound, self.damaged, self.backup) = (sound, damaged, backup)
    }

    /// A vault to work on, and a folder of its own.
    private func begin(_ operation: Operation) throws -> TemporaryDirectory {
        let home = try TemporaryDirectory()
        if operation != .create {
            try Tampering.copyFiles(from: (operation == .repair ? damaged : sound).vaultPath, to: home)
        }
        return home
    }

    private func opened(_ operation: Operation, _ home: TemporaryDirectory) throws -> Vault {
        let vault = try Vault.open(home.vault, seed: 3)
        if operation != .create { try vault.unlock(.key()) }
        return vault
    }

    /// What is answered without an error when it returns.
    private func perform(_ operation: Operation, _ vault: Vault, _ home: TemporaryDirectory) throws {
        switch operation {
        case .restore:
            let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
            _ = try vault.restore(from: backup, with: outcome)
        case .rekey: try vault.rekey([.test(.key(9), seed: 9)], at: .at(1))
        case .create: try vault.create([.test()], at: .at(1))
        case .backup: _ = try vault.backups.make(at: home.path + "/b.sqlite", at: .at(1))
        case .slotChange: _ = try vault.slots.change(1, to: .test(.key(9), seed: 9), at: .at(1))
        case .repair: _ = try vault.repair(at: .at(1))
        case .lock: vault.lock()
        case .save: try vault.writers.credentials.save("shop.example", "ann", "newest")
        }
    }

    /// Whether it was done, by what is there; nil where it is neither done nor as before.
    private func isDone(_ operation: Operation, _ home: TemporaryDirectory) throws -> Bool? {
        let vault = try Vault.open(home.vault, seed: 5)
        defer { vault.close() }
        var clock: Int64 = 0
        func opens(_ secret: VaultSecret) -> Bool {
            if vault.state == .unlocked { vault.lock() }
            // A wrong one is waited for.
            clock += 100_000
            return failure { try vault.unlock(secret, at: .at(clock)) } == nil
        }
        func holds(_ password: String) -> Bool {
            guard let found = try? vault.password("shop.example", "ann"), found == password else { return false }
            return (try? vault.check().findings.contains { $0.isOfAge }) == false
        }
        let hasRecord = { (try? vault.readers.releases.page(before: nil, limit: 9).elements.map(\.number)) == [1] }
        switch operation {
        case .restore:
            guard opens(.key()) else { return nil }
            return holds("former") ? true : holds("present") && hasRecord() ? false : nil
        case .rekey, .slotChange:
            let (old, new) = (opens(.key()), opens(.key(9)))
            guard old != new, opens(new ? .key(9) : .key()), holds("present"), hasRecord() else { return nil }
            return new
        case .create:
            guard vault.state != .missing else {
                let left = (try? FileManager.default.contentsOfDirectory(atPath: home.vaultPath)) ?? []
                return left.allSatisfy { $0 == "vault.lock" || $0.hasPrefix("vault.sqlite.new") } ? false : nil
            }
            return opens(.key()) ? true : nil
        case .backup:
            guard opens(.key()), holds("present"), hasRecord() else { return nil }
            guard FileManager.default.fileExists(atPath: home.path + "/b.sqlite") else { return false }
            let other = try TemporaryDirectory()
            let copy = try Vault.open(other.vault, seed: 6)
            let outcome = try copy.restoreAttempt(from: home.path + "/b.sqlite", secret: .key()).derive()
            return failure { _ = try copy.restore(from: home.path + "/b.sqlite", with: outcome) } == nil
                ? true : nil
        case .repair:
            guard opens(.key()), holds("present"), hasRecord() else { return nil }
            return try vault.check().isIntact && vault.quarantined().count == 1
        case .lock: return opens(.key()) && holds("present") && hasRecord() ? true : nil
        case .save:
            guard opens(.key()), hasRecord() else { return nil }
            return holds("newest") ? true : holds("present") ? false : nil
        }
    }

    /// Whether what is there is what was answered (nil: nothing was), and nothing else is left; prints what differs.
    private func isTrue(_ answered: Bool?, _ operation: Operation, _ home: TemporaryDirectory, _ described: String)
        throws
        -> Bool
    {
        let done = try isDone(operation, home)
        let left = try leftOver(home) + (operation == .restore ? wronglyKept(home, done) : [])
        if done != nil, answered == nil || done == answered, left.isEmpty { return true }
        print("\(described): done is \(String(describing: done)), left is \(left)")
        return false
    }

    @Test("A full disk at each write and sync, one after the other", arguments: Operation.allCases)
    func fullDisk(_ operation: Operation) throws {
        var (place, staysFull, answered, refused) = (1, false, 0, 0)
        for round in 0..<Self.rounds {
            let home = try begin(operation)
            // 1: it was done, 2: the fault came, 4: not as answered.
            let status = library.inChild { _ in
                let vault = try opened(operation, home)
                let outcome = library.withFullDisk(at: place, staysFull: staysFull) {
                    try perform(operation, vault, home)
                }
                let isDone = outcome.error == nil
                let answer = outcome.error.map { "\($0)" } ?? "done"
                let described = "\(operation), \(staysFull ? "from " : "")write \(place): \(answer)"
                var isReported = outcome.error is VaultError?
                if operation == .create, (vault.state == .missing) == isDone { isReported = false }
                if operation == .lock, vault.state != .locked { isReported = false }
                vault.close()
                if try !isTrue(isDone, operation, home, described) { isReported = false }
                if !isReported { print("violated: \(described)") }
                return (isDone ? 1 : 0) | (outcome.struck ? 2 : 0) | (isReported ? 0 : 4)
            }
            let seen = try #require(status, "\(operation) ended at write \(place)")
            #expect(seen & 4 == 0 && seen != 100, "round \(round): \(operation), write \(place), stays \(staysFull)")
            if seen & 1 == 1 { answered += 1 } else { refused += 1 }
            place += Self.rounds < 100 ? 3 : 1
            if seen & 2 == 0 { (place, staysFull) = (1 + round % 3, !staysFull) }
        }
        print("full disk in \(operation): \(answered) done, \(refused) refused")
    }

    @Test(
        "A quota that is used up is reported as no space, whatever write finds it",
        arguments: [Operation.save, .rekey, .slotChange])
    func quota(_ operation: Operation) throws {
        for (staysFull, place) in [false, true].flatMap({ stays in (1...12).map { (stays, $0) } }) {
            let home = try begin(operation)
            let status = library.inChild { _ in
                let vault = try opened(operation, home)
                let outcome = library.withFullDisk(at: place, staysFull: staysFull, error: EDQUOT) {
                    try perform(operation, vault, home)
                }
                let isReported = outcome.error == nil || outcome.error as? VaultError == .storageFull
                if !isReported { print("\(operation), write \(place): \(String(describing: outcome.error))") }
                vault.close()
                return isReported ? 0 : 1
            }
            #expect(status == 0, "\(operation), \(staysFull ? "from " : "")write \(place)")
        }
    }

    @Test("A read that the disk does not answer makes no vault corrupt: a rekey fails with the disk's error")
    func readErrorInRekey() throws {
        var failed = 0
        for place in 1...40 {
            let home = try begin(.rekey)
            let status = library.inChild { _ in
                let vault = try opened(.rekey, home)
                let error = library.withReadError(at: place) { try perform(.rekey, vault, home) }
                defer { vault.close() }
                guard let error else { return 0 }
                if case .failed? = error as? VaultError { return 1 }
                print("read \(place): \(error)")
                return 2
            }
            #expect(status == 0 || status == 1, "read \(place)")
            if status == 1 { failed += 1 }
        }
        #expect(failed > 0)
    }

    /// attacks.md, the vault, 1: a disk that stays full, also for renames, left the record of releases beside the kept vault.
    @Test("A disk that is full at, and from, each single step of a restore, and a kill at each")
    func everyStepOfRestore() throws {
        for staysFull in [false, true, nil] {
            var place = 1
            while true {
                let home = try begin(.restore)
                let seen: Int32?
                if let staysFull {
                    seen = library.inChild { _ in
                        let vault = try opened(.restore, home)
                        let outcome = library.withFullDisk(at: place, staysFull: staysFull) {
                            try perform(.restore, vault, home)
                        }
                        vault.close()
                        let described =
                            "restore, \(staysFull ? "from " : "")write \(place): \(outcome.error.map { "\($0)" } ?? "done")"
                        let isReported = try isTrue(outcome.error == nil, .restore, home, described)
                        return (outcome.struck ? 2 : 0) | (isReported && outcome.error is VaultError? ? 0 : 4)
                    }
                } else {
                    let answered = library.inChild(killedAt: place) { begin in
                        let vault = try opened(.restore, home)
                        begin()
                        try perform(.restore, vault, home)
                        return 1
                    }
                    let described = "restore, killed at write \(place)"
                    let verdict = library.inChild { _ in
                        try isTrue(answered.map { $0 == 1 }, .restore, home, described) ? 0 : 4
                    }
                    seen = verdict.map { $0 | (answered == nil ? 2 : 0) }
                }
                let status = try #require(seen, "ended at write \(place)")
                #expect(status & 4 == 0 && status != 100, "write \(place), stays \(String(describing: staysFull))")
                guard status & 2 != 0 else { break }
                place += 1
            }
            #expect(place > 30)
            print(
                "steps of a restore, \(staysFull.map { $0 ? "full from then on" : "full once" } ?? "killed"): \(place - 1)"
            )
        }
    }

    @Test("A kill at each write and sync, one after the other", arguments: Operation.allCases)
    func kill(_ operation: Operation) throws {
        var (place, kills) = (1, 0)
        for round in 0..<Self.rounds {
            let home = try begin(operation)
            let answered = library.inChild(killedAt: place) { begin in
                let vault = try opened(operation, home)
                begin()
                try perform(operation, vault, home)
                return 1
            }
            let described = "\(operation), killed at write \(place): \(answered.map(String.init) ?? "killed")"
            let verdict = library.inChild { _ in
                try isTrue(answered.map { $0 == 1 }, operation, home, described) ? 1 : 0
            }
            #expect(verdict == 1, "round \(round): \(described)")
            kills += answered == nil ? 1 : 0
            place = answered == nil ? place + (Self.rounds < 100 ? 3 : 1) : 1 + round % 3
        }
        #expect(kills > 0)
        print("kills in \(operation): \(kills)")
    }

    /// What is kept of the vault before, or is missing there: all of it after a restore, and nothing without one.
    private func wronglyKept(_ home: TemporaryDirectory, _ done: Bool?) -> [String] {
        let kept = (try? FileManager.default.contentsOfDirectory(atPath: home.vaultPath + "/replaced")) ?? []
        let expected = done == true ? ["vault-1.sqlite", "vault-1.sqlite.releases"] : []
        return kept.sorted() == expected ? [] : kept.map { "replaced/" + $0 } + ["instead of \(expected)"]
    }

    /// What is there after the next start besides what Vault-format.md names, and after the next backup beside that.
    private func leftOver(_ home: TemporaryDirectory) throws -> [String] {
        guard FileManager.default.fileExists(atPath: home.database) else { return [] }
        let vault = try Vault.open(home.vault, seed: 7)
        defer { vault.close() }
        let left = try FileManager.default.contentsOfDirectory(atPath: home.vaultPath)
        _ = try vault.backups.make(at: home.path + "/later.sqlite", at: .at(3))
        let beside = try FileManager.default.contentsOfDirectory(atPath: home.path)
        return left.filter { !Self.names.contains($0) }
            + beside.filter { !["data", "b.sqlite", "later.sqlite"].contains($0) }
    }
}
