// SPDX-License-Identifier: Apache-2.0

/// A site: Apple's ASCredentialServiceIdentifier. `{"type": "domain", "value": "example.com"}`
package struct ServiceIdentifier: Message, Hashable {
    package let type: String
    package let value: String

    package init(type: String, value: String) {
        (self.type, self.value) = (type, value)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            type: try field(
                "type", \.type, .word(Words.services, 1...32),
                "`domain`; `origin` for browsers, and for credential helpers that or `url`."),
            value: try field("value", \.value, .string(1...2048), "The domain, origin or string."))
    }
}
