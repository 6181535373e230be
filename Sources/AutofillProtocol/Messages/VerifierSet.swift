// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Keeps what a password can be checked against, and not the password.
package struct VerifierSet: ItemCall {
    package typealias Answer = VerifierSaved
    package static let method = Method.verifierSet
    package let place: ItemPlace
    package let password: SecretBytes
    package let interaction: Interaction

    package init(
        service: String, account: String, password: SecretBytes, accessGroup: String? = nil,
        interaction: Interaction = .allow
    ) {
        place = ItemPlace(service: service, account: account, accessGroup: accessGroup)
        self.password = password
        self.interaction = interaction
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        place = try ItemPlace(from: &members)
        password = try members.secret("password", bytes: 1...Limits.passwordBytes)
        interaction = try members.interaction()
    }

    package func write(to writer: inout JSONWriter) {
        place.write(to: &writer)
        writer.member("password", password)
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
    }
}
