// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// A directory for one test, deleted after it. Its path is short enough for a socket's.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/autofill-test.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemFailure(number: errno) }
        path = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, and makes the directories above it.
    package func write(_ name: String, _ text: String) throws {
        let file = "\(path)/\(name)"
        let parent = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
        try FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try text.write(toFile: file, atomically: false, encoding: .utf8)
    }
}

/// A system call of a test failed.
package struct SystemFailure: Error {
    package let number: Int32

    package init(number: Int32) { self.number = number }
}
