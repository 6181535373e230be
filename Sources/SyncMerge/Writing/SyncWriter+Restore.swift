// SPDX-License-Identifier: Apache-2.0
internal import Credentials

extension SyncWriter {
    /// Lets a restored backup win: what it shows is written again, later than all that is there, and what it lacks is deleted. (The
    /// other kind of restore, to join, is only a merge of the backup's operations.)
    package mutating func restore(_ backup: SyncState) {
        var backup = backup
        state.merge(backup.operations)
        backup.setCuts(state.cuts)
        let shown = backup.ids.filter { backup.isAlive($0) }
        delete(ids: state.ids.filter { !backup.isAlive($0) })
        for id in shown where backup.group(of: id).first == id { restore(group: backup.group(of: id), from: backup) }
    }

    private mutating func restore(group ids: [ObjectID], from backup: SyncState) {
        let entries = ids.flatMap { id in (backup.records[id]?.elements ?? []).map { (element: $0, id: id) } }
            .sorted { ($0.element, $0.id) < ($1.element, $1.id) }
        let neighbours = ids.flatMap { backup.logins(of: $0) }.flatMap { state.records(with: $0) }
        let relatives = Set((ids + neighbours).flatMap { state.relatives(of: $0) }).sorted()
        let kinds = Set(entries.map(\.element.kind))
        var base: [ElementKind: Timestamp] = [:]
        for kind in kinds.union([.code]) { base[kind] = time(after: [kind], in: relatives) }
        var again: [Rewritten] = []
        for (position, entry) in entries.enumerated() {
            let time = (base[entry.element.kind] ?? now).later(by: Int64(position))
            again.append(Rewritten(value: entry.element.value, id: entry.id, time: time))
        }
        for id in ids {
            let elements = state.records[id]?.elements ?? []
            if !kinds.contains(.code), elements.contains(where: { $0.kind == .code }) {
                again.append(Rewritten(value: .code(nil), id: id, time: base[.code] ?? now))
            }
            drop(elements.filter { !$0.kind.isSecret }, of: id)
        }
        rewrite(again)
        evict(.password, from: ids)
        evict(.code, from: ids)
    }
}
