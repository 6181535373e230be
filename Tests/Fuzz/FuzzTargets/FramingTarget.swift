// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// The result is the same lines, however the bytes arrive.
enum FramingTarget {
    private static let limit = 32

    static func run(_ input: [UInt8]) throws {
        guard let first = input.first else { return }
        let bytes = Array(input.dropFirst())
        let whole = lines(of: bytes, in: bytes.count)
        let pieces = lines(of: bytes, in: Int(first % 64) + 1)
        try require(whole == pieces, "\(whole) whole, \(pieces) in pieces")
        let expected = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map { line in
            line.count <= limit ? Array(line) : nil
        }
        // A line over the limit is reported when it is noticed, so the last one may be without its line feed.
        try require(Array(whole.prefix(expected.count)) == expected, "\(whole), not \(expected)")
        try require(whole.count <= expected.count + 1, "\(whole) has more than \(expected)")
    }

    /// The lines, nil for one over the limit, when `step` bytes arrive at a time.
    private static func lines(of bytes: [UInt8], in step: Int) -> [[UInt8]?] {
        var framing = LineFraming(maximumLength: limit)
        var unread: [UInt8] = []
        var result: [[UInt8]?] = []
        for start in stride(from: 0, to: bytes.count, by: max(1, step)) {
            unread += bytes[start..<min(start + max(1, step), bytes.count)]
            reading: while true {
                switch unread.withUnsafeBytes({ framing.next(in: $0) }) {
                case .needsMore: break reading
                case .line(let length):
                    result.append(Array(unread[..<length]))
                    unread.removeFirst(length + 1)
                case .tooLong(let count):
                    result.append(nil)
                    unread.removeFirst(count)
                case .skip(let count): unread.removeFirst(count)
                }
            }
        }
        return result
    }
}
