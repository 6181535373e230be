// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// The methods `admin.export.*`.
struct ExportMethods: MethodArea {
    let views: ExportViews
    private let audit: Audit

    init(_ saved: CredentialReader, _ access: Access, _ sites: Sites, _ clock: ServiceClock, _ audit: Audit) {
        views = ExportViews(saved: saved, access: access, sites: sites, clock: clock)
        self.audit = audit
    }

    func effects(for request: RequestContext) -> ExportEffects {
        ExportEffects(releases: ReleaseLog(audit, request), request: request)
    }
}

struct ExportViews {
    let saved: CredentialReader
    let access: Access
    let sites: Sites
    private let clock: ServiceClock

    init(saved: CredentialReader, access: Access, sites: Sites, clock: ServiceClock) {
        (self.saved, self.access, self.sites, self.clock) = (saved, access, sites, clock)
    }

    /// By the steady clock.
    var now: Timestamp { clock.steady }
}

struct ExportEffects {
    let releases: ReleaseLog
    private let request: RequestContext

    init(releases: ReleaseLog, request: RequestContext) { (self.releases, self.request) = (releases, request) }

    /// Begins it on the connection, or continues it; nil ends it.
    func keep(_ export: BegunExport?) { request.keep(export) }
}
