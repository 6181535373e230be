// SPDX-License-Identifier: Apache-2.0

package struct SyncConflicts: ProofCall {
    package static let declaration = MethodDeclaration(
        .syncConflicts, "Lists the passwords that two machines changed without the other's change.", .administer,
        vault: .open, proof: .needed, prompt: true, repeatable: true)
    package let proof: Proof?

    package init(proof: Proof?) { self.proof = proof }

    package struct Answer: Message, Hashable {
        package let conflicts: [SyncConflict]

        package init(conflicts: [SyncConflict]) { self.conflicts = conflicts }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(conflicts: try field("conflicts", \.conflicts, .objects(), "The last 100, the newest first."))
        }
    }
}

/// A password that two machines changed.
package struct SyncConflict: Message, Hashable {
    package let credential: String
    package let service: ServiceIdentifier?
    package let user: String
    package let used: SyncChange
    package let former: SyncChange
    package let isDeletion: Bool

    package init(
        credential: String, service: ServiceIdentifier?, user: String, used: SyncChange, former: SyncChange,
        isDeletion: Bool
    ) {
        (self.credential, self.service, self.user) = (credential, service, user)
        (self.used, self.former, self.isDeletion) = (used, former, isDeletion)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            credential: try field("credential", \.credential, .string(1...64), "The credential."),
            service: try field(optional: "service", \.service, .object(), "What it is for."),
            user: try field("user", \.user, .string(0...Limits.userBytes), "Its user name."),
            used: try field("used", \.used, .object(), "The change that is in use."),
            former: try field("former", \.former, .object(), "The other one, which is in the history."),
            isDeletion: try field("deletion", \.isDeletion, .boolean, "Whether the other one is a deletion."))
    }
}

/// A change by a machine.
package struct SyncChange: Message, Hashable {
    package let device: String
    package let name: String
    package let changed: String

    package init(device: String, name: String, changed: String) {
        (self.device, self.name, self.changed) = (device, name, changed)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            device: try field("device", \.device, .string(32...32), "The machine."),
            name: try field("name", \.name, .string(0...Limits.deviceNameBytes), "The user's name for it."),
            changed: try field("changed", \.changed, .instant, "When it was changed there."))
    }
}
