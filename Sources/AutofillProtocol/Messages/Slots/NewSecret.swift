// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// The secret of one new slot: a passphrase, the key of a key file, or a recovery key that the daemon generates.
package enum NewSecret: Sendable {
    case passphrase(SecretBytes)
    case key(SecretBytes)
    case recoveryKey

    /// Whether only the daemon's answer has it.
    package var isDrawn: Bool { if case .recoveryKey = self { true } else { false } }
}

/// The secrets of new slots, as members of a call: `passphrase`, `key`, and `drawRecoveryKey: true`.
struct NewSecrets: Message {
    let all: [NewSecret]

    static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let passphrase = try field(
            optional: "passphrase", { $0.passphrase }, .secret(1...Limits.passphraseBytes), "A passphrase.")
        let key = try field(
            optional: "key", { $0.key }, .data(Limits.keyBytes...Limits.keyBytes), "The key of a key file.")
        let isDrawn = try field(
            "drawRecoveryKey", { $0.all.contains(where: \.isDrawn) }, .boolean, absent: false,
            "Whether the daemon draws a recovery key.")
        let secrets =
            [passphrase.map(NewSecret.passphrase), key.map(NewSecret.key), isDrawn ? .recoveryKey : nil]
            .compactMap(\.self)
        if secrets.isEmpty { throw field.missing("passphrase", "a passphrase, a key, or drawRecoveryKey: true") }
        return Self(all: secrets)
    }

    private var passphrase: SecretBytes? {
        for case .passphrase(let passphrase) in all { return passphrase }
        return nil
    }

    private var key: SecretBytes? {
        for case .key(let key) in all { return key }
        return nil
    }
}

extension FieldVisitor {
    /// The one secret that is given.
    mutating func secret(_ get: (Root) -> NewSecret) throws(ProtocolProblem) -> NewSecret {
        let secrets = try self { NewSecrets(all: [get($0)]) }
        guard let secret = secrets.all.first, secrets.all.count == 1 || !isReading else {
            throw invalid("passphrase", "one of passphrase, key and drawRecoveryKey")
        }
        return secret
    }
}
