// SPDX-License-Identifier: Apache-2.0

/// Splits a browser's output to its native messaging host into messages: four bytes with the length in the machine's byte order,
/// then as many bytes of UTF-8 JSON. The caller stores the bytes.
package struct NativeFraming: Sendable {
    /// The longest message in either direction, in bytes: the limit of a browser for messages of its host.
    package static let maximumLength = 1 << 20
    package static let headerLength = 4

    private var skipping = 0

    package init() {}

    package enum Step: Hashable, Sendable {
        /// A message follows the header: drop both.
        case message(length: Int)
        case needsMore
        /// A message over the limit begins here: refuse it, and drop `count` bytes. Returned once per message.
        case tooLong(dropping: Int)
        /// More of a message that was refused: drop `count` bytes.
        case skip(dropping: Int)
    }

    /// The next step, given all the bytes not yet dropped.
    package mutating func next(in unread: UnsafeRawBufferPointer) -> Step {
        if skipping > 0 {
            let count = min(skipping, unread.count)
            skipping -= count
            return count == 0 ? .needsMore : .skip(dropping: count)
        }
        guard unread.count >= Self.headerLength else { return .needsMore }
        let length = Int(unread.loadUnaligned(as: UInt32.self))
        if length > Self.maximumLength {
            skipping = length
            return .tooLong(dropping: Self.headerLength)
        }
        return unread.count - Self.headerLength >= length ? .message(length: length) : .needsMore
    }

    /// The header of a message.
    package static func header(of length: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(length)) { Array($0) }
    }
}
