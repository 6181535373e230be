// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// What tests read in answers.
extension ServiceConnection.Refused {
    /// The member that a malformed request's reason names.
    package var member: String? { reasons.first?.parameters["member"] }
    /// The fix of the first reason.
    package var fix: String? { reasons.first?.fix }
    /// How long the first reason requires to wait.
    package var retryAfter: Int? { reasons.first?.retryAfterMilliseconds }
}

extension AutofillSuggest.Answer {
    /// What is suggested, in the order of the wire.
    package var types: [String] {
        [
            strongPassword.map { _ in "strongPassword" }, savedCredentials.map { _ in "savedCredentials" },
            oneTimeCode.map { _ in "oneTimeCode" },
        ].compactMap(\.self)
    }

    /// What the fields were taken for.
    package var parts: [String: String] { Dictionary(uniqueKeysWithValues: roles.map { ($0.field, $0.role) }) }

    /// The reasons why something is not suggested; none where it is not withheld.
    package func reasons(withholding type: String) -> [String] {
        withheld.filter { $0.type == type }.flatMap(\.reasons).map(\.reason)
    }
}

extension Diagnose.Answer {
    package func evidence(of condition: String) -> String? { conditions.first { $0.condition == condition }?.evidence }
}

extension TestService {
    /// A program of its own that sends hello as an app.
    package func connect(as app: String, inode: UInt64 = 7) throws -> ServiceConnection {
        let connection = connect(.process(path: "/home/user/app\(inode)", inode: inode))
        try connection.greet(as: app)
        return connection
    }

    /// The user's command.
    package func user() throws -> ServiceConnection { try connect(as: "org.autofilld.autofillctl") }
}
