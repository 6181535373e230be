// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// Reads what `BinaryWriter` wrote. After the first thing that does not fit, `isIntact` is false and every further value is
/// empty: callers read all fields and ask once at the end.
package struct BinaryReader {
    private var rest: UnsafeRawBufferPointer
    package private(set) var isIntact = true
    /// That of the record it reads.
    package var format = FormatVersion.present

    package init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    /// Nothing went wrong, and only padding is left.
    package var isAtEnd: Bool {
        guard isIntact else { return false }
        let words = rest.count / 8 * 8
        for offset in stride(from: 0, to: words, by: 8)
        where rest.loadUnaligned(fromByteOffset: offset, as: UInt64.self) != 0 { return false }
        return rest[words...].allSatisfy { $0 == 0 }
    }
    /// How many bytes are left.
    package var remaining: Int { rest.count }
    /// The next byte, which stays; nil at the end.
    package var next: UInt8? { rest.first }

    package mutating func integer<Integer: FixedWidthInteger>(_: Integer.Type = Integer.self) -> Integer {
        guard let bytes = take(Integer.bitWidth / 8) else { return 0 }
        return Integer(bigEndian: bytes.loadUnaligned(as: Integer.self))
    }

    mutating func flag() -> Bool {
        let value: UInt8 = integer()
        return value <= 1 ? value == 1 : fail(false)
    }

    package mutating func id() -> ObjectID? {
        let kind: UInt8 = integer()
        let high: UInt64 = integer()
        let low: UInt64 = integer()
        return ObjectID.Kind(rawValue: kind).map { ObjectID(kind: $0, high: high, low: low) }
    }

    package mutating func tag() -> SealTag {
        let high: UInt64 = integer()
        return SealTag(high: high, low: integer())
    }

    package mutating func time() -> Timestamp { Timestamp(milliseconds: integer()) }

    mutating func optionalTime() -> Timestamp? {
        let milliseconds: Int64 = integer()
        return milliseconds == .min ? nil : Timestamp(milliseconds: milliseconds)
    }

    package mutating func text() -> String { optionalText() ?? fail("") }

    mutating func optionalText() -> String? { field().map { String(decoding: $0, as: UTF8.self) } }

    package mutating func secret() -> SecretBytes { optionalSecret() ?? fail(.empty) }

    mutating func optionalSecret() -> SecretBytes? { field().map { SecretBytes(copying: $0) } }

    package mutating func service() -> Service {
        let number: UInt8 = integer()
        let kind = number == 0 && format > .first ? Service.Kind(rawValue: text()) : Service.Kind(storedNumber: number)
        guard let kind else { return fail(Service(kind: .domain, value: "")) }
        return Service(kind: kind, value: text())
    }

    package mutating func subject() -> Subject {
        let app = text()
        let assurance = text()
        return Subject(app: app, assurance: assurance, executable: text())
    }

    /// Marks the whole as unreadable.
    package mutating func fail<Value>(_ value: Value) -> Value {
        isIntact = false
        return value
    }

    /// The next bytes themselves; nil past the end.
    package mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard isIntact, count >= 0, count <= rest.count else { return fail(nil) }
        let bytes = UnsafeRawBufferPointer(start: rest.baseAddress, count: count)
        rest = UnsafeRawBufferPointer(start: rest.baseAddress?.advanced(by: count), count: rest.count - count)
        return bytes
    }

    private mutating func field() -> UnsafeRawBufferPointer? {
        let length: UInt32 = integer()
        return length == .max ? nil : take(Int(length))
    }
}
