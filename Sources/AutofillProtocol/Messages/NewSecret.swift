// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// The secret of one new slot: a passphrase, the key of a key file, or a recovery key that the daemon draws.
package enum NewSecret: Sendable {
    case passphrase(SecretBytes)
    case key(SecretBytes)
    case recoveryKey

    /// Whether only the daemon's answer has it.
    package var isDrawn: Bool { if case .recoveryKey = self { true } else { false } }

    /// All that are given, at least one: members `passphrase`, `key`, and `recoveryKey: true`.
    static func all(from members: inout MemberReader) throws(ProtocolProblem) -> [NewSecret] {
        var secrets: [NewSecret] = []
        if let passphrase = try members.optionalSecret("passphrase", bytes: 1...Limits.passphraseBytes) {
            secrets.append(.passphrase(passphrase))
        }
        if let key = try members.optionalData("key", bytes: Limits.keyBytes...Limits.keyBytes) {
            secrets.append(.key(key))
        }
        if try members.optionalBool("recoveryKey") == true { secrets.append(.recoveryKey) }
        guard !secrets.isEmpty else {
            throw members.missing("passphrase", "a passphrase, a key, or recoveryKey: true")
        }
        return secrets
    }

    /// The one that is given.
    static func one(from members: inout MemberReader) throws(ProtocolProblem) -> NewSecret {
        let secrets = try all(from: &members)
        guard secrets.count == 1 else {
            throw members.invalid("passphrase", "one of passphrase, key and recoveryKey")
        }
        return secrets[0]
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .passphrase(let passphrase): writer.member("passphrase", passphrase)
        case .key(let key):
            writer.key("key")
            writer.base64(key)
        case .recoveryKey: writer.member("recoveryKey", true)
        }
    }
}
