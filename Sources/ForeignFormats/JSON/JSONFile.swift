// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// A JSON file: read as text, then as JSON, with line and column for each mistake.
enum JSONFile {
    static func read<Result>(
        _ file: UnsafeRawBufferPointer, _ body: (JSONValue, inout LineCounter) throws(JSONError) -> Result
    ) throws(ConversionError) -> Result {
        try SourceText.read(file) { text throws(ConversionError) in
            var scanner = JSONScanner(maximumDepth: ConversionLimits.depth)
            var lines = LineCounter(text)
            do throws(JSONError) {
                return try scanner.scan(text) { value throws(JSONError) in try body(value, &lines) }
            } catch {
                throw ConversionError(error, in: text)
            }
        }
    }
}

/// The lines of positions that are asked for in ascending order.
struct LineCounter {
    private let text: UnsafeRawBufferPointer
    private var offset = 0
    private var line = 1

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    mutating func line(of value: JSONValue) -> Int {
        let end = min(value.offset, text.count)
        if end > offset {
            line += text[offset..<end].count { $0 == 0x0A }
            offset = end
        }
        return line
    }
}

extension JSONValue {
    /// A member that may be missing or null.
    func optional(_ name: StaticString) throws(JSONError) -> JSONValue? {
        guard let value = try member(name), value.kind != .null else { return nil }
        return value
    }

    /// The text of a member; empty where there is none.
    func text(_ name: StaticString) throws(JSONError) -> String { try optional(name)?.string() ?? "" }

    /// The secret of a member; nil where there is none, or an empty one.
    func secret(_ name: StaticString) throws(JSONError) -> SecretBytes? {
        let secret = try optional(name)?.secret()
        return secret?.count == 0 ? nil : secret
    }

    /// The elements of a member; none where it is missing or null.
    func list(_ name: StaticString) throws(JSONError) -> [JSONValue] {
        guard let value = try optional(name) else { return [] }
        return Array(try value.elements())
    }

    /// A time, as text or as a number of seconds or milliseconds.
    func instant(_ name: StaticString) throws(JSONError) -> Int64? {
        guard let value = try optional(name) else { return nil }
        return InstantText.milliseconds(value.kind == .integer ? String(try value.integer()) : try value.string())
    }
}
