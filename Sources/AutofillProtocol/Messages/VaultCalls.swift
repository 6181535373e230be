// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Makes the vault, with one slot for each secret given. Works only where none is.
package struct VaultCreate: MethodCall {
    package static let method = Method.vaultCreate
    package let passphrase: SecretBytes?
    package let key: SecretBytes?

    package init(passphrase: SecretBytes? = nil, key: SecretBytes? = nil) {
        self.passphrase = passphrase
        self.key = key
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        passphrase = try members.optionalSecret("passphrase", bytes: 1...Limits.passphraseBytes)
        key = try members.optionalData("key", bytes: Limits.keyBytes...Limits.keyBytes)
        if passphrase == nil, key == nil { throw members.missing("passphrase", "a passphrase, a key, or both") }
    }

    package func write(to writer: inout JSONWriter) {
        if let passphrase { writer.member("passphrase", passphrase) }
        if let key {
            writer.key("key")
            writer.base64(key)
        }
    }

    package struct Answer: WireValue, Hashable {
        /// What each slot protects from, and what not.
        package let slots: [SlotReport]

        package init(slots: [SlotReport]) { self.slots = slots }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            slots = try members.values("slots")
        }

        package func write(to writer: inout JSONWriter) { writer.member("slots", slots) }
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
    package typealias Answer = Changed
    package static let method = Method.vaultUnlock
    package let passphrase: SecretBytes?
    package let key: SecretBytes?
    package let interaction: Interaction

    package init(passphrase: SecretBytes? = nil, key: SecretBytes? = nil, interaction: Interaction = .allow) {
        self.passphrase = passphrase
        self.key = key
        self.interaction = interaction
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        passphrase = try members.optionalSecret("passphrase", bytes: 1...Limits.passphraseBytes)
        key = try members.optionalData("key", bytes: Limits.keyBytes...Limits.keyBytes)
        interaction = try members.interaction()
    }

    package func write(to writer: inout JSONWriter) {
        if let passphrase { writer.member("passphrase", passphrase) }
        if let key {
            writer.key("key")
            writer.base64(key)
        }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
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
