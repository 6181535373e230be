// SPDX-License-Identifier: Apache-2.0

/// The values that were used last, `limit` at most (1 or more): one more replaces the value that has not been used for the longest
/// time. Each operation takes constant time.
package struct RecentValues<Key: Hashable, Value> {
    /// A value in the order of use, with the indices of its neighbours.
    private struct Entry {
        var key: Key
        var value: Value
        var newer: Int?
        var older: Int?
    }

    private let limit: Int
    private var indices: [Key: Int] = [:]
    private var entries: [Entry] = []
    private var newest: Int?
    private var oldest: Int?

    package init(limit: Int) { self.limit = limit }

    var keys: Dictionary<Key, Int>.Keys { indices.keys }

    package subscript(_ key: Key) -> Value? {
        mutating get {
            guard let index = index(of: key) else { return nil }
            use(index)
            return entries[index].value
        }
        set {
            if let newValue { entries[insert(key, newValue)].value = newValue } else { remove(key) }
        }
    }

    /// Changes a value in its place, without a copy; it counts as used. Where there is none, that is the one that is given.
    mutating func change<Result>(
        _ key: Key, or first: @autoclosure () -> Value, _ body: (inout Value) -> Result
    ) -> Result {
        body(&entries[insert(key, first())].value)
    }

    mutating func removeAll() { self = Self(limit: limit) }

    /// The index of the key's entry, which has the value if it is a new one; it counts as used.
    private mutating func insert(_ key: Key, _ value: @autoclosure () -> Value) -> Int {
        if let index = index(of: key) {
            use(index)
            return index
        }
        if entries.count >= limit, let oldest { remove(entries[oldest].key) }
        entries.append(Entry(key: key, value: value()))
        indices[key] = entries.count - 1
        link(entries.count - 1)
        return entries.count - 1
    }

    /// What was used last is mostly used again: it is compared before the key is hashed.
    private func index(of key: Key) -> Int? {
        if let newest, entries[newest].key == key { return newest }
        return indices[key]
    }

    private mutating func use(_ index: Int) {
        guard index != newest else { return }
        unlink(index)
        link(index)
    }

    private mutating func link(_ index: Int) {
        entries[index].newer = nil
        entries[index].older = newest
        if let newest { entries[newest].newer = index } else { oldest = index }
        newest = index
    }

    private mutating func unlink(_ index: Int) {
        let (newer, older) = (entries[index].newer, entries[index].older)
        if let newer { entries[newer].older = older } else { newest = older }
        if let older { entries[older].newer = newer } else { oldest = newer }
    }

    /// Removes an entry; the last one of the array takes its place there.
    private mutating func remove(_ key: Key) {
        guard let index = indices.removeValue(forKey: key) else { return }
        unlink(index)
        let last = entries.removeLast()
        guard index < entries.count else { return }
        entries[index] = last
        indices[last.key] = index
        if let newer = last.newer { entries[newer].older = index } else { newest = index }
        if let older = last.older { entries[older].newer = index } else { oldest = index }
    }
}
