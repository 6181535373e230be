// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import Credentials
internal import PasswordHealth

extension VaultAssess: AsyncCall {
    func perform(_ area: VaultMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        let report = try await area.care.assess(breaches: breaches, oldDays: oldDays, area.apps, request)
        let counts = Words.passwordProblems.enumerated().compactMap { severity, code in
            report.counts[severity].map { ProblemCount(problem: code, count: $0) }
        }
        return Answer(
            assessed: report.assessed, found: report.found, counts: counts,
            passwords: report.entries.map(AssessedPassword.init), estimates: HealthAssessment.estimates,
            siteRules: report.hasSiteRules)
    }
}

extension AssessedPassword {
    fileprivate init(_ entry: HealthReport.Entry) {
        self.init(
            credential: entry.credential.description, service: ServiceIdentifier(entry.service), user: entry.user,
            problems: entry.problems.map { ProblemReport(problem: Words.passwordProblems[$0.severity], text: $0.text) },
            changePassword: entry.changeAddress)
    }
}
