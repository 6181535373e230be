// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// What is wrong with the saved passwords: all are counted, and the worst are listed.
package struct HealthReport: Sendable {
    /// A password with a problem.
    package struct Entry: Sendable {
        package let credential: ObjectID
        package let service: Service
        package let user: String
        /// At least one, the most severe first.
        package let problems: [PasswordProblem]
        /// Where the password is changed.
        package let changeAddress: String?

        /// The most severe first; of equal ones those with more problems.
        fileprivate var order: (Int, Int) { (problems.first?.severity ?? .max, -problems.count) }
    }

    /// How many passwords were assessed.
    package private(set) var assessed = 0
    /// How many of them have a problem.
    package private(set) var found = 0
    /// How many passwords have each problem, by its severity.
    package private(set) var counts: [Int: Int] = [:]
    private var kept: [Entry] = []
    /// Whether there are rules of sites that passwords were compared with.
    package let hasSiteRules: Bool
    private let limit: Int

    /// - Parameter limit: how many passwords are listed at most.
    package init(limit: Int, hasSiteRules: Bool) { (self.limit, self.hasSiteRules) = (limit, hasSiteRules) }

    /// The worst passwords, `limit` at most.
    package var entries: [Entry] { Array(kept.sorted { $0.order < $1.order }.prefix(limit)) }

    package mutating func add(
        _ credential: Credential, _ assessment: HealthAssessment
    ) throws(BreachedPasswords.Failure) {
        guard let problems = try assessment.problems(of: credential) else { return }
        assessed += 1
        guard !problems.isEmpty else { return }
        found += 1
        for problem in problems { counts[problem.severity, default: 0] += 1 }
        kept.append(
            Entry(
                credential: credential.id, service: credential.service, user: credential.user, problems: problems,
                changeAddress: assessment.changeAddress(for: credential)))
        // Bounded memory, at a constant cost for each.
        if kept.count >= 4 * limit { kept = entries }
    }
}
