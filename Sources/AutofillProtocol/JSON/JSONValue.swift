// SPDX-License-Identifier: Apache-2.0

/// A value of a scanned text: its position, not its content. Valid only inside the closure of `JSONScanner.scan`.
package struct JSONValue {
    let nodes: UnsafePointer<JSONNode>
    let bytes: UnsafePointer<UInt8>
    let index: Int

    var node: JSONNode { nodes[index] }

    package var kind: JSONKind { node.kind }

    /// The first byte of the value in the line.
    package var offset: Int { Int(node.offset) }

    /// The value as it was sent, valid JSON: to echo an id or to name an unknown member.
    package var rawSlice: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes + Int(node.offset), count: Int(node.length))
    }

    /// Of a string.
    var text: JSONText {
        let node = node
        return JSONText(
            bytes: UnsafeRawBufferPointer(start: bytes + Int(node.offset) + 1, count: Int(node.length) - 2),
            isEscaped: node.traits.contains(.escaped))
    }

    /// Whether any string in it, a member's name included, has a U+0000.
    var hasNUL: Bool { (index..<Int(node.next)).contains { nodes[$0].traits.contains(.containsNUL) } }

    func error(_ problem: JSONError.Problem) -> JSONError { JSONError(problem, at: offset) }

    func expect(_ kind: JSONKind) throws(JSONError) {
        guard node.kind == kind else { throw error(.wrongType(expected: kind, found: node.kind)) }
    }
}

// A value must not leave the thread, nor the closure, that reads the text.
@available(*, unavailable)
extension JSONValue: Sendable {}
