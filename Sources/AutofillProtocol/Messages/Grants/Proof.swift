// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Proof that the user is present: the secret of one of the vault's slots, in the request itself.
/// `{"passphrase": "…"}`, `{"key": {"base64": "…"}}` or `{"recoveryKey": "XXXX-…"}`; a prompt: `{"prompt": true}`; or what the
/// user gave at the caller's terminal before: `{"terminal": true}`.
package enum Proof: Message {
    case passphrase(SecretBytes)
    /// One that was typed at the caller's terminal, and is to hold there for a while: `{"passphrase": "…", "terminal": true}`.
    case typedPassphrase(SecretBytes)
    case key(SecretBytes)
    /// As it was typed.
    case recoveryKey(SecretBytes)
    /// The daemon prompts the user.
    case prompt
    /// The passphrase was typed at the caller's terminal a while ago.
    case terminal

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let given = try field { GivenSecret(proof: $0) }
        let isPrompt = try field(
            optional: "prompt", { $0.isPrompt ? true : nil }, .boolean, "Whether the daemon prompts the user.")
        let other: Proof? = isPrompt == true ? .prompt : given.isForTerminal ? .terminal : nil
        guard let proof = given.proof ?? other else {
            throw field.missing(
                "passphrase",
                "the passphrase, key {\"base64\": …} of \(Limits.keyBytes) bytes, prompt true, or terminal true")
        }
        return proof
    }

    private var isPrompt: Bool { if case .prompt = self { true } else { false } }
}

/// The members of a proof that are secrets: the first that is there counts.
struct GivenSecret: Message {
    /// A secret: neither a prompt nor what was given before.
    let proof: Proof?
    let isForTerminal: Bool

    private init(proof: Proof?, isForTerminal: Bool) { (self.proof, self.isForTerminal) = (proof, isForTerminal) }

    init(proof: Proof?) {
        switch proof {
        case .typedPassphrase: self.init(proof: proof, isForTerminal: true)
        case .terminal: self.init(proof: nil, isForTerminal: true)
        default: self.init(proof: proof, isForTerminal: false)
        }
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let passphrase = try field(
            optional: "passphrase", \.passphrase, .secret(1...Limits.passphraseBytes), "A passphrase of the vault.")
        let isForTerminal =
            try field(
                optional: "terminal", { $0.isForTerminal ? true : nil }, .boolean,
                """
                Beside a passphrase: whether it holds for a while at the caller's terminal, where it was typed. Alone, as \
                proof: whether one does.
                """) ?? false
        let key = try field(
            optional: "key", { if case .key(let secret) = $0.proof { secret } else { nil } },
            .data(Limits.keyBytes...Limits.keyBytes), "The key of one of its key files.")
        let typed = try field(
            optional: "recoveryKey", { if case .recoveryKey(let secret) = $0.proof { secret } else { nil } },
            .secret(1...Limits.recoveryKeyBytes), "Its recovery key, as it was typed.")
        return Self(
            proof: passphrase.map(isForTerminal ? Proof.typedPassphrase : Proof.passphrase) ?? key.map(Proof.key)
                ?? typed.map(Proof.recoveryKey),
            isForTerminal: isForTerminal)
    }

    private var passphrase: SecretBytes? {
        switch proof {
        case .passphrase(let secret), .typedPassphrase(let secret): secret
        default: nil
        }
    }
}
