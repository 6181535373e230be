// SPDX-License-Identifier: Apache-2.0

/// The last components of items' paths: their ids; or, for test suites that need it, numbers in the order of creation
/// in each collection, or the label that an item was created with if it is a valid component.
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

    /// Names an item that was just created.
    package mutating func note(_ id: String, in collection: String, label: String = "") {
        guard isNumbered, entries[id] == nil else { return }
        var name = label
        let isToken = !label.isEmpty && label.utf8.count <= 16 && label.utf8.allSatisfy(Self.isNameByte)
        if !isToken || ids["\(collection)/\(name)"] != nil {
            repeat {
                counts[collection, default: 0] += 1
                name = String(counts[collection, default: 0])
            } while ids["\(collection)/\(name)"] != nil
        }
        entries[id] = Entry(collection: collection, name: name, order: entries.count)
        ids["\(collection)/\(name)"] = id
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// The collection and the name in an item's path.
    package mutating func location(of id: String, in collection: String) -> (collection: String, name: String) {
        guard isNumbered else { return (collection, id) }
        note(id, in: collection)
        return entries[id].map { ($0.collection, $0.name) } ?? (collection, id)
    }

    /// nil for a name that was never assigned.
    package func id(of name: String, in collection: String) -> String? {
        isNumbered ? ids["\(collection)/\(name)"] : name
    }

    /// In the order of creation, if that is recorded more exactly than by time.
    package func sorted(_ items: [SecretItem]) -> [SecretItem] {
        guard isNumbered else { return items }
        return items.sorted { entries[$0.id]?.order ?? .max < entries[$1.id]?.order ?? .max }
    }
}
