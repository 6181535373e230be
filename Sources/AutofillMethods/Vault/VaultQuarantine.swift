// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import VaultRecovery

extension VaultQuarantine: AsyncCall {
    func perform(_ area: VaultMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        let (entries, changed) = try await area.care.quarantined(restoring: restored.map { Int64($0) }, request)
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
