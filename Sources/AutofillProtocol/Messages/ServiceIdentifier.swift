// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A site: Apple's ASCredentialServiceIdentifier. `{"type": "domain", "value": "example.com"}`
package struct ServiceIdentifier: WireValue, Hashable {
    /// `domain`; of grants and releases `keychain` too, whose value is the access group, a slash and the items' service.
    /// Another, `url` and `origin` among them, is answered with `service-type-unsupported`.
    package let type: String
    package let value: String

    package init(type: String, value: String) {
        self.type = type
        self.value = value
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        type = try members.string("type", bytes: 1...32)
        value = try members.string("value", bytes: 1...2048)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("type", type)
        writer.member("value", value)
    }
}

/// Whether the person may be asked.
package enum Interaction: String, CaseIterable, Sendable {
    case allow, forbid
}

/// What shows that the person is there: what opens one of the vault's slots, in the request itself.
/// `{"passphrase": "…"}`, `{"key": {"base64": "…"}}` or `{"recoveryKey": "XXXX-…"}`; or a prompt: `{"prompt": true}`.
package enum Proof: WireValue {
    case passphrase(SecretBytes)
    case key(SecretBytes)
    /// As it was typed.
    case recoveryKey(SecretBytes)
    /// The daemon asks the person itself.
    case prompt

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        let secret = try Self.optional(from: &members)
        let isPrompt = try members.optionalBool("prompt") ?? false
        guard let proof = secret ?? (isPrompt ? .prompt : nil) else {
            throw members.missing(
                "passphrase", "the passphrase, key {\"base64\": …} of \(Limits.keyBytes) bytes, or prompt true")
        }
        self = proof
    }

    /// The first secret that is there.
    static func optional(from members: inout MemberReader) throws(ProtocolProblem) -> Proof? {
        let passphrase = try members.optionalSecret("passphrase", bytes: 1...Limits.passphraseBytes)
        let key = try members.optionalData("key", bytes: Limits.keyBytes...Limits.keyBytes)
        let typed = try members.optionalSecret("recoveryKey", bytes: 1...Limits.recoveryKeyBytes)
        return passphrase.map(Proof.passphrase) ?? key.map(Proof.key) ?? typed.map(Proof.recoveryKey)
    }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .passphrase(let passphrase): writer.member("passphrase", passphrase)
        case .key(let key):
            writer.key("key")
            writer.base64(key)
        case .prompt: writer.member("prompt", true)
        case .recoveryKey(let typed): writer.member("recoveryKey", typed)
        }
    }
}
