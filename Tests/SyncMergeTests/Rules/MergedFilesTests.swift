// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import Testing

/// Version vectors, and when a purge is allowed.
@Suite("Merged files")
struct MergedFilesTests {
    private let own = VaultCopy(1), other = VaultCopy(2), third = VaultCopy(3)
    private var files = MergedFiles()

    private func delta(_ range: ClosedRange<UInt64>, _ vector: VersionVector = VersionVector()) -> FileSummary {
        FileSummary(delta: range, of: other.device, vector: vector)
    }

    @Test("The vector ends before the first gap, and continues when the gap is filled")
    mutating func gaps() {
        for range: ClosedRange<UInt64> in [1...1, 3...3, 5...8, 4...4] { files.note(delta(range)) }
        #expect(files.vector[other.device] == 1)
        #expect(files.greatest(of: other.device) == 8)
        #expect(files.missing == [other.device: 8])
        files.note(delta(2...2))
        #expect(files.vector[other.device] == 8)
        #expect(files.missing.isEmpty)
    }

    @Test("A joined delta covers its whole range, and ranges that overlap do no harm")
    mutating func ranges() {
        for range: ClosedRange<UInt64> in [1...16, 10...20, 30...40, 35...50, 22...22, 21...21] {
            files.note(delta(range))
        }
        #expect(files.vector[other.device] == 22)
        files.note(delta(23...29))
        #expect(files.vector[other.device] == 50)
        for range: ClosedRange<UInt64> in [61...80, 65...70, 51...60] { files.note(delta(range)) }
        #expect(files.vector[other.device] == 80)
    }

    @Test("A snapshot covers all up to its own sequence, and what its writer had merged of others")
    mutating func snapshot() {
        let vector = VersionVector([other.device: 9, third.device: 7])
        files.note(FileSummary(snapshot: 9, of: other.device, vector: vector))
        #expect(files.vector == vector)
        files.note(delta(10...10, VersionVector([third.device: 12])))
        #expect(files.vector[third.device] == 7)
        #expect(files.missing == [third.device: 12])
        // Another one names fewer.
        files.note(FileSummary(delta: 1...1, of: own.device, vector: VersionVector([third.device: 11])))
        #expect(files.missing == [third.device: 12])
    }

    @Test("Any range of a file is accepted: zero, and the greatest numbers")
    mutating func extremes() {
        files.note(FileSummary(snapshot: 0, of: other.device, vector: VersionVector()))
        files.note(delta(.max - 1 ... .max))
        files.note(delta(2...UInt64.max - 3))
        files.note(delta(0...1))
        #expect(files.vector[other.device] == UInt64.max - 3)
        files.note(delta(UInt64.max - 2...UInt64.max - 2))
        #expect(files.vector[other.device] == UInt64.max)
    }

    @Test("What a device has shown is what its last file without a gap before it states")
    mutating func shown() {
        files.note(delta(1...1, VersionVector([own.device: 1])))
        files.note(delta(3...3, VersionVector([own.device: 3])))
        #expect(files.shown(by: other.device)[own.device] == 1)
        files.note(delta(2...2, VersionVector([own.device: 2])))
        #expect(files.shown(by: other.device)[own.device] == 3)
        #expect(files.shown(by: third.device) == VersionVector())
    }

    @Test("A purge waits until every member has shown that it knows the deletion, or a year")
    mutating func purge() {
        own.save(id(1), "a")
        own.change { $0.delete(id(1)) }
        let others = [other.device, third.device]
        func mayPurge(_ files: MergedFiles, for time: Int64 = 0) -> Bool {
            files.mayPurge([id(1)], of: own.state, others: others, deletedFor: time)
        }
        #expect(!mayPurge(files))
        files.note(delta(1...1, VersionVector([own.device: 2])))
        #expect(!mayPurge(files))
        // It knows the save, and not the deletion.
        files.note(FileSummary(delta: 1...1, of: third.device, vector: VersionVector([own.device: 1])))
        #expect(!mayPurge(files))
        // A file beyond a gap: what it had written before may be what the deletion has not seen.
        files.note(FileSummary(delta: 3...3, of: third.device, vector: VersionVector([own.device: 2])))
        #expect(!mayPurge(files))
        #expect(!mayPurge(files, for: MergedFiles.longestWaitMilliseconds - 1))
        #expect(mayPurge(files, for: MergedFiles.longestWaitMilliseconds))
        files.note(FileSummary(delta: 2...2, of: third.device, vector: VersionVector([own.device: 2])))
        #expect(mayPurge(files))
    }

    @Test("A living record is never purged")
    func living() {
        own.save(id(1), "a")
        #expect(!files.mayPurge([id(1)], of: own.state, others: [], deletedFor: .max))
    }

    @Test("A snapshot covers all up to its own sequence, whatever its vector says of its writer")
    mutating func snapshotAlone() {
        files.note(FileSummary(snapshot: 9, of: other.device, vector: VersionVector()))
        #expect(files.vector[other.device] == 9)
    }

    @Test("A purge waits until the deletion of each value is known: a member may know an earlier deletion alone")
    mutating func purgeOfRevived() {
        own.save(id(1), "a")
        own.change { $0.delete(id(1)) }
        own.setField("label", "revived", of: id(1))
        own.change { $0.delete(id(1)) }
        for (number, isAllowed) in [(2, false), (3, false), (4, true)] as [(UInt64, Bool)] {
            files.note(delta(number...number, VersionVector([own.device: number])))
            if number == 2 { files.note(delta(1...1)) }
            #expect(files.mayPurge([id(1)], of: own.state, others: [other.device], deletedFor: 0) == isAllowed)
        }
    }
}
