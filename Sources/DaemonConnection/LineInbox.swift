// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CAutofillLinux
internal import Glibc
internal import SecretMemory

/// What came from the daemon and was not read yet, cut into lines; wiped as it is read.
struct LineInbox: ~Copyable {
    /// More than the longest answer, a page of 500 credentials with the longest names: 8 MiB.
    private static let longestLine = 8 << 20
    private static let chunkBytes = 64 * 1024

    private var bytes = SecretBuffer()
    private var framing = LineFraming(maximumLength: longestLine)
    private var scanner = JSONScanner(maximumDepth: Limits.depth)

    /// Takes in what can be read now, and gives `deliver` each whole line of JSON.
    ///
    /// - Returns: false where the connection is of no use any more: it has ended, or a line is too long or no JSON.
    mutating func receive(from descriptor: Int32, _ deliver: (JSONValue) -> Void) -> Bool {
        var count = 0
        bytes.append(upTo: Self.chunkBytes) { room in
            count = af_receive_now(descriptor, room.baseAddress, room.count)
            return count
        }
        // What came before the end counts.
        while true {
            switch bytes.withUnsafeBytes({ framing.next(in: $0) }) {
            case .line(let length):
                guard read(length, deliver) else { return false }
                bytes.removeFirst(length + 1)
            case .needsMore: return count > 0 || count == Self.nothingYet
            case .tooLong, .skip: return false
            }
        }
    }

    private static let nothingYet = -Int(EAGAIN)

    private mutating func read(_ length: Int, _ deliver: (JSONValue) -> Void) -> Bool {
        bytes.withUnsafeBytes { all in
            (try? scanner.scan(UnsafeRawBufferPointer(rebasing: all[..<length])) { deliver($0) }) != nil
        }
    }
}
