// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import Testing

/// The other end of a connection.
final class TestClient {
    private(set) var descriptor: Int32
    private(set) var isEnded = false
    private var rest: [UInt8] = []

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close() }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    /// Whether something that was sent has not been received by the other end.
    var hasUnreadInput: Bool {
        var count: Int32 = 0
        // SIOCOUTQ (unix(7)).
        return ioctl(descriptor, 0x5411, &count) == 0 && count > 0
    }

    func endInput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// How much of it went.
    @discardableResult
    func send(_ text: String) -> Int {
        Array(text.utf8).withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
    }

    /// Sends descriptors along.
    func send(_ text: String, with descriptors: [Int32], flags: Int32 = 0) {
        var bytes = Array(text.utf8)
        let start = MemoryLayout<cmsghdr>.size
        let length = start + 4 * descriptors.count
        var control = [UInt64](repeating: 0, count: (length + 7) / 8)
        control.withUnsafeMutableBytes { memory in
            var header = cmsghdr()
            header.cmsg_len = length
            header.cmsg_level = SOL_SOCKET
            header.cmsg_type = Int32(SCM_RIGHTS)
            memory.storeBytes(of: header, as: cmsghdr.self)
            for (index, descriptor) in descriptors.enumerated() {
                memory.storeBytes(of: descriptor, toByteOffset: start + 4 * index, as: Int32.self)
            }
            let size = memory.count
            bytes.withUnsafeMutableBytes { text in
                var buffer = iovec(iov_base: text.baseAddress, iov_len: text.count)
                withUnsafeMutablePointer(to: &buffer) { buffer in
                    var message = msghdr()
                    message.msg_iov = buffer
                    message.msg_iovlen = 1
                    message.msg_control = memory.baseAddress
                    message.msg_controllen = size
                    #expect(sendmsg(descriptor, &message, flags) == text.count)
                }
            }
        }
    }

    /// What has arrived, each in short; `isEnded` when there will be no more.
    ///
    /// An answer is its request's id; a refusal is followed by its first reason, or by the problem of the message. One
    /// without an id has `-` instead, and an event is `event`.
    func answers() throws -> [String] { try lines().map(Self.short) }

    private static func short(_ line: String) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        if object?["method"] != nil { return "event" }
        let id = (object?["id"] as? Int).map(String.init) ?? "-"
        guard object?["error"] != nil else { return id }
        let answer = try TestAnswer(line)
        return "\(id) \(answer.problem ?? answer.reasons.first ?? "")"
    }

    /// The whole lines that have arrived; `isEnded` when there will be no more.
    func lines() -> [String] {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !isEnded {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { rest += buffer[..<count] } else if count == 0 || errno != EAGAIN { isEnded = true }
            if count < 0 { break }
        }
        var lines = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
        rest = Array(lines.removeLast())
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}
