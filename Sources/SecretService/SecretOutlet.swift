// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import SecretMemory

/// Where an app reads its master secret: the writing end of a pipe, or a socket. The app has it too and may have filled it: nothing
/// waits for it.
enum SecretOutlet {
    /// Writes a secret of at most 4096 bytes, which a pipe takes whole or not at all.
    ///
    /// - Returns: whether all of it was taken.
    static func write(_ secret: SecretBytes, to descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        switch status.st_mode & S_IFMT {
        case S_IFSOCK:
            return secret.withUnsafeBytes { af_send_now(descriptor, $0.baseAddress, $0.count) } == secret.count
        case S_IFIFO:
            // Opened anew: whether the app's own waits is the app's to change at any time.
            let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            guard own >= 0 else { return false }
            defer { close(own) }
            return secret.withUnsafeBytes { Glibc.write(own, $0.baseAddress, $0.count) } == secret.count
        default: return false
        }
    }
}
