// SPDX-License-Identifier: Apache-2.0
import Foundation

/// User and mount namespaces, which a kernel may deny to users.
package enum UserNamespaces {
    package static let need = "needs user namespaces, and unshare"

    package static let areAvailable: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["--user", "--mount", "/bin/true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}
