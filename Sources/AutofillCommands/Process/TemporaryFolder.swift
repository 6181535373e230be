// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A private folder of this process.
enum TemporaryFolder {
    /// Creates a folder.
    ///
    /// - Parameters:
    ///   - parent: the folder in which it is created.
    ///   - name: the beginning of its name.
    /// - Returns: its path; nil if it cannot be created, with the cause in errno.
    static func make(in parent: String, named name: String) -> String? {
        var template = Array("\(parent)/\(name).XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        return template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    }
}
