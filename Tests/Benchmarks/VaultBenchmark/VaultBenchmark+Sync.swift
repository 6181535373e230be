// SPDX-License-Identifier: Apache-2.0
import BenchmarkSupport
import CredentialStorage
import Credentials
import Foundation
import Glibc
import SecretMemory
import SyncFiles

/// The figures of the issue on sync: two machines and a folder, at sizes from 100 to 10,000, in the long form to 100,000.
extension VaultBenchmark {
    func sync() throws {
        for size in isLong ? [100, 1_000, 10_000, 100_000] : [100, 1_000, 10_000] {
            print("sync among \(size):")
            try sync(size)
        }
        try foreignFiles()
    }

    private func sync(_ size: Int) throws {
        let root = directory + "/sync-\(size)"
        let plain = try vault(of: size, at: root + "/plain")
        let group = try SyncedGroup()
        func machine(_ name: String, _ keys: KeyPairs, _ size: Int) throws -> SyncedMachine {
            try SyncedMachine(
                try vault(of: size, at: "\(root)/\(name)"), keys, in: group, spool: "\(root)/\(name)-spool",
                folder: root + "/folder")
        }
        let first = try machine("first", group.first, size), second = try machine("second", group.second, 0)
        try checks(of: plain)
        try begin(first, second, size)
        try saves(plain, first, size)
        for vault in [plain, first.vault] { try unlock(vault, size) }
        try changes(first, second, size)
        try written(first, size)
    }

    // MARK: - Parts

    /// What the end of a turn asks of a vault without sync.
    private func checks(of plain: Vault) throws {
        let count = 100_000, clock = ContinuousClock(), start = clock.now
        var isDue = 0
        for _ in 0..<count where try plain.sync.isStarted { isDue += 1 }
        figure("the check of a turn without sync", (clock.now - start) / .nanoseconds(count), "ns", atMost: 1_000)
    }

    private func begin(_ first: SyncedMachine, _ second: SyncedMachine, _ size: Int) throws {
        figure("start sync", try seconds { try first.start(at: now) }, "s")
        figure("write the first snapshot", try seconds { try first.publish(at: now) }, "s")
        let bytes = first.files().filter { $0.key.hasSuffix(".snap") }.values.reduce(0, +)
        figure("size of the snapshot", Double(bytes) / 1e6, "MB", atMost: size == 10_000 ? 4 : nil)
        try second.start(at: now)
        try first.carry(at: now)
        try second.carry(at: now)
        var longest = 0.0, count = 0
        let duration = try seconds { count = try second.mergeArrived(at: now, longest: &longest) }
        guard count == size else { throw BenchmarkFailure.nothingMerged }
        figure("first merge by a newcomer", duration, "s", atMost: size == 10_000 ? 5 : nil)
        figure("first merge: the longest piece of work", longest * 1000, "ms")
    }

    /// Saves with and without sync, one after the other.
    private func saves(_ plain: Vault, _ first: SyncedMachine, _ size: Int) throws {
        var inserts = [Timing(), Timing()]
        var updates = [Timing(), Timing()], stamps = Timing()
        // What does not depend on the disk: processor time in microseconds, for new ones and for changes.
        var processor = [[0.0, 0.0], [0.0, 0.0]]
        let entropy = SystemEntropy()
        for round in 0..<41 {
            for number in 0..<25 {
                let text = "p\(entropy.next() as UInt64)"
                let (new, old) = (size + round * 25 + number, Int.random(in: 0..<size))
                for (index, vault) in [plain, first.vault].enumerated() {
                    for (service, isNew) in [(new, true), (old, false)] {
                        let draft = draft(service, text)
                        var timing = Timing()
                        let before = processorTime
                        try timing.measure { _ = try vault.writers.credentials.save(draft, at: now) }
                        guard round > 0 else { continue }
                        processor[isNew ? 0 : 1][index] += (processorTime - before) / 1000
                        if isNew { inserts[index].add(timing.median) } else { updates[index].add(timing.median) }
                    }
                }
            }
            let stamping = try seconds { while try first.sync.stampNext(at: now) {} }
            if round > 0 { stamps.add(stamping * 1e6 / 50) }
            try first.publish(at: now)
        }
        stamps.describe("stamp one of 50 saves, after them")
        for (number, (name, timings)) in [("save a new credential", inserts), ("change a credential", updates)]
            .enumerated()
        {
            timings[0].describe(name + " without sync")
            timings[1].describe(name + " with sync")
            figure(name + ": with ÷ without", timings[1].median / timings[0].median, "×", atMost: 1.15)
            figure(name + ": processor time without sync", processor[number][0], "µs")
            figure(name + ": processor time with sync", processor[number][1], "µs")
        }
    }

