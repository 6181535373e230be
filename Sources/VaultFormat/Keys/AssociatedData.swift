// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// What is authenticated with each sealed thing, so that none can replace another. The first byte is the format's
/// number, the second states what it is.
package enum AssociatedData {
    private static let format: UInt8 = 1

    /// `1 R kind id version lookup`: 59 bytes.
    package static func record(_ id: ObjectID, version: UInt64, lookup: UnsafeRawBufferPointer) -> [UInt8] {
        var bytes = start("R", capacity: 59)
        bytes.append(id.kind.rawValue)
        append(id.high, to: &bytes)
        append(id.low, to: &bytes)
        append(version, to: &bytes)
        bytes.append(contentsOf: lookup)
        return bytes
    }

    /// `1 M node`: 6 bytes.
    static func node(_ number: Int) -> [UInt8] {
        var bytes = start("M", capacity: 6)
        append(UInt32(truncatingIfNeeded: number), to: &bytes)
        return bytes
    }

    /// `1 A sequence`: 10 bytes. The tag of the entry before is in the plain text, so that each can be read by itself.
    package static func release(_ sequence: UInt64) -> [UInt8] {
        var bytes = start("A", capacity: 10)
        append(sequence, to: &bytes)
        return bytes
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

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
