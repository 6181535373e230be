// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Files that tests read and places where they write.
package enum TestFiles {
    /// The package's folder.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path(percentEncoded: false)

    /// The registrations of the examples.
    package static let registrations = root + "Tests/Registrations"

    /// Those of two apps that share an access group; they count only where root alone could have written them.
    package static let sharedRegistrations = root + "Tests/SharedRegistrations"

    /// The beginning of a command line: what follows sees the files of directories in /etc and /usr, and nothing of an
    /// autofilld of this machine.
    package static func isolated(etc: String, usr: String? = nil) -> [String] {
        [root + "Tests/isolate", "--etc", etc] + (usr.map { ["--usr", $0] } ?? [])
    }

    /// The key of every vault in tests: 32 bytes of "k".
    package static let key = Data(repeating: UInt8(ascii: "k"), count: 32)

    /// A folder of its own for a test, short enough for a socket's path.
    package static func folder() throws -> String {
        var template = Array("/tmp/aft.XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        return String(cString: made)
    }

    /// A key file as systemd's credentials directory would have it.
    package static func keyFile() throws -> String { try sharedKeyFile.get() }

    private static func remove(folderOf path: String) {
        try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent())
    }

    /// One for all tests of this process, gone with it.
    private static let sharedKeyFile = Result { () throws -> String in
        let path = try folder() + "/autofilld.vault-key"
        guard FileManager.default.createFile(atPath: path, contents: key, attributes: [.posixPermissions: 0o600]) else {
            throw POSIXError(.EIO)
        }
        atexit { if let path = try? TestFiles.keyFile() { TestFiles.remove(folderOf: path) } }
        return path
    }
}
