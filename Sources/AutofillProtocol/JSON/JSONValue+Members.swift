// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// The value of an object's member, or nil where the object has none of that name. `null` is a value.
    package func member(_ name: StaticString) throws(JSONError) -> JSONValue? {
        for member in try members() where member.name.matches(name) { return member.value }
        return nil
    }

    /// Reads all elements of an array.
    package func elements<Element>(
        _ read: (JSONValue) throws(JSONError) -> Element
    ) throws(JSONError) -> [Element] {
        var result: [Element] = []
        for value in try elements() { result.append(try read(value)) }
        return result
    }

    /// An object's members in the order of the text.
    package func members() throws(JSONError) -> Members {
        try expect(.object)
        return Members(remaining: index + 1..<Int(node.next), object: self)
    }

    /// An array's elements in the order of the text.
    package func elements() throws(JSONError) -> Elements {
        try expect(.array)
        return Elements(remaining: index + 1..<Int(node.next), array: self)
    }

    /// A member: its name, which is a string value, and its value.
    package typealias Member = (name: JSONValue, value: JSONValue)

    package struct Members: Sequence, IteratorProtocol {
        var remaining: Range<Int>
        let object: JSONValue

        package mutating func next() -> Member? {
            guard !remaining.isEmpty else { return nil }
            let name = object.value(at: remaining.lowerBound)
            let value = object.value(at: remaining.lowerBound + 1)
            remaining = Int(value.node.next)..<remaining.upperBound
            return (name, value)
        }
    }

    package struct Elements: Sequence, IteratorProtocol {
        var remaining: Range<Int>
        let array: JSONValue

        package mutating func next() -> JSONValue? {
            guard !remaining.isEmpty else { return nil }
            let value = array.value(at: remaining.lowerBound)
            remaining = Int(value.node.next)..<remaining.upperBound
            return value
        }
    }

    private func value(at index: Int) -> JSONValue { JSONValue(nodes: nodes, bytes: bytes, index: index) }
}
