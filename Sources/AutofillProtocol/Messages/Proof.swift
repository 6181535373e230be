// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// What shows that the person is there: what opens one of the vault's slots, in the request itself.
/// `{"passphrase": "…"}`, `{"key": {"base64": "…"}}` or `{"recoveryKey": "XXXX-…"}`; or a prompt: `{"prompt": true}`.
package enum Proof: Message {
    case passphrase(SecretBytes)
    case key(SecretBytes)
    /// As it was typed.
    case recoveryKey(SecretBytes)
    /// The daemon asks the person itself.
    case prompt

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let secret = try field { GivenSecret(proof: $0) }.proof
        let isPrompt = try field(
            optional: "prompt", { $0.isPrompt ? true : nil }, .boolean, "Whether the daemon asks the person itself.")
        guard let proof = secret ?? (isPrompt == true ? .prompt : nil) else {
            throw field.missing(
                "passphrase", "the passphrase, key {\"base64\": …} of \(Limits.keyBytes) bytes, or prompt true")
        }
        return proof
    }

    private var isPrompt: Bool { if case .prompt = self { true } else { false } }
}

/// The members of a proof that are secrets: the first that is there counts.
struct GivenSecret: Message {
    /// Not a prompt.
    let proof: Proof?

    static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let passphrase = try field(
            optional: "passphrase", { if case .passphrase(let secret) = $0.proof { secret } else { nil } },
            .secret(1...Limits.passphraseBytes), "A passphrase of the vault.")
        let key = try field(
            optional: "key", { if case .key(let secret) = $0.proof { secret } else { nil } },
            .data(Limits.keyBytes...Limits.keyBytes), "The key of one of its key files.")
        let typed = try field(
            optional: "recoveryKey", { if case .recoveryKey(let secret) = $0.proof { secret } else { nil } },
            .secret(1...Limits.recoveryKeyBytes), "Its recovery key, as it was typed.")
        return Self(
            proof: passphrase.map(Proof.passphrase) ?? key.map(Proof.key) ?? typed.map(Proof.recoveryKey))
    }
}
