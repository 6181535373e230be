// SPDX-License-Identifier: Apache-2.0

/// Whether a user is signed in.
package struct SignInState: WireValue, Hashable {
    /// A current user is set, and a verifier is there.
    package let isSignedIn: Bool
    /// nil where nobody is signed in.
    package let user: SignInUser?

    package init(isSignedIn: Bool, user: SignInUser?) {
        self.isSignedIn = isSignedIn
        self.user = user
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        isSignedIn = try members.bool("signedIn")
        user = try members.optionalValue("user")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("signedIn", isSignedIn)
        writer.member("user", orNull: user)
    }
}
