// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A folder of this process's own, which nobody else can read.
enum TemporaryFolder {
    /// Makes one.
    ///
    /// - Parameters:
    ///   - place: the folder in which it is made.
    ///   - name: what its name begins with.
    /// - Returns: its path; nil where none can be made, and errno says why.
    static func make(in place: String, named name: String) -> String? {
        var template = Array("\(place)/\(name).XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        return template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    }
}
