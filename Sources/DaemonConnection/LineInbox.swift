// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CAutofillLinux
internal import Glibc
internal import SecretMemory

/// Bytes of the daemon that were not read yet, split into lines. They are wiped when they are read.
struct LineInbox: ~Copyable {
    private static let chunkBytes = 64 * 1024

    private var bytes = SecretBuffer()
    private var framing = LineFraming(maximumLength: Limits.answerBytes)
    private var scanner = JSONScanner(maximumDepth: Limits.depth)

    /// Receives what can be read without blocking, and passes each whole line of JSON to `deliver`.
    ///
    /// - Returns: false if the connection can no longer be used: it has ended, or a line is too long or not JSON.
    mutating func receive(from descriptor: Int32, _ deliver: (JSONValue) -> Void) -> Bool {
        var count = 0
        bytes.append(upTo: Self.chunkBytes) { space in
            count = af_receive_now(descriptor, space.baseAddress, space.count)
            return count
        }
        // Lines before the end are delivered.
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
