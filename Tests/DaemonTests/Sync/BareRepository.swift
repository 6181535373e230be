// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

/// A bare git repository.
final class BareRepository {
    static let program = "/usr/bin/git"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    let path: String

    init() throws {
        path = try TestFiles.folder() + "/passwords.git"
        let made = try git("init", "--quiet", "--bare", path)
        try #require(made.status == 0, "\(made.output)")
    }

    deinit { try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent()) }

    @discardableResult
    private func git(_ arguments: String...) throws -> ForeignProgram {
        try ForeignProgram(Self.program, arguments)
    }

    /// Removes a device's branch, as a host may that loses it; but for one that a push that has not ended has locked.
    func removeBranch(of device: String) throws {
        let branches = try git("--git-dir", path, "for-each-ref", "--format=%(refname)").output.split(separator: "\n")
        for branch in branches where branch.hasSuffix("/" + device) {
            try git("--git-dir", path, "update-ref", "-d", String(branch))
        }
    }
}
