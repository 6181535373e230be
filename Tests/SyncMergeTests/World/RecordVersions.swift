// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge

/// The versions of records on this machine, which are never synced: one more at each visible change, whoever made it.
///
/// A version that was given for an id is never given again for other content, so neither a condition on the version nor a
/// connection's ownership of (id, version) matches a record that another machine changed.
struct RecordVersions: Sendable {
    private var versions: [ObjectID: UInt64] = [:]
    private var shown: [ObjectID: RecordView] = [:]
    /// At least all versions of ids that are no longer stored: an id that returns exceeds them.
    private(set) var floor: UInt64

    /// After a restore: `floor` is at least every version that was ever given.
    init(floor: UInt64 = 0) { self.floor = floor }

    subscript(id: ObjectID) -> UInt64? { versions[id] }

    var ids: Set<ObjectID> { Set(versions.keys) }

    /// The greatest version that was given.
    var greatest: UInt64 { max(floor, versions.values.max() ?? 0) }

    /// Raises the versions of what a merge or a change changed. `changed` are the records concerned; those that appeared or appear as
    /// one with them are found. Returns the ids whose versions were raised.
    @discardableResult
    mutating func note(_ changed: Set<ObjectID>, in state: SyncState) -> Set<ObjectID> {
        let former = changed.flatMap { shown[$0].map { [$0.id] + $0.aliases } ?? [] }
        var raised: Set<ObjectID> = [], done: Set<ObjectID> = []
        for id in changed.union(former) where !done.contains(id) {
            guard let view = state.view(of: id) else {
                floor = max(floor, versions.removeValue(forKey: id) ?? 0)
                shown[id] = nil
                continue
            }
            done.formUnion([view.id] + view.aliases)
            raised.formUnion(raise(view))
        }
        return raised
    }

    /// One version for all ids of a group whose content differs from what they showed: greater than each had.
    private mutating func raise(_ view: RecordView) -> [ObjectID] {
        let group = [view.id] + view.aliases
        let differing = group.filter { id in shown[id].map { !$0.isSame(as: view) } ?? true }
        let version = (group.map { versions[$0] ?? floor }.max() ?? floor) + 1
        for id in group { shown[id] = view }
        guard !differing.isEmpty else { return [] }
        for id in group { versions[id] = version }
        return group
    }
}
