// SPDX-License-Identifier: Apache-2.0
package import PeerIdentity

/// What is known of a file's content.
package enum FileHash: Hashable, Sendable {
    /// Its SHA-256, in hexadecimal.
    case known(String)
    case unreadable
    /// Nobody has read it yet.
    case unread
}

/// The process at the other end, as the room that reads /proc gives it.
package struct Peer {
    package let evidence: PeerEvidence
    /// Reads again what stands for the process, before each release; throws when it has ended or become another.
    package let confirm: () throws(PeerRefusal) -> Void
    /// The SHA-256 of its executable, in hexadecimal, where the subject of a grant needs it.
    package let contentHash: String?
    /// The same of a file that a registration names, where it has been read already.
    package let hashOfFile: (ContentVersion) -> FileHash
    /// What the executables that a registration names are now.
    package let registered: ([String]) -> [RegisteredExecutable]

    package init(
        evidence: PeerEvidence, confirm: @escaping () throws(PeerRefusal) -> Void, contentHash: String?,
        hashOfFile: @escaping (ContentVersion) -> FileHash,
        registered: @escaping ([String]) -> [RegisteredExecutable]
    ) {
        self.evidence = evidence
        self.confirm = confirm
        self.contentHash = contentHash
        self.hashOfFile = hashOfFile
        self.registered = registered
    }
}

extension Peer {
    private static let passing = "process:"

    /// What stands for a program that could not be known again: this process, as long as it runs. Numbers and times of
    /// processes come again after a boot; the vault keeps the name as what wrote something.
    var passingName: String { "\(Self.passing)\(evidence.process)@\(evidence.startTime)/\(evidence.boot)" }

    /// Whether a subject's executable names no more than a running process.
    static func isPassing(_ executable: String) -> Bool { executable.hasPrefix(passing) }
}
