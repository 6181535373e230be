// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A passkey of an imported entry. Binary values are in base64url.
package struct ImportedPasskey: Message {
    package let credentialID: String
    package let relyingParty: String
    package let user: String
    package let displayName: String
    package let userHandle: String
    package let key: SecretBytes

    package init(
        credentialID: String, relyingParty: String, user: String = "", displayName: String = "",
        userHandle: String = "", key: SecretBytes
    ) {
        (self.credentialID, self.relyingParty, self.user) = (credentialID, relyingParty, user)
        (self.displayName, self.userHandle, self.key) = (displayName, userHandle, key)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let text = TextType(bytes: 0...Limits.passkeyBytes)
        return Self(
            credentialID: try field("credentialID", \.credentialID, text, "The credential's id."),
            relyingParty: try field("relyingParty", \.relyingParty, text, "The relying party's id."),
            user: try field("user", \.user, text, absent: "", "The user name."),
            displayName: try field("displayName", \.displayName, text, absent: "", "The name that is shown."),
            userHandle: try field("userHandle", \.userHandle, text, absent: "", "The user's handle."),
            key: try field("key", \.key, .secret(0...Limits.passkeyBytes), "The private key: PKCS #8."))
    }
}
