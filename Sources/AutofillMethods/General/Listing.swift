// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials

extension RPCDiscover: JudgedCall {
    typealias Area = SessionMethods
    typealias Decision = Answer

    func judge(_ views: SessionViews, _ request: RequestView) -> Answer { Answer() }
}

extension LimitList: JudgedCall {
    typealias Area = SessionMethods
    typealias Decision = Answer

    func judge(_ views: SessionViews, _ request: RequestView) -> Answer {
        Answer(limits: Limits.listed.map { LimitReport(limit: "\($0.name)", value: $0.value) })
    }
}

/// The record of releases, for the user.
extension ReleaseList: JudgedCall {
    typealias Area = SessionMethods
    typealias Decision = Answer

    func promptText(_ views: SessionViews) -> String? { "read the log of which app received which password" }

    func judge(_ views: SessionViews, _ request: RequestView) throws(Unsettled) -> Answer {
        let found = try views.releases.releases(before: try page.after(), limit: page.limit)
        return Answer(
            releases: found.elements.map(ReleaseReport.init),
            missing: found.missing.prefix(Limits.listLimit).map(MissingReleases.init),
            next: found.next.map { String($0) })
    }
}

extension MissingReleases {
    init(_ numbers: ClosedRange<UInt64>) {
        self.init(first: Int(clamping: numbers.lowerBound), last: Int(clamping: numbers.upperBound))
    }
}

extension ReleaseReport {
    init(_ entry: NumberedRelease) {
        let release = entry.release
        let target = release.service.map(GrantTarget.init)
        self.init(
            number: Int(clamping: entry.number), at: release.time.description, bundleID: release.app,
            assurance: release.assurance, process: Int(release.processID), executable: release.executable,
            unit: release.unit, method: release.method, service: target?.service,
            keychain: target?.keychain, object: release.object?.description, grant: release.grant?.description,
            refused: release.refused, evidence: release.evidence)
    }
}
