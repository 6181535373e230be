// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Descriptors that come with bytes (SCM_RIGHTS).
extension SocketConnection {
    private static let headerSize = MemoryLayout<cmsghdr>.size

    /// Sends bytes, and descriptors in the same message.
    package func send(_ bytes: [UInt8], with descriptors: [Int32]) throws {
        if let sender { return try sender(bytes, descriptors) }
        var bytes = bytes
        let length = Self.headerSize + 4 * descriptors.count
        var control = [UInt64](repeating: 0, count: (length + 7) / 8)
        let sent = control.withUnsafeMutableBytes { control in
            var header = cmsghdr()
            header.cmsg_len = length
            header.cmsg_level = SOL_SOCKET
            header.cmsg_type = Int32(SCM_RIGHTS)
            control.storeBytes(of: header, as: cmsghdr.self)
            for (index, descriptor) in descriptors.enumerated() {
                control.storeBytes(of: descriptor, toByteOffset: Self.headerSize + 4 * index, as: Int32.self)
            }
            return Self.withMessage(&bytes, control) { sendmsg(descriptor, &$0, Int32(MSG_NOSIGNAL)) }
        }
        guard sent == bytes.count else { throw Failure.system(errno) }
    }

    /// Receives one byte, and the descriptor that comes with it, which the caller owns from then on.
    package func receiveDescriptor() throws -> Int32 {
        var byte: [UInt8] = [0]
        var control = [UInt64](repeating: 0, count: Self.headerSize / 8 + 1)
        return try control.withUnsafeMutableBytes { control in
            let count = Self.withMessage(&byte, control) { recvmsg(descriptor, &$0, Int32(MSG_CMSG_CLOEXEC)) }
            guard count > 0 else { throw count == 0 ? Failure.closed : Failure.system(errno) }
            let header = control.load(as: cmsghdr.self)
            guard header.cmsg_type == Int32(SCM_RIGHTS) else { throw Failure.system(EBADMSG) }
            return control.load(fromByteOffset: Self.headerSize, as: Int32.self)
        }
    }

    private static func withMessage(
        _ bytes: inout [UInt8], _ control: UnsafeMutableRawBufferPointer, _ body: (inout msghdr) -> Int
    ) -> Int {
        bytes.withUnsafeMutableBytes { bytes in
            var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
            return withUnsafeMutablePointer(to: &part) { part in
                var message = msghdr()
                message.msg_iov = part
                message.msg_iovlen = 1
                message.msg_control = control.baseAddress
                message.msg_controllen = control.count
                return body(&message)
            }
        }
    }
}
