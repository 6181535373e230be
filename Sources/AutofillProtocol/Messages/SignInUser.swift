// SPDX-License-Identifier: Apache-2.0

/// The current user of an app.
package struct SignInUser: WireValue, Hashable {
    package let name: String
    package let email: String

    package init(name: String, email: String) {
        self.name = name
        self.email = email
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        name = try members.string("name", bytes: 1...Limits.userBytes)
        email = try members.string("email", bytes: 1...Limits.userBytes)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("email", email)
    }
}
