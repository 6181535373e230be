// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Glibc
import SecretMemory

/// The received bytes that were not read yet, split into lines.
struct Inbox: ~Copyable {
    private var bytes: [UInt8] = []
    private var framing = LineFraming(maximumLength: Limits.answerBytes)
    private var scanner = JSONScanner(maximumDepth: 32)

    /// Receives what can be read without blocking, and delivers each whole line of JSON.
    ///
    /// - Throws: if the connection can no longer be used: it has ended, or a line is too long or not JSON.
    mutating func receive(
        from descriptor: Int32, transcript: Transcript?, _ deliver: (JSONValue) -> Void
    ) throws(AutofillError) {
        let old = bytes.count
        bytes += repeatElement(0, count: 64 * 1024)
        let count = bytes.withUnsafeMutableBytes { all in
            recv(descriptor, all.baseAddress?.advanced(by: old), all.count - old, Int32(MSG_DONTWAIT))
        }
        let isEmpty = count < 0 && (errno == EAGAIN || errno == EINTR)
        bytes.removeLast(bytes.count - old - max(count, 0))
        guard count > 0 || isEmpty else { throw .connectionLost }
        var start = 0
        while let length = try lineLength(from: start) {
            try read(start..<start + length, transcript, deliver)
            start += length + 1
        }
        // What was read may be a password. What remains unread is overwritten by the next bytes.
        bytes.withUnsafeMutableBytes { SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: $0[..<start])) }
        bytes.removeFirst(start)
    }

    private mutating func lineLength(from start: Int) throws(AutofillError) -> Int? {
        let step = bytes.withUnsafeBytes { framing.next(in: UnsafeRawBufferPointer(rebasing: $0[start...])) }
        switch step {
        case .line(let length): return length
        case .needsMore: return nil
        case .tooLong, .skip: throw .answerNotUnderstood("a line of more than \(Limits.answerBytes) bytes")
        }
    }

    private mutating func read(
        _ range: Range<Int>, _ transcript: Transcript?, _ deliver: (JSONValue) -> Void
    ) throws(AutofillError) {
        if let transcript { transcript(.received(String(decoding: bytes[range], as: UTF8.self))) }
        let result: Result<Void, JSONError> = bytes.withUnsafeBytes { all in
            Result { () throws(JSONError) in
                try scanner.scan(UnsafeRawBufferPointer(rebasing: all[range])) { deliver($0) }
            }
        }
        if case .failure(let error) = result { throw .answerNotUnderstood("\(error)") }
    }
}
