// SPDX-License-Identifier: Apache-2.0
import Credentials
import Testing

@testable import SyncFiles

@Suite("Which files a machine writes and removes")
struct OwnFilesTests {
    private static let week: Int64 = 7 * 86_400_000
    private let now = Timestamp(milliseconds: 1_795_253_400_000)

    private func file(_ range: ClosedRange<UInt64>, _ bytes: Int, snapshot: Bool = false, twin: Bool = false)
        -> OwnFiles.OwnFile
    {
        let name = SyncFileName(of: twin ? [1] : [], sequence: range.upperBound, isSnapshot: snapshot)
        return OwnFiles.OwnFile(name: name, range: range, byteCount: bytes)
    }

    private func events(_ age: Int64 = 0, _ change: (inout OwnFiles.Events) -> Void = { _ in }) -> OwnFiles.Events {
        var events = OwnFiles.Events(lastSnapshot: Timestamp(milliseconds: now.milliseconds - age))
        change(&events)
        return events
    }

    @Test("A snapshot is due without one, after a change of what it depends on, a week, or many changes")
    func snapshots() {
        let files = OwnFiles([file(1...4, 1000, snapshot: true), file(5...5, 500)])
        #expect(files.due(events(), at: now) == nil)
        #expect(OwnFiles([]).due(events(), at: now) == .snapshot(.none))
        #expect(files.due(OwnFiles.Events(lastSnapshot: nil), at: now) == .snapshot(.none))
        #expect(OwnFiles([file(5...5, 500)]).due(events(), at: now) == .snapshot(.none))
        #expect(files.due(events { $0.basisChanged = true }, at: now) == .snapshot(.basis))
        #expect(files.due(events(Self.week - 1), at: now) == nil)
        #expect(files.due(events(Self.week), at: now) == .snapshot(.week))
        #expect(files.due(events(-Self.week), at: now) == .snapshot(.week))
        #expect(files.due(OwnFiles.Events(lastSnapshot: Timestamp(milliseconds: .min)), at: now) == .snapshot(.week))
        let more = OwnFiles(files.files + [file(6...6, 1)])
        #expect(more.due(events(), at: now) == .snapshot(.deltasOutgrowIt))
    }

    @Test("Changes that a snapshot or a joined file covers do not count")
    func coveredChanges() {
        let files = [file(1...9, 1000, snapshot: true), file(4...4, 900), file(10...12, 400), file(11...11, 400)]
        #expect(OwnFiles(files).due(events(), at: now) == nil)
        #expect(OwnFiles(files).superseded == [files[1], files[3]])
    }

    @Test("Sixteen files of one level, the last ones, are joined into one")
    func joining() {
        let snapshot = file(1...4, 1_000_000, snapshot: true)
        let deltas = (5...20 as ClosedRange<UInt64>).map { file($0...$0, 500) }
        #expect(OwnFiles([snapshot] + deltas.dropLast()).due(events(), at: now) == nil)
        #expect(OwnFiles([snapshot] + deltas.shuffled()).due(events(), at: now) == .join(deltas))
        // Nor is a snapshot due where it would have too much, whatever it is due for.
        for last in [nil, Timestamp(milliseconds: now.milliseconds - Self.week)] {
            var events = OwnFiles.Events(lastSnapshot: last)
            (events.basisChanged, events.isExcessive) = (true, true)
            #expect(OwnFiles([snapshot] + deltas).due(events, at: now) == .join(deltas))
            #expect(OwnFiles(deltas).due(events, at: now) == .join(deltas))
            #expect(OwnFiles([snapshot] + deltas.dropLast()).due(events, at: now) == nil)
        }
        // Not those of another level, and not over one.
        let large = file(5...20, 5000), few = (21...30 as ClosedRange<UInt64>).map { file($0...$0, 500) }
        #expect(OwnFiles([snapshot, large] + few).due(events(), at: now) == nil)
        let levels = (0..<16 as Range<UInt64>).map { file(5 + $0 * 16...20 + $0 * 16, 5000) }
        #expect(OwnFiles([snapshot] + levels).due(events(), at: now) == .join(levels))
    }

    @Test("A file is superseded only by one that covers it, a snapshot only by a snapshot, and never a twin's")
    func superseded() {
        let files = [
            file(1...5, 9, snapshot: true), file(1...9, 9, snapshot: true), file(1...9, 9, snapshot: true, twin: true),
            file(9...9, 9), file(10...25, 9), file(12...12, 9), file(25...26, 9), file(3...30, 9), file(1...9, 9),
        ]
        let superseded = OwnFiles(files).superseded
        #expect(Set(superseded) == [files[0], files[3], files[4], files[5], files[6], files[8]])
        #expect(OwnFiles([files[1], files[4], files[6]]).superseded == [])
    }

    @Test("10,000 changes: at most 80 files at any time, and six times the bytes of the changes are written")
    func amplification() {
        var files: [OwnFiles.OwnFile] = [file(1...1, 300_000, snapshot: true)], written = 0, changes = 0, most = 0
        for sequence in 2...10_001 as ClosedRange<UInt64> {
            files.append(file(sequence...sequence, 670))
            written += 670
            changes += 670
            while let due = OwnFiles(files).due(events(), at: now) {
                switch due {
                case .join(let joined):
                    let range = joined[0].range.lowerBound...joined[15].range.upperBound
                    files.append(file(range, joined.reduce(0) { $0 + $1.byteCount } / 2))
                case .snapshot:
                    // Each change adds some hundred bytes for good.
                    files.append(file(1...sequence, 300_000 + Int(sequence) * 150, snapshot: true))
                    files.removeAll { $0.name.isSnapshot && $0.range.upperBound < sequence }
                }
                written += files.last?.byteCount ?? 0
                let superseded = OwnFiles(files).superseded
                files.removeAll { superseded.contains($0) }
                if case .snapshot = due { break }
            }
            most = max(most, files.count)
        }
        #expect(most <= 80)
        #expect(written <= 6 * changes)
    }
}
