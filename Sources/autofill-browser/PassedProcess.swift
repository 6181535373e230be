// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Bytes for a socket, with a descriptor in the same message where there is one (SCM_RIGHTS).
enum PassedProcess {
    private static let headerSize = MemoryLayout<cmsghdr>.size

    /// Whether all went. Waits until the other end has read enough.
    ///
    /// - Parameter passed: goes with the first byte; -1 for none.
    static func send(_ bytes: [UInt8], with passed: Int32, on socket: Int32) -> Bool {
        var bytes = bytes
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeMutableBytes { all in
                let rest = UnsafeMutableRawBufferPointer(rebasing: all[sent...])
                return passed >= 0 && sent == 0
                    ? sendFirst(rest, passed, socket)
                    : Glibc.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 || errno == EINTR else { return false }
            sent += max(count, 0)
        }
        return true
    }

    private static func sendFirst(_ bytes: UnsafeMutableRawBufferPointer, _ passed: Int32, _ socket: Int32) -> Int {
        var control = [UInt64](repeating: 0, count: headerSize / 8 + 1)
        return control.withUnsafeMutableBytes { control in
            var header = cmsghdr()
            header.cmsg_len = headerSize + 4
            header.cmsg_level = SOL_SOCKET
            header.cmsg_type = Int32(SCM_RIGHTS)
            control.storeBytes(of: header, as: cmsghdr.self)
            control.storeBytes(of: passed, toByteOffset: headerSize, as: Int32.self)
            var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
            return withUnsafeMutablePointer(to: &part) { part in
                var message = msghdr()
                message.msg_iov = part
                message.msg_iovlen = 1
                message.msg_control = control.baseAddress
                message.msg_controllen = control.count
                return sendmsg(socket, &message, Int32(MSG_NOSIGNAL))
            }
        }
    }
}
