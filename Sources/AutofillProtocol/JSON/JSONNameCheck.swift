// SPDX-License-Identifier: Apache-2.0

/// Finds two members of one name in an object: RFC 8259 leaves open what they mean, so they are refused.
struct JSONNameCheck: ~Copyable {
    private var hashes: [(hash: Int, node: UInt32)] = []
    /// Up to so many members each pair is compared; beyond, a keyed hash is sorted, so that no object costs n².
    private static let smallCount = 12

    mutating func check(
        object: UInt32, of tape: borrowing JSONTape, in bytes: UnsafePointer<UInt8>
    ) throws(JSONError) {
        let nodes = UnsafePointer(tape.nodes)
        let end = tape.end
        func text(_ name: UInt32) -> JSONText { JSONValue(nodes: nodes, bytes: bytes, index: Int(name)).text }

        var count = 0
        var name = object + 1
        while name < end {
            if count < Self.smallCount {
                var earlier = object + 1
                while earlier < name {
                    if text(earlier).equals(text(name)) { throw duplicate(nodes[Int(name)]) }
                    earlier = nodes[Int(earlier) + 1].next
                }
            }
            count += 1
            name = nodes[Int(name) + 1].next
        }
        guard count > Self.smallCount else { return }

        hashes.removeAll(keepingCapacity: true)
        name = object + 1
        while name < end {
            hashes.append((text(name).hash, name))
            name = nodes[Int(name) + 1].next
        }
        hashes.sort { $0.hash < $1.hash }
        for index in hashes.indices {
            var other = index + 1
            while other < hashes.count, hashes[other].hash == hashes[index].hash {
                if text(hashes[index].node).equals(text(hashes[other].node)) {
                    throw duplicate(nodes[Int(max(hashes[index].node, hashes[other].node))])
                }
                other += 1
            }
        }
        if hashes.capacity > 4096 { hashes = [] }
    }

    private func duplicate(_ name: JSONNode) -> JSONError { JSONError(.duplicateMember, at: Int(name.offset)) }
}

extension JSONText {
    /// Of the unescaped bytes, with the process's random key (SipHash).
    fileprivate var hash: Int {
        var hasher = Hasher()
        if isEscaped {
            for byte in self { hasher.combine(byte) }
        } else {
            for byte in bytes { hasher.combine(byte) }
        }
        return hasher.finalize()
    }
}
