// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// Which files a machine has merged, and what the members have shown that they merged.
package struct MergedFiles: Sendable, Equatable {
    /// Up to which sequence everything was merged, of each other device.
    package private(set) var vector = VersionVector()
    /// What was merged beyond a gap, ascending and apart.
    package private(set) var beyond: [DeviceID: [ClosedRange<UInt64>]] = [:]
    /// What files stated, by their last sequence: of those without a gap before them the last, and all beyond.
    package private(set) var statements: [DeviceID: [UInt64: VersionVector]] = [:]

    /// How long a purge waits for members that show nothing.
    package static let longestWaitMilliseconds: Int64 = 365 * 86_400_000

    /// Nothing is merged. After a quarantine too: the snapshots of others refill it.
    package init() {}

    /// As it was stored.
    package init(
        vector: VersionVector, beyond: [DeviceID: [ClosedRange<UInt64>]],
        statements: [DeviceID: [UInt64: VersionVector]]
    ) {
        self.vector = vector
        self.beyond = beyond
        self.statements = statements
    }

    /// Notes a file whose content was merged. Two files of one sequence are both merged: a twin wrote one of them.
    package mutating func note(_ file: FileSummary) {
        if file.isSnapshot {
            for (device, sequence) in file.vector.sequences { extend(device, by: min(1, sequence)...sequence) }
        }
        extend(file.device, by: file.range)
        statements[file.device, default: [:]][file.range.upperBound] = file.vector
        for device in statements.keys { forgetOlderStatements(of: device) }
    }

    /// The last sequence of a device that was merged, beyond gaps too: what its removal names.
    package func greatest(of device: DeviceID) -> UInt64 {
        max(vector[device], beyond[device]?.last?.upperBound ?? 0)
    }

    /// What a file of this machine states.
    package func vector(of device: DeviceID, at sequence: UInt64) -> VersionVector {
        var vector = vector
        vector[device] = sequence
        return vector
    }

    /// What `device` has shown that it merged: the vector of its last file up to which everything of it is merged here.
    package func shown(by device: DeviceID) -> VersionVector {
        statements[device]?.filter { $0.key <= vector[device] }.max { $0.key < $1.key }?.value ?? VersionVector()
    }

    /// The devices of which some file names files that are not merged here, and up to which sequence.
    package var missing: [DeviceID: UInt64] {
        var named = VersionVector()
        for vector in statements.values.flatMap(\.values) { named.formUnion(vector) }
        for (device, ranges) in beyond { named[device] = max(named[device], ranges.last?.upperBound ?? 0) }
        return named.sequences.filter { $0.value > vector[$0.key] }
    }

    /// Whether these deleted records, a whole group, may be purged: every other member has shown that it knows the deletion of each
    /// element, or it is a year old. A purge that is too early would let a member undelete half of a record.
    package func mayPurge(
        _ ids: [ObjectID], of state: SyncState, others: some Sequence<DeviceID>, deletedFor milliseconds: Int64
    ) -> Bool {
        let records = ids.compactMap { state.records[$0] }
        guard !records.contains(where: \.isAlive) else { return false }
        guard milliseconds < Self.longestWaitMilliseconds else { return true }
        return others.allSatisfy { member in
            let shown = shown(by: member)
            return records.allSatisfy { record in
                record.elements.allSatisfy { record.dead[$0.mark]?.contains { shown.contains($0) } ?? false }
            }
        }
    }

    /// Adds a range, and closes the gaps that it fills.
    private mutating func extend(_ device: DeviceID, by range: ClosedRange<UInt64>) {
        var apart: [ClosedRange<UInt64>] = [], last = vector[device]
        for next in ((beyond[device] ?? []) + [range]).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if next.lowerBound <= last || next.lowerBound - 1 == last {
                last = max(last, next.upperBound)
            } else if let end = apart.last, next.lowerBound - 1 <= end.upperBound {
                apart[apart.count - 1] = end.lowerBound...max(end.upperBound, next.upperBound)
            } else {
                apart.append(next)
            }
        }
        vector[device] = last
        beyond[device] = apart.isEmpty ? nil : apart
    }

    private mutating func forgetOlderStatements(of device: DeviceID) {
        let merged = vector[device]
        guard let last = statements[device]?.keys.filter({ $0 <= merged }).max() else { return }
        statements[device] = statements[device]?.filter { $0.key >= last }
    }
}
