// SPDX-License-Identifier: Apache-2.0

/// One backup.
package struct BackupEntry: WireValue, Hashable {
    package let path: String
    /// nil for one that was made before the vault was brought to a newer format.
    package let made: String?
    package let length: Int
    package let isAutomatic: Bool

    package init(path: String, made: String?, length: Int, isAutomatic: Bool) {
        self.path = path
        self.made = made
        self.length = length
        self.isAutomatic = isAutomatic
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        path = try members.string("path", bytes: 1...4096)
        made = try members.optionalString("made", bytes: 1...64)
        length = try members.integer("length", in: 0...Int.max)
        isAutomatic = try members.bool("automatic")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("path", path)
        writer.member("made", orNull: made)
        writer.member("length", length)
        writer.member("automatic", isAutomatic)
    }
}
