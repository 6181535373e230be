// SPDX-License-Identifier: Apache-2.0

/// Reads one JSON text at a time, strictly (RFC 8259), in one pass and without recursion.
///
/// Accepted is UTF-8 without byte order mark; an object's names must differ after unescaping; surrogates must come in
/// pairs. The scanner copies nothing of the text: it records the position of each value on a tape that is used again for
/// the next text. One scanner serves one thread.
package struct JSONScanner: ~Copyable {
    /// The maximum depth of nested containers.
    package let maximumDepth: Int
    private var tape = JSONTape()
    private var names = JSONNameCheck()

    package init(maximumDepth: Int = 32) { self.maximumDepth = maximumDepth }

    /// Reads one text and passes its value to `read`; the result of `read` must not contain the value or a member of it.
    package mutating func scan<Result: ~Copyable>(
        _ text: UnsafeRawBufferPointer, _ read: (JSONValue) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        guard let start = text.baseAddress, !text.isEmpty else { throw JSONError(.empty, at: 0) }
        guard text.count < UInt32.max / 2 else { throw JSONError(.tooLong, at: 0) }
        tape.removeAll()
        let bytes = start.assumingMemoryBound(to: UInt8.self)
        var cursor = JSONCursor(bytes: bytes, end: text.count)
        try build(&cursor)
        return try read(JSONValue(nodes: UnsafePointer(tape.nodes), bytes: bytes, index: 0))
    }

    private enum Expected { case value, elementOrEnd, name, nameOrEnd, commaOrEnd, nothing }

    /// Puts the whole text on the tape.
    private mutating func build(_ cursor: inout JSONCursor) throws(JSONError) {
        var expected = Expected.value
        // The innermost open container; an open container's node keeps its parent in `length`.
        var container: UInt32 = 0
        var depth = 0
        while true {
            guard let byte = cursor.nextToken() else {
                if case .nothing = expected { return }
                throw cursor.error(tape.count == 0 ? .empty : .endedEarly)
            }
            switch (expected, byte) {
            case (.nothing, _):
                throw cursor.error(.trailingBytes)

            case (.commaOrEnd, UInt8(ascii: ",")):
                cursor.index += 1
                expected = tape.nodes[Int(container)].kind == .object ? .name : .value

            case (.commaOrEnd, UInt8(ascii: "}")) where tape.nodes[Int(container)].kind == .object,
                (.nameOrEnd, UInt8(ascii: "}")):
                try names.check(object: container, of: tape, in: cursor.bytes)
                fallthrough
            case (.commaOrEnd, UInt8(ascii: "]")) where tape.nodes[Int(container)].kind == .array,
                (.elementOrEnd, UInt8(ascii: "]")):
                cursor.index += 1
                container = close(container, at: cursor.index)
                depth -= 1
                expected = depth == 0 ? .nothing : .commaOrEnd

            case (.commaOrEnd, _):
                throw cursor.error(.expectedCommaOrEnd)

            case (.name, UInt8(ascii: "\"")), (.nameOrEnd, UInt8(ascii: "\"")):
                tape.append(try cursor.string(next: tape.end + 1))
                guard let colon = cursor.nextToken() else { throw cursor.error(.endedEarly) }
                guard colon == UInt8(ascii: ":") else { throw cursor.error(.expectedColon) }
                cursor.index += 1
                expected = .value

            case (.name, _), (.nameOrEnd, _):
                throw cursor.error(.expectedName)

            case (_, UInt8(ascii: "{")), (_, UInt8(ascii: "[")):
                guard depth < maximumDepth else { throw cursor.error(.tooDeep(limit: maximumDepth)) }
                depth += 1
                let isObject = byte == UInt8(ascii: "{")
                let opened = tape.end
                tape.append(cursor.container(isObject ? .object : .array, in: container))
                container = opened
                expected = isObject ? .nameOrEnd : .elementOrEnd

            default:
                tape.append(try cursor.scalar(startingWith: byte, next: tape.end + 1))
                expected = depth == 0 ? .nothing : .commaOrEnd
            }
        }
    }

    /// Completes a container's node; returns the container around it.
    private func close(_ container: UInt32, at end: Int) -> UInt32 {
        let node = tape.nodes + Int(container)
        let parent = node.pointee.length
        node.pointee.length = UInt32(truncatingIfNeeded: end) - node.pointee.offset
        node.pointee.next = tape.end
        return parent
    }
}
