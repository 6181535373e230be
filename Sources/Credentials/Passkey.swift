// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A passkey that came with an import. It is kept and exported again; nothing signs in with it.
package struct Passkey: Sendable {
    /// In base64url, as an export has it.
    package let credentialID: String
    package let relyingParty: String
    package let user: String
    package let displayName: String
    /// In base64url.
    package let userHandle: String
    /// The private key: PKCS #8 in base64url.
    package let key: SecretBytes
    /// The fields that a later version wrote.
    package let unknown: [UnknownField]

    package init(
        credentialID: String, relyingParty: String, user: String, displayName: String, userHandle: String,
        key: SecretBytes, unknown: [UnknownField] = []
    ) {
        self.credentialID = credentialID
        self.relyingParty = relyingParty
        self.user = user
        self.displayName = displayName
        self.userHandle = userHandle
        self.key = key
        self.unknown = unknown
    }
}

extension Passkey: Equatable {
    /// Compares bytes.
    package static func == (left: Passkey, right: Passkey) -> Bool {
        func same(_ path: KeyPath<Passkey, String>) -> Bool {
            left[keyPath: path].utf8.elementsEqual(right[keyPath: path].utf8)
        }
        return same(\.credentialID) && same(\.relyingParty) && same(\.user) && same(\.displayName)
            && same(\.userHandle) && left.key.equals(right.key) && left.unknown == right.unknown
    }
}
