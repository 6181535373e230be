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

    init(_ saved: CredentialReader, _ access: Access, _ sites: Sites, _ environment: ServiceContext, _ audit: Audit) {
        views = ExportViews(saved: saved, access: access, sites: sites, environment: environment)
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
    private let environment: ServiceContext

    init(saved: CredentialReader, access: Access, sites: Sites, environment: ServiceContext) {
        (self.saved, self.access, self.sites, self.environment) = (saved, access, sites, environment)
    }

    /// By the steady clock.
    var now: Timestamp { environment.clock.steady }
}

struct ExportEffects {
    let releases: ReleaseLog
    private let request: RequestContext

    init(releases: ReleaseLog, request: RequestContext) { (self.releases, self.request) = (releases, request) }

    /// Begins it on the connection, or continues it; nil ends it.
    func keep(_ export: BegunExport?) { request.keep(export) }
}
