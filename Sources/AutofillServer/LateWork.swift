// SPDX-License-Identifier: Apache-2.0

/// Work on threads that exceeded its deadline, until it ends. The same work is not started again meanwhile: otherwise
/// one file system that hangs blocks one thread after the other.
struct LateWork<Key: Hashable> {
    private struct Entry { weak var token: WorkToken? }

    private var entries: [Key: Entry] = [:]

    /// Whether work for the key still runs.
    func isOut(_ key: Key) -> Bool { entries[key]?.token != nil }

    /// Records work that no task waits for any more.
    mutating func note(_ token: WorkToken, for key: Key) {
        entries = entries.filter { $0.value.token != nil }
        entries[key] = Entry(token: token)
    }
}

/// A work item alone holds its token, while it waits or runs.
final class WorkToken: Sendable {}
