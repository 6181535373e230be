// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import VaultRecovery

extension VaultCheck: AsyncCall {
    func perform(_ area: VaultMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        guard repairs else {
            let report = try await area.care.check(request)
            return Answer(report, found: report.findings, quarantined: 0, replaced: nil)
        }
        let repair = try await area.care.repair(takesOlder: acceptsOlder, request)
        return Answer(
            repair.after, found: repair.findings, quarantined: repair.quarantined, replaced: repair.replaced)
    }
}

extension VaultCheck.Answer {
    fileprivate init(_ report: CheckReport, found: [VaultFinding], quarantined: Int, replaced: String?) {
        self.init(
            isIntact: report.isIntact, records: report.records, releases: report.releases,
            findings: found.prefix(Limits.listLimit).map(FindingReport.init), findingCount: found.count,
            quarantined: quarantined, replaced: replaced)
    }
}

extension FindingReport {
    init(_ finding: VaultFinding) {
        let text =
            switch finding {
            case .altered: "The record was altered, or another was put in its place"
            case .older(_, let found, let expected): "Version \(found) of the record was put back for \(expected)"
            case .missing(_, let changed): "The record is gone; it was last changed at \(changed)"
            case .unpinned: "Nothing shows any more whether this is the newest version of the record"
            case .unexpected: "A record is there that was removed, or never was one of this vault"
            case .duplicate: "The manifest has the record twice"
            case .slotAltered(let slot): "Slot \(slot) was altered; it may open no more"
            case .slotsChanged: "A slot was added, removed or exchanged outside autofilld"
            case .releases(let first, let last):
                first == last
                    ? "Entry \(first) of the record of releases cannot be read or is gone"
                    : "Entries \(first) to \(last) of the record of releases cannot be read or are gone"
            case .rolledBack(let found, let expected):
                found < expected
                    ? "The vault is an older one: change \(found) was its last, of \(expected) that were made"
                    : "The vault is another one, which branched off before change \(expected)"
            case .unmarked: "Nothing shows any more whether the vault is an older one: vault.releases is not its own"
            case .damaged(let object): "A part of the file is damaged: \(object)"
            }
        self.init(finding: finding.code, text: text, id: finding.id?.description)
    }
}
