// SPDX-License-Identifier: Apache-2.0

/// A saved password with a problem.
package struct AssessedPassword: Message, Hashable {
    package let credential: String
    package let service: ServiceIdentifier
    package let user: String
    package let problems: [ProblemReport]
    package let changePassword: String?

    package init(
        credential: String, service: ServiceIdentifier, user: String, problems: [ProblemReport], changePassword: String?
    ) {
        (self.credential, self.service, self.user) = (credential, service, user)
        (self.problems, self.changePassword) = (problems, changePassword)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            credential: try field("credential", \.credential, .id, "Its id."),
            service: try field(\.service),
            user: try field("user", \.user, .string(0...Limits.userBytes), "The user name."),
            problems: try field(
                "problems", \.problems, .objects(limit: Limits.passwordProblems), "The most severe first."),
            changePassword: try field(
                optional: "changePassword", \.changePassword, .string(1...4096),
                "The address at which the site's passwords are changed."))
    }
}

/// One problem of a password.
package struct ProblemReport: Message, Hashable {
    package let problem: String
    package let text: String

    package init(problem: String, text: String) { (self.problem, self.text) = (problem, text) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            problem: try field(
                "problem", \.problem, .word(Words.passwordProblems, 1...32),
                "`breached`, `reused`, `weak`, `invalid` (by the site's rules), `old`, or `without-code` where the site has one-time codes."
            ),
            text: try field(
                "text", \.text, .string(0...4096), "A sentence for people, without a part of the password."))
    }
}

/// How many passwords have a problem.
package struct ProblemCount: Message, Hashable {
    package let problem: String
    package let count: Int

    package init(problem: String, count: Int) { (self.problem, self.count) = (problem, count) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            problem: try field("problem", \.problem, .word(Words.passwordProblems, 1...32), "Its code."),
            count: try field("count", \.count, .integer(1...Int.max), "How many."))
    }
}
