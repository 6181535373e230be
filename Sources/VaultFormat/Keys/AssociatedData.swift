// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// What is authenticated with each sealed thing, so that none can replace another. The first byte is the format's
/// number, the second states what it is.
package enum AssociatedData {
    private static let format: UInt8 = 1

    /// `1 R kind id version lookup`: 59 bytes.
    package static func record(_ id: ObjectID, version: UInt64, lookup: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 27 + lookup.count) { buffer, count in
            let memory = UnsafeMutableRawBufferPointer(buffer)
            put("R", into: memory)
            memory.storeBytes(of: id.kind.rawValue, toByteOffset: 2, as: UInt8.self)
            memory.storeBytes(of: id.high.bigEndian, toByteOffset: 3, as: UInt64.self)
            memory.storeBytes(of: id.low.bigEndian, toByteOffset: 11, as: UInt64.self)
            memory.storeBytes(of: version.bigEndian, toByteOffset: 19, as: UInt64.self)
            UnsafeMutableRawBufferPointer(rebasing: memory[27...]).copyMemory(from: lookup)
            count = 27 + lookup.count
        }
    }

    /// `1 M node`: 6 bytes.
    static func node(_ number: Int) -> [UInt8] {
        var bytes = start("M", capacity: 6)
        append(UInt32(truncatingIfNeeded: number), to: &bytes)
        return bytes
    }

    /// `1 A sequence`: 10 bytes. The tag of the entry before is in the plain text, so that each can be read by itself.
    package static func release(_ sequence: UInt64) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 10) { buffer, count in
            putRelease(sequence, into: UnsafeMutableRawBufferPointer(buffer))
            count = 10
        }
    }

    /// The same in the first 10 bytes of `memory`.
    static func putRelease(_ sequence: UInt64, into memory: UnsafeMutableRawBufferPointer) {
        put("A", into: memory)
        memory.storeBytes(of: sequence.bigEndian, toByteOffset: 2, as: UInt64.self)
    }

    /// `1 G`: of the mark in `vault.releases`.
    package static let mark = start("G", capacity: 2)

    /// `1 S id kind salt cost`: 46 bytes with a salt of 32.
    package static func slot(_ id: Int64, kind: UInt8, salt: [UInt8], cost: [UInt8]) -> [UInt8] {
        var bytes = start("S", capacity: 46)
        append(id, to: &bytes)
        bytes.append(kind)
        bytes.append(contentsOf: salt)
        bytes.append(contentsOf: cost)
        return bytes
    }

    /// `1 N id`: 10 bytes.
    static func slotNote(_ id: Int64) -> [UInt8] {
        var bytes = start("N", capacity: 10)
        append(id, to: &bytes)
        return bytes
    }

    private static func start(_ letter: Unicode.Scalar, capacity: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(capacity)
        bytes.append(format)
        bytes.append(UInt8(ascii: letter))
        return bytes
    }

    private static func put(_ letter: Unicode.Scalar, into memory: UnsafeMutableRawBufferPointer) {
        memory.storeBytes(of: format, as: UInt8.self)
        memory.storeBytes(of: UInt8(ascii: letter), toByteOffset: 1, as: UInt8.self)
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
