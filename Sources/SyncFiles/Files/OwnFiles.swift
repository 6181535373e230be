// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// The files of this machine that are in place, and what has to be done with them.
package struct OwnFiles: Sendable {
    package let files: [OwnFile]

    /// How many files of one level are joined into one of the next.
    package static let joinedAtOnce = 16
    /// Without a reason a snapshot is written this often: it alone restores what was lost with its owner's files.
    package static let snapshotMilliseconds: Int64 = 7 * 86_400_000

    package init(_ files: [OwnFile]) { self.files = files.sorted { $0.range.upperBound < $1.range.upperBound } }

    package struct OwnFile: Hashable, Sendable {
        package let name: SyncFileName
        package let range: ClosedRange<UInt64>
        package let byteCount: Int

        package init(name: SyncFileName, range: ClosedRange<UInt64>, byteCount: Int) {
            self.name = name
            self.range = range
            self.byteCount = byteCount
        }

        var isSnapshot: Bool { name.isSnapshot }
    }

    /// What happened since the last snapshot.
    package struct Events: Sendable {
        /// When it was written; nil where there is none.
        package var lastSnapshot: Timestamp?
        /// This machine has another name, other cuts of removed machines count, or another key seals files.
        package var basisChanged = false
        /// A snapshot would have more than is accepted of one file: none is written.
        package var isExcessive = false

        package init(lastSnapshot: Timestamp?) { self.lastSnapshot = lastSnapshot }
    }

    package enum Due: Equatable, Sendable {
        case snapshot(Reason)
        /// These deltas, which are adjacent, become one.
        case join([OwnFile])

        package enum Reason: Sendable { case none, basis, week, deltasOutgrowIt }
    }

    /// What has to be written now, a snapshot before a joined file; nil where nothing has to.
    package func due(_ events: Events, at now: Timestamp) -> Due? {
        let snapshot = files.last(where: \.isSnapshot), deltas = self.deltas(after: snapshot)
        if !events.isExcessive, let reason = Self.reason(events, snapshot, deltas, at: now) { return .snapshot(reason) }
        return joinable(deltas).map { .join($0) }
    }

    /// Why a snapshot has to be written; nil where none has to.
    private static func reason(
        _ events: Events, _ snapshot: OwnFile?, _ deltas: [OwnFile], at now: Timestamp
    ) -> Due.Reason? {
        guard let last = events.lastSnapshot, let snapshot else { return Due.Reason.none }
        if events.basisChanged { return .basis }
        // A clock that was ahead, and is not any more, does not delay it for longer than a week.
        let (age, overflow) = now.milliseconds.subtractingReportingOverflow(last.milliseconds)
        if overflow || age.magnitude >= snapshotMilliseconds.magnitude { return .week }
        let bytes = deltas.reduce(0) { $0 + $1.byteCount }
        return bytes > snapshot.byteCount / 2 ? .deltasOutgrowIt : nil
    }

    /// The files whose content others of these files have: they may be removed. Two files with one range are both kept: a twin wrote
    /// one of them.
    package var superseded: [OwnFile] {
        var superseded: [OwnFile] = []
        // The first sequences that a file, and that a snapshot, of those with other ranges that end here or later covers.
        var least = UInt64.max, leastOfSnapshots = UInt64.max
        let groups = Dictionary(grouping: files, by: \.range).sorted {
            ($1.key.upperBound, $0.key.lowerBound) < ($0.key.upperBound, $1.key.lowerBound)
        }
        for (range, group) in groups {
            let hasSnapshot = group.contains(where: \.isSnapshot)
            superseded += group.filter { file in
                let covered = file.isSnapshot ? leastOfSnapshots : least
                return covered <= range.lowerBound || hasSnapshot && !file.isSnapshot
            }
            least = min(least, range.lowerBound)
            if hasSnapshot { leastOfSnapshots = min(leastOfSnapshots, range.lowerBound) }
        }
        return superseded.sorted { $0.range.upperBound < $1.range.upperBound }
    }

    private func deltas(after snapshot: OwnFile?) -> [OwnFile] {
        let superseded = superseded, last = snapshot?.range.upperBound ?? 0
        return files.filter { !$0.isSnapshot && $0.range.upperBound > last && !superseded.contains($0) }
    }

    /// The last deltas, as many as are of one level: how often joining multiplied what they cover.
    private func joinable(_ deltas: [OwnFile]) -> [OwnFile]? {
        guard let last = deltas.last else { return nil }
        let level = Self.level(last)
        let group = Array(deltas.reversed().prefix { Self.level($0) == level }.prefix(Self.joinedAtOnce).reversed())
        return group.count == Self.joinedAtOnce ? group : nil
    }

    private static func level(_ file: OwnFile) -> Int {
        var level = 0, span = file.range.upperBound - file.range.lowerBound + 1
        while span >= UInt64(joinedAtOnce) {
            span /= UInt64(joinedAtOnce)
            level += 1
        }
        return level
    }
}
