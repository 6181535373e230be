// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Makes the vault, with one slot for each secret given. Works only where none is.
package struct VaultCreate: MethodCall {
    package static let method = Method.vaultCreate
    package let secrets: [NewSecret]

    package init(secrets: [NewSecret]) { self.secrets = secrets }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        secrets = try NewSecret.all(from: &members)
    }

    package func write(to writer: inout JSONWriter) {
        for secret in secrets { secret.write(to: &writer) }
    }

    package struct Answer: WireValue {
        /// What each slot protects from, and what not.
        package let slots: [SlotReport]
        /// The recovery key that was drawn, grouped. Told this once.
        package let recoveryKey: SecretBytes?

        package init(slots: [SlotReport], recoveryKey: SecretBytes?) {
            self.slots = slots
            self.recoveryKey = recoveryKey
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            slots = try members.values("slots")
            recoveryKey = try members.optionalSecret("recoveryKey", bytes: 1...Limits.recoveryKeyBytes)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("slots", slots)
            if let recoveryKey { writer.member("recoveryKey", recoveryKey) }
        }
    }
}

/// One way to open the vault.
package struct SlotReport: WireValue, Hashable {
    /// `passphrase`, `key` or `recoveryKey`.
    package let kind: String
    package let protects: String

    package init(kind: String, protects: String) {
        self.kind = kind
        self.protects = protects
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        kind = try members.string("kind", bytes: 1...32)
        protects = try members.string("protects", bytes: 0...1024)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("kind", kind)
        writer.member("protects", protects)
    }
}

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

/// Closes the vault: its keys leave the memory.
package struct VaultLock: MethodCall {
    package typealias Answer = Changed
    package static let method = Method.vaultLock

    package init() {}
    package init(from members: inout MemberReader) throws(ProtocolProblem) {}
    package func write(to writer: inout JSONWriter) {}
}
