// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import SyncMerge
internal import VaultFormat

/// Reads what `SyncedFields` wrote. What a later version wrote under other names stays in the sync record.
struct FieldReader {
    private let fields: [String: SyncSecret]
    private let positions: [String: Int]

    init(_ fields: [String: SyncSecret]) {
        self.fields = fields.filter { $0.value.bytes.count > 0 }
        var order: [String] = []
        fields["order"]?.bytes.withUnsafeBytes { bytes in
            var reader = BinaryReader(bytes)
            guard reader.integer(UInt8.self) == 1 else { return }
            while reader.remaining > 0, reader.isIntact { order.append(reader.text()) }
        }
        positions = Dictionary(zip(order, 0...)) { first, _ in first }
    }

    func read<Value>(_ name: String, _ body: (inout BinaryReader) -> Value) -> Value? {
        fields[name]?.bytes.withUnsafeBytes { bytes in
            var reader = BinaryReader(bytes)
            guard reader.integer(UInt8.self) == 1 else { return nil }
            let value = body(&reader)
            return reader.isIntact ? value : nil
        }
    }

    func text(_ name: String) -> String? { read(name) { Self.text(&$0) } }

    static func text(_ reader: inout BinaryReader) -> String {
        let length = reader.remaining
        return reader.take(length).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The fields whose names begin so, in the credential's order; those of which it states nothing are the last.
    func list<Value>(_ prefix: String, _ body: (String, inout BinaryReader) -> Value) -> [Value] {
        sorted(fields.keys.filter { $0.utf8.starts(with: prefix.utf8) }).compactMap { name in
            let own = name.prefix { $0 != "\0" }.dropFirst(prefix.count)
            return read(name) { body(String(own), &$0) }
        }
    }

    func sorted(_ names: [String]) -> [String] {
        names.sorted { left, right in
            let (one, other) = (positions[left] ?? .max, positions[right] ?? .max)
            return one == other ? SyncedFields.precedes(left, right) : one < other
        }
    }
}
