// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
package import PasswordHealth
internal import SiteKnowledge

extension VaultCare {
    /// Assesses all saved passwords on another thread, which no password leaves.
    ///
    /// - Parameters:
    ///   - breaches: the path of a list of breached passwords; nil: none.
    ///   - oldDays: from how many days on a password is old; 0: never.
    package func assess(
        breaches: String?, oldDays: Int, _ apps: AppDirectory, _ request: RequestContext
    ) async throws(RefusedRequest) -> HealthReport {
        let (sites, suffixes, now) = (apps.sites.sites, apps.registrations.suffixes, clock.now)
        // Each is read twice.
        let reads = (keeper.opened?.counts).map { 2 * ($0.credentials + $0.deletedCredentials) } ?? 0
        let result = try await inspect(request) { view, progress throws(VaultError) in
            try progress.advance(to: 0, of: reads)
            let knowledge = HealthAssessment.Knowledge(sites: sites, suffixes: suffixes, now: now, oldDays: oldDays)
            return try Self.assess(view, knowledge, breaches, progress)
        }
        do throws(BreachedPasswords.Failure) { return try result.get() } catch {
            // The command prints the fix.
            throw .invalid("breaches", because: error.reason, fix: "\(error.reason) \(error.fix)")
        }
    }

    private static func assess(
        _ view: any VaultView, _ knowledge: HealthAssessment.Knowledge, _ path: String?, _ progress: VaultProgress
    ) throws(VaultError) -> Result<HealthReport, BreachedPasswords.Failure> {
        let breaches: BreachedPasswords?
        do throws(BreachedPasswords.Failure) {
            breaches = try path.map { path throws(BreachedPasswords.Failure) in try BreachedPasswords(path: path) }
        } catch { return .failure(error) }
        var assessment = HealthAssessment(knowledge, breaches)
        try view.eachCredential(progress) { credential in
            assessment.note(credential)
            return true
        }
        var report = HealthReport(limit: Limits.listLimit, hasSiteRules: !knowledge.sites.rules.isEmpty)
        var failure: BreachedPasswords.Failure?
        try view.eachCredential(progress) { credential in
            do throws(BreachedPasswords.Failure) { try report.add(credential, assessment) } catch { failure = error }
            return failure == nil
        }
        return failure.map { .failure($0) } ?? .success(report)
    }
}
