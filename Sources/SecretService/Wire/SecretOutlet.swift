// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import SecretMemory

/// Where an app reads its master secret: the writing end of a pipe without a name, or a socket. The app has it too and may have filled
/// it: nothing waits for it. What lies in a file system is not looked at, for that may hang: `fstat` asks FUSE.
enum SecretOutlet {
    /// Writes a secret of at most 4096 bytes, which a pipe takes whole or not at all.
    ///
    /// - Returns: whether all of it was taken.
    static func write(_ secret: SecretBytes, to descriptor: Int32) -> Bool {
        let link = "/proc/self/fd/\(descriptor)"
        let kind = kind(link)
        if kind == "socket" {
            return secret.withUnsafeBytes { af_send_now(descriptor, $0.baseAddress, $0.count) } == secret.count
        }
        guard kind == "pipe" else { return false }
        // Opened anew: whether the app's own waits is the app's to change at any time.
        let own = open(link, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard own >= 0 else { return false }
        defer { close(own) }
        return secret.withUnsafeBytes { Glibc.write(own, $0.baseAddress, $0.count) } == secret.count
    }

    /// What comes before `:[` in the kernel's own word for what has no name (`pipe:[NUMBER]`); nil for what has a path, and none
    /// begins so. The kernel knows it without the file system.
    private static func kind(_ link: String) -> Substring? {
        var name = [UInt8](repeating: 0, count: 64)
        let length = readlink(link, &name, name.count)
        guard length > 0, name[0] != UInt8(ascii: "/") else { return nil }
        let text = String(decoding: name[..<length], as: UTF8.self)
        return text.firstRange(of: ":[").map { text[..<$0.lowerBound] }
    }
}
