// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import SyncFiles
internal import SyncMerge
internal import VaultFormat

/// A conflict as the vault stores it.
struct NotedConflict: Equatable {
    let credential: ObjectID
    let inUse: Change
    let other: Change
    /// Whether `other` is a deletion.
    let isDeletion: Bool

    struct Change: Equatable {
        let device: DeviceID
        let time: Timestamp
    }

    /// How many are kept.
    static let limit = 100

    // MARK: - Finding

    /// What the content of a file changes: conflicts between a password that its writer wrote and what the vault had, and the records
    /// whose conflicts it resolves, because the writer knew what the vault had.
    static func arising(
        _ changes: MergeChanges, from before: SyncState, to after: SyncState, by file: FileSummary, at now: Timestamp
    ) -> (added: [NotedConflict], resolved: Set<ObjectID>) {
        var added: [NotedConflict] = [], resolved: Set<ObjectID> = []
        for id in changes.records.sorted() {
            let former = before.records[id]?.elements(of: .password) ?? []
            let new = after.records[id]?.elements(of: .password).last { element in
                element.stamp.origin.device == file.device && !former.contains(element)
            }
            guard let new, let secret = new.value.secret, let shown = after.view(of: id), let used = shown.password
            else { continue }
            let group = [shown.id] + shown.aliases
            guard let present = group.compactMap({ before.view(of: $0)?.password }).max(by: { $0.stamp < $1.stamp }),
                present.secret != secret
            else { continue }
            let mark = Mark(of: present.stamp)
            let deletions = group.flatMap { before.records[$0]?.dead[mark] ?? [] }
            let isDeleted = group.allSatisfy { !before.isAlive($0) } && !deletions.isEmpty
            let wasMerged =
                isDeleted
                ? deletions.contains(where: file.vector.contains) : file.vector.contains(present.stamp.origin)
            guard !wasMerged else {
                if used.stamp == new.stamp { resolved.formUnion(group) }
                continue
            }
            let written = Change(device: file.device, time: new.stamp.time)
            if isDeleted, let deletion = deletions.max() {
                guard used.stamp == new.stamp else { continue }
                let other = Change(device: deletion.device, time: now)
                added.append(NotedConflict(credential: shown.id, inUse: written, other: other, isDeletion: true))
            } else {
                let kept = Change(device: present.stamp.origin.device, time: present.stamp.time)
                guard kept.device != file.device, used.stamp == new.stamp || used.stamp == present.stamp else {
                    continue
                }
                let isNew = used.stamp == new.stamp
                added.append(
                    NotedConflict(
                        credential: shown.id, inUse: isNew ? written : kept, other: isNew ? kept : written,
                        isDeletion: false))
            }
        }
        return (added, resolved)
    }

    /// The last ones, the newest last: one of a credential, and none of those that are resolved.
    static func list(
        _ present: [NotedConflict], adding added: [NotedConflict], removing ids: some Sequence<ObjectID>
    ) -> [NotedConflict] {
        let replaced = Set(ids).union(added.map(\.credential))
        return Array((present.filter { !replaced.contains($0.credential) } + added).suffix(limit))
    }

    // MARK: - Storing

    static func stored(_ conflicts: [NotedConflict]) -> SecretBytes {
        BinaryWriter.encode { writer in
            writer.put(UInt32(truncatingIfNeeded: conflicts.count))
            for conflict in conflicts {
                writer.put(conflict.credential)
                for change in [conflict.inUse, conflict.other] {
                    writer.put(change.device.rawValue)
                    writer.put(change.time)
                }
                writer.put(conflict.isDeletion ? 1 : 0 as UInt8)
            }
        }
    }

    /// None where these are other bytes.
    static func list(storedIn bytes: SecretBytes?) -> [NotedConflict] {
        bytes?.withUnsafeBytes { memory in
            var reader = BinaryReader(memory)
            var conflicts: [NotedConflict] = []
            var rest: UInt32 = reader.integer()
            while rest > 0, reader.isIntact, let id = reader.id() {
                func change() -> Change { Change(device: DeviceID(rawValue: reader.integer()), time: reader.time()) }
                let inUse = change(), other = change(), isDeletion: UInt8 = reader.integer()
                conflicts.append(
                    NotedConflict(credential: id, inUse: inUse, other: other, isDeletion: isDeletion == 1))
                rest -= 1
            }
            return reader.isAtEnd ? conflicts : []
        } ?? []
    }
}

extension VaultSync {
    /// With the names of the machines.
    var conflicts: [SyncConflict] {
        // What is saved here decides it, also before it is stamped.
        noted.conflicts.filter { !noted.unstamped.contains($0.credential) }.map { conflict in
            func change(_ change: NotedConflict.Change) -> SyncConflict.Change {
                let isOwn = change.device == device || formerKeys.contains { $0.publicKeys.device == change.device }
                let name = progress.met[change.device]?.name ?? (isOwn ? deviceName : nil)
                return SyncConflict.Change(device: change.device, deviceName: name, time: change.time)
            }
            return SyncConflict(
                credential: conflict.credential, inUse: change(conflict.inUse), other: change(conflict.other),
                isDeletion: conflict.isDeletion)
        }
    }
}