    /// One change after the other, each in a file of its own.
    private func changes(_ first: SyncedMachine, _ second: SyncedMachine, _ size: Int) throws {
        var seal = Timing(), tidy = Timing(), merge = Timing(), rounds = Timing(), bytes = Timing()
        try first.carry(at: now)
        try second.carry(at: now)
        var longest = 0.0
        try second.mergeArrived(at: now, longest: &longest)
        for number in 0..<200 {
            _ = try first.vault.writers.credentials.save(
                draft(Int.random(in: 0..<size), "changed \(number)"), at: now)
            try seal.measure {
                try first.sync.sealChanges(at: now)
                try first.sync.publish(to: first.spool)
            }
            let last = first.files().filter { $0.key.hasSuffix(".delta") }.max { $0.key < $1.key }
            bytes.add(Double(last?.value ?? 0))
            try rounds.measure { try first.carry(at: now) }
            try second.carry(at: now)
            var count = 0
            try merge.measure { count = try second.mergeArrived(at: now, longest: &longest) }
            guard count == 1 else { throw BenchmarkFailure.nothingMerged }
            try tidy.measure { try first.sync.tidy(first.spool, at: now) }
            try first.carry(at: now)
            try second.carry(at: now)
            // What was joined, or a snapshot, has nothing new.
            try second.mergeArrived(at: now, longest: &longest)
        }
        seal.describe("seal one change, and put its file out")
        tidy.describe("tidy after it")
        merge.describe("merge one such file on the other machine")
        rounds.describe("a round of the carrier with one file")
        figure("seal one change, and put its file out", seal.median / 1000, "ms")
        figure("merge one such file", merge.median / 1000, "ms", atMost: 2_000)
        figure("bytes of a file with one change, greatest", bytes.samples.max() ?? 0, "bytes", atMost: 1_024)
    }

    /// What is written to the folder over many changes.
    private func written(_ first: SyncedMachine, _ size: Int) throws {
        let count = isLong && size <= 10_000 ? 10_000 : 1_000
        var present = first.files(), changed = 0, total = 0, mostFiles = 0, mostBytes = 0, snapshots = 0
        let before = try processBytes()
        let duration = try seconds {
            for number in 0..<count {
                _ = try first.vault.writers.credentials.save(
                    draft(Int.random(in: 0..<size), "again \(number)"), at: now)
                try first.sync.sealChanges(at: now)
                try first.sync.publish(to: first.spool)
                let sealed = first.files()
                changed += sealed.filter { present[$0.key] == nil }.values.reduce(0, +)
                try first.sync.tidy(first.spool, at: now)
                let tidied = first.files(), new = tidied.filter { sealed[$0.key] == nil }
                total += new.values.reduce(0, +)
                snapshots += new.keys.filter { $0.hasSuffix(".snap") }.count
                (mostFiles, mostBytes) = (max(mostFiles, tidied.count), max(mostBytes, tidied.values.reduce(0, +)))
                present = tidied
            }
        }
        let ratio = Double(changed + total) / Double(changed)
        figure("written per change ÷ its size, over \(count)", ratio, "×", atMost: 6)
        figure("snapshots among them", Double(snapshots), "")
        figure(
            "written to the disk per change, vault included", Double(try processBytes() - before) / Double(count),
            "bytes")
        figure("a change, its file and tidying", duration / Double(count) * 1000, "ms")
        figure("most files of the machine", Double(mostFiles), "", atMost: size == 10_000 ? 80 : nil)
        figure("most bytes of the machine", Double(mostBytes) / 1e6, "MB", atMost: size == 10_000 ? 8 : nil)
    }

    // MARK: - Helpers

    private func draft(_ number: Int, _ password: String) -> CredentialDraft {
        CredentialDraft(
            service: service(number), user: "ann@example.org", password: SecretBytes(utf8: password), writer: writer)
    }

    private func seconds(_ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock(), start = clock.now
        try body()
        return (clock.now - start) / .seconds(1)
    }

    /// Of this process, in microseconds.
    private var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1000
    }

    /// What this process has written with system calls.
    private func processBytes() throws -> Int {
        let lines = try String(contentsOfFile: "/proc/self/io", encoding: .utf8).split(separator: "\n")
        return lines.first { $0.hasPrefix("wchar:") }.flatMap { Int($0.dropFirst(7)) } ?? 0
    }

    func figure(_ name: String, _ value: Double, _ unit: String, atMost limit: Double? = nil) {
        let padded = name + String(repeating: " ", count: max(0, 52 - name.count))
        let judged = limit.map { "   ≤ \(Timing.text($0)) " + (value <= $0 ? "holds" : "MISSED") } ?? ""
        print("\(padded) \(Timing.text(value)) \(unit)\(judged)")
    }
}
