// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A passkey. The binary values are in base64url without padding.
package struct ForeignPasskey: Sendable {
    package var credentialID: String
    package var relyingParty: String
    package var user: String
    package var displayName: String
    package var userHandle: String
    /// PKCS #8.
    package var key: SecretBytes

    package init(
        credentialID: String, relyingParty: String, user: String, displayName: String, userHandle: String,
        key: SecretBytes
    ) {
        self.credentialID = credentialID
        self.relyingParty = relyingParty
        self.user = user
        self.displayName = displayName
        self.userHandle = userHandle
        self.key = key
    }

    package func equals(_ other: ForeignPasskey) -> Bool {
        credentialID == other.credentialID && relyingParty == other.relyingParty && user == other.user
            && displayName == other.displayName && userHandle == other.userHandle && key.equals(other.key)
    }
}
