// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

/// The record of releases, for the person.
extension ReleaseList: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String { "read the record of which password was given to which app" }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        var before: UInt64?
        if let cursor = page.cursor {
            guard let number = UInt64(cursor) else { throw .invalid("cursor", "the cursor of the page before") }
            before = number
        }
        let open = try modules.vault.unlocked()
        let found = try attempting { () throws(VaultError) in
            try open.readers.releases.page(before: before, limit: page.limit)
        }
        return Answer(releases: found.elements.map(ReleaseReport.init), next: found.next.map { String($0) })
    }
}

extension ReleaseReport {
    init(_ entry: NumberedRelease) {
        let release = entry.release
        self.init(
            number: Int(clamping: entry.number), at: release.time.description, bundleID: release.app,
            assurance: release.assurance, process: Int(release.processID), executable: release.executable,
            unit: release.unit, method: release.method, service: release.service.map(ServiceIdentifier.init),
            object: release.object?.description, grant: release.grant?.description, refused: release.refused)
    }
}
