// SPDX-License-Identifier: Apache-2.0

/// Reads a line that the strict scanner has refused, to find whether it is well-formed JSON all the same (RFC 8259), and the id
/// that it carries: members may be duplicate, strings may have lone surrogates, and containers may be nested to any depth.
package struct LooseJSON {
    private var cursor: JSONCursor
    /// The open containers, the innermost last; true for an object.
    private var open: [Bool] = []
    /// The positions of the values of the outermost object's members named `id`.
    private var ids: [Range<Int>] = []

    /// Whether the text is JSON; and its request's id, where it is an object that has one.
    package static func read(_ text: UnsafeRawBufferPointer) -> (isJSON: Bool, id: RequestID?) {
        guard let start = text.baseAddress else { return (false, nil) }
        var reader = LooseJSON(
            cursor: JSONCursor(bytes: start.assumingMemoryBound(to: UInt8.self), end: text.count))
        do throws(JSONError) { try reader.readAll() } catch { return (false, nil) }
        // Of two, it cannot be decided which one is meant.
        guard reader.ids.count == 1, let range = reader.ids.first else { return (true, nil) }
        var scanner = JSONScanner(maximumDepth: 1)
        let value = UnsafeRawBufferPointer(rebasing: text[range])
        return (true, try? scanner.scan(value) { value throws(JSONError) in RequestID(value) })
    }

    private init(cursor: JSONCursor) { self.cursor = cursor }

    private mutating func readAll() throws(JSONError) {
        var isNamed = false
        while true {
            // A value, or the end of a container that is empty.
            guard let byte = cursor.nextToken() else { throw cursor.error(.endedEarly) }
            let start = cursor.index
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append(byte == UInt8(ascii: "{"))
                cursor.index += 1
                if let next = cursor.nextToken(), next != closing {
                    if open.last == true { isNamed = try name() }
                    continue
                }
            default: try cursor.looseScalar(startingWith: byte)
            }
            if isNamed, open.count == 1, start < cursor.index { ids.append(start..<cursor.index) }
            isNamed = false
            // What follows a value: the ends of containers, then a comma.
            while let last = open.last {
                guard let next = cursor.nextToken() else { throw cursor.error(.endedEarly) }
                cursor.index += 1
                if next == (last ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    open.removeLast()
                    continue
                }
                guard next == UInt8(ascii: ",") else { throw cursor.error(.expectedCommaOrEnd) }
                if last { isNamed = try name() }
                break
            }
            if open.isEmpty { break }
        }
        guard cursor.nextToken() == nil else { throw cursor.error(.trailingBytes) }
    }

    private var closing: UInt8 { open.last == true ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    /// Consumes a member's name and its colon; whether it is the outermost object's `id`.
    private mutating func name() throws(JSONError) -> Bool {
        guard cursor.nextToken() == UInt8(ascii: "\"") else { throw cursor.error(.expectedName) }
        let start = cursor.index
        try cursor.looseString()
        let text = UnsafeRawBufferPointer(start: cursor.bytes + start, count: cursor.index - start)
        guard cursor.nextToken() == UInt8(ascii: ":") else { throw cursor.error(.expectedColon) }
        cursor.index += 1
        return open.count == 1 && text.elementsEqual(#""id""#.utf8)
    }
}
