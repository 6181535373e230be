// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import VaultRecovery

extension VaultQuarantine: AsyncCall {
    func perform(_ area: VaultMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        let number = restored.map { Int64($0) }
        let (entries, changed) = try await area.care.workUnlocked(request, refusing: \.refusalOfTakingBack) {
            vault throws(VaultError) in
            let changed = if let number { try Quarantine(of: vault).restore(number) != nil } else { false }
            return (try Quarantine(of: vault).list(), changed)
        }
        if changed { area.events.announce(.allCredentialsChanged, causedBy: request) }
        return Answer(
            rows: entries.prefix(Limits.listLimit).map(QuarantinedReport.init), count: entries.count, changed: changed)
    }
}

extension QuarantinedReport {
    fileprivate init(_ entry: QuarantineEntry) {
        self.init(
            number: Int(entry.number), table: entry.row.source, fault: entry.row.fault,
            id: entry.row.id?.description, about: entry.title)
    }
}
