// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// A record's fields in the present format: each has a tag (1 byte, never 0 and never below the one before), a length (1 byte;
/// 255 and 4 bytes from 255 on) and its bytes. So those of a later version can be distinguished, and kept.
extension BinaryWriter {
    package mutating func put(field tag: some RawRepresentable<UInt8>, _ write: (inout BinaryWriter) -> Void) {
        put(field: tag.rawValue, length: Self.length(of: write))
        write(&self)
    }

    /// Nothing where the text is empty.
    package mutating func put(field tag: some RawRepresentable<UInt8>, _ text: String) {
        guard !text.isEmpty else { return }
        put(field: tag.rawValue, length: text.utf8.count)
        append(contentsOf: text)
    }

    /// Nothing where there is none.
    package mutating func put(field tag: some RawRepresentable<UInt8>, _ secret: SecretBytes?) {
        guard let secret else { return }
        put(tag.rawValue, secret)
    }

    /// Nothing where there is none.
    package mutating func put(field tag: some RawRepresentable<UInt8>, _ time: Timestamp?) {
        guard let time else { return }
        put(field: tag.rawValue, length: 8)
        put(time)
    }

    /// Nothing where there is none.
    package mutating func put(field tag: some RawRepresentable<UInt8>, _ subject: Subject?) {
        guard let subject else { return }
        put(field: tag) { $0.put(subject) }
    }

    /// Those of a later version, after all others.
    package mutating func put(_ unknown: [UnknownField]) {
        for field in unknown { put(field.tag, field.content) }
    }

    private mutating func put(_ tag: UInt8, _ content: SecretBytes) {
        put(field: tag, length: content.count)
        content.withUnsafeBytes { append($0) }
    }

    private mutating func put(field tag: UInt8, length: Int) {
        put(tag)
        if length < 255 { return put(UInt8(truncatingIfNeeded: length)) }
        put(255 as UInt8)
        put(UInt32(truncatingIfNeeded: length))
    }
}

extension BinaryReader {
    /// Reads fields up to the end, or to the padding. One whose tag `read` does not know is kept.
    ///
    /// - Parameter read: reads one field completely; returns false for an unknown tag, and then has read nothing.
    /// - Returns: the unknown ones.
    package mutating func fields(_ read: (UInt8, inout BinaryReader) -> Bool) -> [UnknownField] {
        var unknown: [UnknownField] = []
        var last: UInt8 = 1
        while isIntact, let tag = next, tag != 0 {
            _ = integer(UInt8.self)
            let short: UInt8 = integer()
            let length = short == 255 ? Int(integer(UInt32.self)) : Int(short)
            // One length has one form, and tags rise: what is read is what would be written.
            guard tag >= last, short < 255 || length >= 255, let bytes = take(length) else {
                fail(())
                return []
            }
            last = tag
            var field = BinaryReader(bytes)
            field.format = format
            if !read(tag, &field) {
                unknown.append(UnknownField(tag: tag, content: SecretBytes(copying: bytes)))
            } else if !field.isIntact || field.remaining > 0 {
                fail(())
            }
        }
        return unknown
    }

    /// The whole field.
    mutating func wholeText() -> String {
        take(remaining).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The whole field.
    mutating func wholeSecret() -> SecretBytes {
        take(remaining).map { SecretBytes(copying: $0) } ?? .empty
    }
}
