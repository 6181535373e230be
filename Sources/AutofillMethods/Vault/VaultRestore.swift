// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Reasons
internal import VaultRecovery

/// Replaces the vault by a backup. The proof is the present vault's, where one can be opened; what opens the backup comes
/// besides.
extension VaultRestore: AsyncCall {
    func perform(_ area: VaultMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        guard request.view.isOutsideSandbox else {
            throw RefusedRequest(.outsideSandboxOnly, [.app: request.view.bundleID?.text ?? ""])
        }
        guard target == nil || salvages else { throw .invalid("into", "given with salvage") }
        guard salvages else {
            let report = try await area.care.restore(from: path, secret, request)
            return Answer(records: report.records, replaced: report.replaced)
        }
        let report = try await area.care.salvage(from: path, secret, to: target, request)
        return Answer(
            records: report.records, replaced: report.replaced,
            findings: report.findings.prefix(Limits.listLimit).map(FindingReport.init),
            findingCount: report.findings.count, quarantined: report.quarantined)
    }
}
