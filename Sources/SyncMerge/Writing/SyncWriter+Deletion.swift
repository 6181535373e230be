// SPDX-License-Identifier: Apache-2.0
package import Credentials

extension SyncWriter {
    /// Deletes the record, so that it can be restored: marks what this machine has seen of it, on every id. What another machine
    /// wrote meanwhile revives it.
    package mutating func delete(_ id: ObjectID) { delete(ids: state.group(of: id)) }

    mutating func delete(ids: [ObjectID]) {
        for id in ids {
            for element in state.records[id]?.elements ?? [] { emit(.dead(id, element.mark, by: origin)) }
        }
    }

    /// Reverts a deletion. Marks only grow, so everything is written again, at its old time: what another machine wrote later stays
    /// newer, and a purge elsewhere at the same moment takes nothing.
    package mutating func undelete(_ id: ObjectID) { undelete(ids: group(of: id)) }

    mutating func undelete(ids: [ObjectID]) {
        let entries = ids.flatMap { id in
            (state.records[id]?.elements ?? []).map { (element: $0, id: id) }
        }
        let oldestFirst = entries.sorted { ($0.element, $0.id) < ($1.element, $1.id) }
        rewrite(oldestFirst.map { Rewritten(value: $0.element.value, id: $0.id, time: $0.element.stamp.time) })
    }

    /// Drops all values of a deleted record for good. `MergedFiles.mayPurge` states when.
    package mutating func purge(_ id: ObjectID) {
        for id in state.group(of: id) { drop(state.records[id]?.elements ?? [], of: id) }
    }

    /// A value that is written again.
    struct Rewritten {
        let value: ElementValue
        let id: ObjectID
        let time: Timestamp
    }

    /// Writes values again, the oldest first, of equal ones only the newest, and drops the elements that had them. The random bits are
    /// ascending, so that values of one time keep their order.
    mutating func rewrite(_ entries: [Rewritten]) {
        var newest: [Rewritten] = []
        for entry in entries.reversed() where !newest.contains(where: { $0.id == entry.id && $0.value == entry.value })
        {
            newest.append(entry)
        }
        let random = newest.map { _ in entropy.next() }.sorted()
        for (entry, random) in zip(newest.reversed(), random) {
            let old = (state.records[entry.id]?.elements ?? []).filter { $0.value == entry.value }
            add(entry.value, to: entry.id, at: entry.time, random: random)
            drop(old, of: entry.id)
        }
    }
}
