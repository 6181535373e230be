// SPDX-License-Identifier: Apache-2.0

/// What was looked up or made lately, so many values at most: one that is used stays, and those that were not used the longest
/// go, half of them at a time.
package struct RecentValues<Key: Hashable, Value> {
    private let limit: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    package init(limit: Int) { self.limit = limit }

    var keys: Set<Key> { Set(young.keys).union(old.keys) }

    package subscript(_ key: Key) -> Value? {
        mutating get {
            if let value = young[key] { return value }
            guard let value = old[key] else { return nil }
            insert(value, for: key)
            return value
        }
        set {
            old[key] = nil
            if let newValue { insert(newValue, for: key) } else { young[key] = nil }
        }
    }

    /// Changes a value in its place, without a copy; it counts as used. Where there is none, that is the one that is given.
    mutating func change<Result>(
        _ key: Key, or first: @autoclosure () -> Value, _ body: (inout Value) -> Result
    ) -> Result {
        if let place = young.index(forKey: key) { return body(&young.values[place]) }
        var value = old.removeValue(forKey: key) ?? first()
        defer { insert(value, for: key) }
        return body(&value)
    }

    private mutating func insert(_ value: Value, for key: Key) {
        if young.count >= limit / 2, young[key] == nil {
            old = young
            young = [:]
        }
        young[key] = value
    }

    mutating func removeAll() {
        young = [:]
        old = [:]
    }
}
