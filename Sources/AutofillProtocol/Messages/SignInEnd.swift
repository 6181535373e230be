// SPDX-License-Identifier: Apache-2.0

/// The user signs out: the verifier is removed, then there is no current user.
package struct SignInEnd: MethodCall {
    package typealias Answer = Changed
    package static let method = Method.signInEnd
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
