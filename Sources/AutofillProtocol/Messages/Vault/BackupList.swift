// SPDX-License-Identifier: Apache-2.0

package struct BackupList: ProofCall {
    package static let declaration = MethodDeclaration(
        .backupList, "Lists the recorded backups of the vault.", .administer, vault: .open, proof: .needed,
        repeatable: true
    )
    package let proof: Proof?

    package init(proof: Proof?) { self.proof = proof }

    package struct Answer: Message, Hashable {
        package let backups: [BackupEntry]

        package init(backups: [BackupEntry]) { self.backups = backups }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                backups: try field(
                    "backups", \.backups, .objects(), "All that it knows of and that are still there."))
        }
    }
}
