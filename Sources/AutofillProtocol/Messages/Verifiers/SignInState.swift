// SPDX-License-Identifier: Apache-2.0

/// Whether a user is signed in.
package struct SignInState: Message, Hashable {
    package let isSignedIn: Bool
    package let user: SignInUser?

    package init(isSignedIn: Bool, user: SignInUser?) {
        (self.isSignedIn, self.user) = (isSignedIn, user)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            isSignedIn: try field(
                "signedIn", \.isSignedIn, .boolean, "A current user is set, and a verifier is there."),
            user: try field(optional: "user", \.user, .object(), "Absent where nobody is signed in."))
    }
}
