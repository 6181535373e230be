// SPDX-License-Identifier: Apache-2.0

/// The backups that the vault knows of.
package struct BackupList: ProvableCall {
    package static let method = Method.backupList
    package let proof: Proof?

    package init(proof: Proof?) { self.proof = proof }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let backups: [BackupEntry]

        package init(backups: [BackupEntry]) { self.backups = backups }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            backups = try members.values("backups")
        }

        package func write(to writer: inout JSONWriter) { writer.member("backups", backups) }
    }
}
