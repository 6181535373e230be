// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A folder of registrations for one test, removed with it.
package final class TestRegistrations: Sendable {
    package let path: String

    /// - Parameter files: the text of each file by bundle ID.
    package init(_ files: [String: String]) throws {
        path = NSTemporaryDirectory() + "/registrations-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for (bundleID, text) in files {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(bundleID).json"))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
