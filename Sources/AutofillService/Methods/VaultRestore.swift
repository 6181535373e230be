// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage

/// Puts a backup in the vault's place. The proof is the present vault's, where one can be opened; what opens the backup comes
/// besides.
extension VaultRestore: ServedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer {
        try request.requireOutsideSandbox()
        guard target == nil || salvages else { throw .invalid("into", "given with salvage") }
        if salvages { return try await salvage(request, modules) }
        let attempt = try await modules.vault.restoreAttempt(from: path, secret, request, modules)
        let outcome = try await modules.derivations.derive(request) { attempt.derive() }
        let report = try await modules.vault.restore(from: path, with: outcome, request, modules)
        return Answer(records: report.records, replaced: report.replaced)
    }

    private func salvage(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer {
        let attempt = try await modules.vault.salvageAttempt(from: path, secret, request, modules)
        let outcome = try await modules.derivations.derive(request) { attempt.derive() }
        let report = try await modules.vault.salvage(from: path, with: outcome, to: target, request, modules)
        return Answer(
            records: report.records, replaced: report.replaced,
            findings: report.findings.prefix(Limits.listLimit).map(FindingReport.init),
            findingCount: report.findings.count, quarantined: report.quarantined)
    }
}
