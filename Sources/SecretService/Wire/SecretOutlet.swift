// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import SecretMemory

/// The descriptor through which an app reads its master secret: the writing end of an unnamed pipe, or a socket. The
/// app has the descriptor too and may have filled it: writing never blocks. Files are not inspected, because that may
/// block: `fstat` calls FUSE.
enum SecretOutlet {
    /// Writes a secret of at most 4096 bytes, which is written to a pipe completely or not at all.
    ///
    /// - Returns: whether all of it was written.
    static func write(_ secret: SecretBytes, to descriptor: Int32) -> Bool {
        let link = "/proc/self/fd/\(descriptor)"
        let kind = kind(link)
        if kind == "socket" {
            return secret.withUnsafeBytes { af_send_now(descriptor, $0.baseAddress, $0.count) } == secret.count
        }
        guard kind == "pipe" else { return false }
        // Opened again: the app can change the blocking mode of its own description at any time.
        let own = open(link, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard own >= 0 else { return false }
        defer { close(own) }
        return secret.withUnsafeBytes { Glibc.write(own, $0.baseAddress, $0.count) } == secret.count
    }

    /// The text before `:[` in the kernel's name of an unnamed file (`pipe:[NUMBER]`); nil for a file with a path. The
    /// kernel returns it without a call to the file system.
    private static func kind(_ link: String) -> Substring? {
        var name = [UInt8](repeating: 0, count: 64)
        let length = readlink(link, &name, name.count)
        guard length > 0, name[0] != UInt8(ascii: "/") else { return nil }
        let text = String(decoding: name[..<length], as: UTF8.self)
        return text.firstRange(of: ":[").map { text[..<$0.lowerBound] }
    }
}
