// SPDX-License-Identifier: Apache-2.0

/// What is accepted from a folder that anybody may have written to.
package enum SyncFileLimits {
    /// Of one file.
    package static let fileBytes = 256 << 20
    /// Records and counters of one file.
    package static let entries = 1_000_000
    /// Devices that a file or a group names, former ones included.
    package static let devices = 1024
    /// Present members.
    package static let members = 64
    /// Statements of a file or a group.
    package static let statements = 4096
    /// One statement: an epoch for all members.
    package static let statementBytes = 8192
    /// The user's name for a machine, in UTF-8.
    package static let nameBytes = 255
    /// Numbers of files. The name of a file has eight digits.
    package static let sequences: ClosedRange<UInt64> = 1...99_999_999
    /// An invitation, or an answer to one.
    package static let invitationBytes = 65_536
    /// How much is sealed at once, unless one record is larger: a reader needs no more memory.
    static let batchBytes = 60 << 10

    /// The beginning of a name, as much as is accepted.
    static func name(_ text: String) -> String {
        var name = text
        while name.utf8.count > nameBytes { name.removeLast() }
        return name
    }
}
