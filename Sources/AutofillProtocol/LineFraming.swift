// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// Finds the lines, terminated by LF, in a stream of bytes that the caller stores; it stores no bytes itself.
///
/// The caller offers all unread bytes, does what the step requires, and offers the rest again until it needs more. A
/// carriage return before the LF belongs to the line; to JSON it is white space.
package struct LineFraming: Sendable {
    /// The longest line, in bytes, without its LF.
    package let maximumLength: Int
    // Unread bytes that were searched before and have no LF.
    private var searched = 0
    private var isSkipping = false

    package init(maximumLength: Int) { self.maximumLength = maximumLength }

    package enum Step: Hashable, Sendable {
        /// The first `length` bytes are a line; drop them and the LF after them.
        case line(length: Int)
        /// There is no whole line: retain the bytes and append to them.
        case needsMore
        /// A line over the limit begins here: refuse it, and drop `count` bytes. Returned once for each line.
        case tooLong(dropping: Int)
        /// More of a line that was refused: drop `count` bytes.
        case skip(dropping: Int)
    }

    /// The next step, given all the bytes not yet dropped.
    package mutating func next(in unread: UnsafeRawBufferPointer) -> Step {
        let found = Self.lineFeed(in: UnsafeRawBufferPointer(rebasing: unread.dropFirst(searched)))
        let end = found.map { $0 + searched }
        searched = 0
        if isSkipping {
            if unread.isEmpty { return .needsMore }
            isSkipping = end == nil
            return .skip(dropping: end.map { $0 + 1 } ?? unread.count)
        }
        if let end {
            return end <= maximumLength ? .line(length: end) : .tooLong(dropping: end + 1)
        }
        if unread.count > maximumLength {
            isSkipping = true
            return .tooLong(dropping: unread.count)
        }
        searched = unread.count
        return .needsMore
    }

    /// The position of the first LF.
    package static func lineFeed(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress, !bytes.isEmpty, let found = memchr(start, 0x0A, bytes.count) else {
            return nil
        }
        return UnsafeRawPointer(found) - start
    }
}
