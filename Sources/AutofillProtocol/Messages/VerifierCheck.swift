// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Whether a password is the one that was set.
package struct VerifierCheck: ItemCall {
    package static let method = Method.verifierCheck
    package let place: ItemPlace
    package let password: SecretBytes

    package init(service: String, account: String, password: SecretBytes, accessGroup: String? = nil) {
        place = ItemPlace(service: service, account: account, accessGroup: accessGroup)
        self.password = password
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        place = try ItemPlace(from: &members)
        password = try members.secret("password", bytes: 1...Limits.passwordBytes)
    }

    package func write(to writer: inout JSONWriter) {
        place.write(to: &writer)
        writer.member("password", password)
    }

    package struct Answer: WireValue, Hashable {
        package let isRight: Bool

        package init(isRight: Bool) {
            self.isRight = isRight
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            isRight = try members.bool("right")
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("right", isRight)
        }
    }
}
