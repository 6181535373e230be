// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// Writes the vault's plain texts: integers big-endian, byte strings after their length in 32 bits (all ones: absent).
///
/// What does not fit its memory is counted, and not written: so the same code measures, without memory, and writes.
package struct BinaryWriter {
    package private(set) var count = 0
    /// That of the record it writes.
    package var format = FormatVersion.present
    private let memory: UnsafeMutableRawBufferPointer

    private init(memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

    /// How many bytes `write` writes.
    package static func length(of write: (inout BinaryWriter) -> Void) -> Int {
        var measure = BinaryWriter(memory: UnsafeMutableRawBufferPointer(start: nil, count: 0))
        write(&measure)
        return measure.count
    }

    /// What `write` writes, padded with zeros to the size that `padded` gives for its length.
    package static func encode(
        padded: (Int) -> Int = { $0 }, _ write: (inout BinaryWriter) -> Void
    ) -> SecretBytes {
        SecretBytes(count: padded(length(of: write))) { memory in
            let length = encode(into: memory, padded: padded, write)
            precondition(length == memory.count, "What was written is not what was measured")
        }
    }

    /// Writes the same into `memory`, where it fits.
    ///
    /// - Returns: the padded length.
    static func encode(
        into memory: UnsafeMutableRawBufferPointer, padded: (Int) -> Int, _ write: (inout BinaryWriter) -> Void
    ) -> Int {
        var writer = BinaryWriter(memory: memory)
        write(&writer)
        let length = padded(writer.count)
        if let padding = writer.reserve(length - writer.count) {
            padding.initializeMemory(as: UInt8.self, repeating: 0, count: length - writer.count)
        }
        return length
    }

    /// The memory for so many further bytes; nil where they do not fit.
    private func reserve(_ length: Int) -> UnsafeMutableRawPointer? {
        length <= memory.count - count ? memory.baseAddress.map { $0 + count } : nil
    }

    package mutating func put(_ value: UInt8) {
        reserve(1)?.storeBytes(of: value, as: UInt8.self)
        count += 1
    }

    package mutating func put<Integer: FixedWidthInteger & BitwiseCopyable>(_ value: Integer) {
        reserve(MemoryLayout<Integer>.size)?.storeBytes(of: value.bigEndian, as: Integer.self)
        count += MemoryLayout<Integer>.size
    }

    package mutating func put(_ flag: Bool) { put(flag ? 1 : 0 as UInt8) }

    package mutating func put(_ id: ObjectID) {
        put(id.kind.rawValue)
        put(id.high)
        put(id.low)
    }

    /// Seventeen zero bytes for nil: no kind is 0.
    package mutating func put(_ id: ObjectID?) {
        if let id { return put(id) }
        put(0 as UInt8)
        put(0 as UInt64)
        put(0 as UInt64)
    }

    package mutating func put(_ tag: SealTag) {
        put(tag.high)
        put(tag.low)
    }

    package mutating func put(_ time: Timestamp) { put(time.milliseconds) }

    /// The least 64-bit integer for nil.
    package mutating func put(_ time: Timestamp?) { put(time?.milliseconds ?? Int64.min) }

    package mutating func put(_ text: String) {
        put(UInt32(truncatingIfNeeded: text.utf8.count))
        guard !memory.isEmpty else { return count += text.utf8.count }
        // A string of Swift's own is read where it lies; another kind is copied into one.
        if text.utf8.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) == nil {
            append(contentsOf: text)
        }
    }

    package mutating func put(_ text: String?) {
        if let text { put(text) } else { put(UInt32.max) }
    }

    package mutating func put(_ bytes: [UInt8]) {
        put(UInt32(truncatingIfNeeded: bytes.count))
        bytes.withUnsafeBytes { append($0) }
    }

    package mutating func put(_ secret: SecretBytes) {
        put(UInt32(truncatingIfNeeded: secret.count))
        secret.withUnsafeBytes { append($0) }
    }

    package mutating func put(_ secret: SecretBytes?) {
        if let secret { put(secret) } else { put(UInt32.max) }
    }

    package mutating func put(_ service: Service) {
        let number = service.kind.storedNumber
        put(number)
        if number == 0 { put(service.kind.rawValue) }
        put(service.value)
    }

    package mutating func put(_ subject: Subject) {
        put(subject.app)
        put(subject.assurance)
        put(subject.executable)
    }

    /// The text alone: the field that it fills has its length.
    package mutating func append(contentsOf text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress {
            reserve(bytes.count)?.copyMemory(from: start, byteCount: bytes.count)
        }
        count += bytes.count
    }
}

extension Service.Kind {
    /// The kind's number in the vault, never reused; 0 for one of a later version: its name follows.
    var storedNumber: UInt8 {
        switch self {
        case .domain: 1
        case .url: 2
        case .origin: 3
        case .keychain: 4
        default: 0
        }
    }

    init?(storedNumber: UInt8) {
        guard (1...Self.numbered.count).contains(Int(storedNumber)) else { return nil }
        self = Self.numbered[Int(storedNumber) - 1]
    }
}
