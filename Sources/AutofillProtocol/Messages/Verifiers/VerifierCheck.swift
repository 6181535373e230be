// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct VerifierCheck: ItemCall {
    package static let declaration = MethodDeclaration(
        .verifierCheck, "Returns whether a password is the one that was set.", .own, app: .registered, vault: .open,
        repeatable: false)
    package let place: ItemPlace
    package let password: SecretBytes

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            place: try field(\.place),
            password: try field("password", \.password, .secret(1...Limits.passwordBytes), "The password."))
    }

    package struct Answer: Message, Hashable {
        package let isMatch: Bool

        package init(isMatch: Bool) { self.isMatch = isMatch }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                isMatch: try field("matches", \.isMatch, .boolean, "Whether the password is the one that was set."))
        }
    }
}

extension VerifierCheck {
    package init(namespace: String, account: String, password: SecretBytes, accessGroup: String? = nil) {
        self.init(
            place: ItemPlace(namespace: namespace, account: account, accessGroup: accessGroup),
            password: password)
    }
}
