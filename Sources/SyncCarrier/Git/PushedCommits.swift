// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PathInspection

/// The commits that this machine has made for its branch. A branch with another one was pushed by a twin: a machine with
/// a copy of this one's data.
struct PushedCommits {
    private static let file = "autofilld-pushed"
    /// The last ones are kept: the remote may be set back to an older one.
    private static let limit = 256

    private let repository: String
    private let branch: String

    init(in repository: String, of own: CarrierConfiguration.Own) {
        self.repository = repository
        branch = "\(own.group)/\(own.device) "
    }

    /// Nil where none was recorded, since the spool is new.
    func all() throws(SystemCallFailure) -> Set<String>? {
        let lines = try read().filter { $0.hasPrefix(branch) }
        return lines.isEmpty ? nil : Set(lines.map { String($0.dropFirst(branch.count)) })
    }

    /// Records one before it is pushed.
    func add(_ commit: String) throws(SystemCallFailure) {
        let line = branch + commit
        let lines = try read().filter { $0 != line }.suffix(Self.limit - 1) + [line]
        let directory = try Descriptor.folder(repository)
        try directory.replaceFile(Self.file, with: Array((lines.joined(separator: "\n") + "\n").utf8))
        try directory.synchronize()
    }

    private func read() throws(SystemCallFailure) -> [String] {
        guard let (file, _) = try Descriptor.folder(repository).plainFile(Self.file) else { return [] }
        return String(decoding: try file.read(atMost: 1 << 20), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
