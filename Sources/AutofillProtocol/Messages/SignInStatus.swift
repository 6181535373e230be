// SPDX-License-Identifier: Apache-2.0

/// Whether a user is signed in, and who.
package struct SignInStatus: MethodCall {
    package typealias Answer = SignInState
    package static let method = Method.signInStatus
    package let interaction: Interaction

    package init(interaction: Interaction = .allow) {
        self.interaction = interaction
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        interaction = try members.interaction()
    }

    package func write(to writer: inout JSONWriter) {
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
    }
}
