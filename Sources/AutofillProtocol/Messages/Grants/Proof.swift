// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Proof that the user is present, in the request itself: the secret of one of the vault's slots, a prompt, or what the user
/// gave at the caller's terminal before. `{"type": "passphrase", "passphrase": "…"}`
package enum Proof: VariantMessage {
    package enum Kind: String, CaseIterable, Sendable {
        case passphrase, key, recoveryKey, prompt, terminal
    }

    case passphrase(SecretBytes)
    /// One that was typed at the caller's terminal, and is to hold there for a while.
    case typedPassphrase(SecretBytes)
    case key(SecretBytes)
    /// As it was typed.
    case recoveryKey(SecretBytes)
    /// The daemon prompts the user.
    case prompt
    /// The passphrase was typed at the caller's terminal a while ago.
    case terminal

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        switch try field.variant("type", \.kind, "What the proof is.") {
        case .passphrase:
            let passphrase = try field(
                "passphrase", \.bytes, .secret(1...Limits.passphraseBytes), "A passphrase of the vault.")
            let isTyped = try field(
                "typedAtTerminal", \.isTyped, .boolean, absent: false,
                "Whether it was typed at the caller's terminal, and holds there for a while.")
            return isTyped ? .typedPassphrase(passphrase) : .passphrase(passphrase)
        case .key:
            return .key(
                try field(
                    "key", \.bytes, .data(Limits.keyBytes...Limits.keyBytes), "The key of one of its key files."))
        case .recoveryKey:
            return .recoveryKey(
                try field(
                    "recoveryKey", \.bytes, .secret(1...Limits.recoveryKeyBytes), "Its recovery key, as it was typed."))
        case .prompt: return .prompt
        case .terminal: return .terminal
        }
    }

    package var kind: Kind {
        switch self {
        case .passphrase, .typedPassphrase: .passphrase
        case .key: .key
        case .recoveryKey: .recoveryKey
        case .prompt: .prompt
        case .terminal: .terminal
        }
    }

    private var isTyped: Bool { if case .typedPassphrase = self { true } else { false } }

    /// The secret of a kind that has one.
    private var bytes: SecretBytes {
        switch self {
        case .passphrase(let secret), .typedPassphrase(let secret), .key(let secret), .recoveryKey(let secret): secret
        case .prompt, .terminal: SecretBytes(utf8: "")
        }
    }
}

extension Proof {
    /// Made once: most requests bring no proof.
    fileprivate static let kinds = Kind.allCases
}

extension WireType where Self == VariantType<Proof> {
    package static var proof: Self { VariantType(Proof.kinds) }
    /// The secret itself.
    package static var secretProof: Self { VariantType([.passphrase, .key, .recoveryKey]) }
}
