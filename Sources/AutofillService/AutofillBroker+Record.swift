// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// The record of releases, for the person.
extension AutofillBroker {
    func listReleases(
        _ call: ReleaseList, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> ReleaseList.Answer {
        guard isProven else { throw RefusedRequest(.proofRequired) }
        var before: UInt64?
        if let cursor = call.page.cursor {
            guard let number = UInt64(cursor) else { throw .invalid("cursor", "the cursor of the page before") }
            before = number
        }
        let open = try vault.unlocked()
        let page = try attempting { () throws(VaultError) in
            try open.releases(before: before, limit: call.page.limit)
        }
        return ReleaseList.Answer(
            releases: page.elements.map(ReleaseReport.init), next: page.next.map { String($0) })
    }
}

extension ReleaseReport {
    init(_ entry: NumberedRelease) {
        let release = entry.release
        self.init(
            number: Int(clamping: entry.number), at: release.time.description, bundleID: release.app,
            assurance: release.assurance, process: Int(release.processID), executable: release.executable,
            unit: release.unit, method: release.method,
            service: release.service.map { ServiceIdentifier(type: $0.kind.rawValue, value: $0.value) },
            object: release.object?.description, grant: release.grant?.description, refused: release.refused)
    }
}
