// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension ImportReview: AsyncCall {
    func perform(_ area: ImportMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        let offset = page.cursor.map { Int($0) ?? -1 } ?? 0
        guard offset >= 0 else { throw .invalid("cursor", "the cursor of the page before") }
        let limit = page.limit
        let (counts, rows, next) = try await area.imports.review(after: offset, limit: limit, request)
        return Answer(
            new: counts.new, identical: counts.identical, conflicts: counts.conflicts, passkeys: counts.passkeys,
            findings: rows.map(ImportFinding.init), next: next.map { String($0) })
    }
}

extension ImportCommit: AsyncCall {
    func perform(_ area: ImportMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        var choices: [Int: ImportRule] = [:]
        for choice in self.choices { choices[choice.entry - 1] = ImportRule(choice.conflict) }
        let (report, backup) = try await area.imports.commit(ImportRule(conflicts), choices: choices, request)
        return Answer(
            added: report.added, changed: report.changed, identical: report.identical, skipped: report.skipped,
            findings: report.remarks.prefix(Limits.listLimit).map(ImportFinding.init),
            findingCount: report.remarks.count, backup: backup)
    }
}

extension ImportUndo: AsyncCall {
    func perform(_ area: ImportMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        let reverted = try await area.imports.revert(request)
        return Answer(
            changed: reverted != nil, removed: reverted?.removed ?? 0, restored: reverted?.restored ?? 0,
            kept: reverted?.kept ?? 0)
    }
}

extension ImportRule {
    fileprivate init(_ rule: ImportCommit.Rule) {
        self =
            switch rule {
            case .newer: .newer
            case .both: .both
            case .skip: .skip
            }
    }
}
