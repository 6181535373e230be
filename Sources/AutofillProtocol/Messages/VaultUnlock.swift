// SPDX-License-Identifier: Apache-2.0

/// Opens the vault. Apps send nothing: the daemon asks the person.
package struct VaultUnlock: MethodCall {
    package static let method = Method.vaultUnlock
    /// What opens a slot, as members of the parameters themselves.
    package let secret: Proof?
    package let interaction: Interaction

    package init(secret: Proof? = nil, interaction: Interaction = .allow) {
        self.secret = secret
        self.interaction = interaction
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        secret = try Proof.optional(from: &members)
        interaction = try members.interaction()
    }

    package func write(to writer: inout JSONWriter) {
        secret?.write(to: &writer)
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
    }

    package struct Answer: WireValue, Hashable {
        /// False when it was open.
        package let changed: Bool
        /// How much was found wrong with it; not written while nothing was.
        package let findings: Int

        package init(changed: Bool, findings: Int) {
            self.changed = changed
            self.findings = findings
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            changed = try members.bool("changed")
            findings = try members.optionalInteger("findings", in: 0...Int.max) ?? 0
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("changed", changed)
            if findings > 0 { writer.member("findings", findings) }
        }
    }
}
