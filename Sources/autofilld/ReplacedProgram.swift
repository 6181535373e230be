// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Glibc
internal import Systemd

/// Whether the program's file was replaced or removed since this process was started: an upgrade restarts nothing, since
/// that would lock the vault.
enum ReplacedProgram {
    /// The mark that proc(5) adds to the path of a file that is no longer at it.
    private static let mark = " (deleted)"

    /// Its path.
    static var path: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + mark.utf8.count)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let link = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return link.hasSuffix(mark) ? String(link.dropLast(mark.utf8.count)) : nil
    }
}

extension JournalEntry {
    /// An older version than the installed one runs.
    init(replacedProgram path: String) {
        self.init(
            message:
                "[AutoFill] \(path) was replaced; autofilld \(ProductVersion.text) runs until it is restarted, which "
                + "locks the vault: systemctl --user try-restart autofilld", priority: .notice, messageID: nil,
            fields: [])
    }
}
