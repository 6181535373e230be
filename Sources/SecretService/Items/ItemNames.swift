// SPDX-License-Identifier: Apache-2.0

/// The last parts of items' paths: their ids; or, for suites of tests that want them so, numbers in the order of their making in
/// each collection, or the label that an item was made with, where that can be one.
package struct ItemNames {
    private struct Entry {
        let collection: String
        let name: String
        let order: Int
    }

    private let isNumbered: Bool
    private var entries: [String: Entry] = [:]
    /// By collection and name.
    private var ids: [String: String] = [:]
    private var counts: [String: Int] = [:]

    package init(isNumbered: Bool) { self.isNumbered = isNumbered }

    /// Names an item that was just made.
    package mutating func note(_ id: String, in collection: String, label: String = "") {
        guard isNumbered, entries[id] == nil else { return }
        var name = label
        let isToken = !label.isEmpty && label.utf8.count <= 16 && label.utf8.allSatisfy(Self.mayStandInName)
        if !isToken || ids["\(collection)/\(name)"] != nil {
            repeat {
                counts[collection, default: 0] += 1
                name = String(counts[collection, default: 0])
            } while ids["\(collection)/\(name)"] != nil
        }
        entries[id] = Entry(collection: collection, name: name, order: entries.count)
        ids["\(collection)/\(name)"] = id
    }

    private static func mayStandInName(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Where an item is, and under which name.
    package mutating func place(of id: String, in collection: String) -> (collection: String, name: String) {
        guard isNumbered else { return (collection, id) }
        note(id, in: collection)
        return entries[id].map { ($0.collection, $0.name) } ?? (collection, id)
    }

    /// nil for a name that was never given.
    package func id(of name: String, in collection: String) -> String? {
        isNumbered ? ids["\(collection)/\(name)"] : name
    }

    /// In the order of their making, where that is known better than by their time.
    package func sorted(_ items: [SecretItem]) -> [SecretItem] {
        guard isNumbered else { return items }
        return items.sorted { entries[$0.id]?.order ?? .max < entries[$1.id]?.order ?? .max }
    }
}
