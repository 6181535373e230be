// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// A vault that a passphrase and the tests' key open. The real daemon makes it once, which takes seconds; each test has a
/// copy.
enum MadeVault {
    static let passphrase = "four words by chance"

    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// The folder of a copy, for `--data-directory`; it is deleted when the process ends.
    static func copy() throws -> String {
        let copy =
            URL(filePath: try folder.get()).deletingLastPathComponent().path(percentEncoded: false)
            + UUID().uuidString
        try FileManager.default.copyItem(atPath: try folder.get(), toPath: copy)
        return copy
    }

    private static let folder: Result<String, any Error> = Result {
        let daemon = try DaemonProcess(isEphemeral: false, opensWithKey: false)
        let user = try SocketConnection(to: daemon.socket)
        try user.hello("org.autofilld.autofillctl")
        let made = try user.call(
            "admin.vault.create", ["passphrase": passphrase, "key": ["base64": TestFiles.key.base64EncodedString()]])
        guard made.result != nil, daemon.terminate() == 0 else { throw Failed(description: "\(made)") }
        let folder = try TestFiles.folder()
        try FileManager.default.copyItem(atPath: daemon.folder + "/data", toPath: folder + "/data")
        atexit { MadeVault.remove() }
        return folder + "/data"
    }

    private static func remove() {
        guard let data = try? folder.get() else { return }
        try? FileManager.default.removeItem(at: URL(filePath: data).deletingLastPathComponent())
    }
}
