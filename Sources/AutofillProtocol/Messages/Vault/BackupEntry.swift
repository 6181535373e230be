// SPDX-License-Identifier: Apache-2.0

/// One backup.
package struct BackupEntry: Message, Hashable {
    package let path: String
    package let made: String?
    package let length: Int
    package let isAutomatic: Bool

    package init(path: String, made: String?, length: Int, isAutomatic: Bool) {
        (self.path, self.made, self.length, self.isAutomatic) = (path, made, length, isAutomatic)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            path: try field("path", \.path, .string(1...4096), "The path of the file."),
            made: try field(
                optional: "created", \.made, .instant,
                "Absent for one that was made before the vault was brought to a newer format."),
            length: try field("bytes", \.length, .integer(0...Int.max), "In bytes."),
            isAutomatic: try field("automatic", \.isAutomatic, .boolean, "Whether the daemon made it by itself."))
    }
}
