// SPDX-License-Identifier: Apache-2.0

/// The work on threads that was not waited for to its end, until it is back. What is asked again meanwhile is not begun
/// again: otherwise one file system that hangs takes one thread after the other.
struct LateWork<Key: Hashable> {
    private struct Entry { weak var token: WorkToken? }

    private var entries: [Key: Entry] = [:]

    /// Whether work for the key is out.
    func isOut(_ key: Key) -> Bool { entries[key]?.token != nil }

    /// Nobody waits for this work any more.
    mutating func note(_ token: WorkToken, for key: Key) {
        entries = entries.filter { $0.value.token != nil }
        entries[key] = Entry(token: token)
    }
}

/// A piece of work keeps its token as long as it waits or runs, and nothing else does.
final class WorkToken: Sendable {}
