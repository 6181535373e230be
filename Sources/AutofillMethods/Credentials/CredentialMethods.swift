// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// The methods `credential.*`.
struct CredentialMethods: MethodArea {
    let views: CredentialViews
    private let vault: VaultKeeper
    private let events: EventHub
    private let quotas: Quotas
    private let audit: Audit

    init(
        _ views: CredentialViews, _ vault: VaultKeeper, _ events: EventHub, _ quotas: Quotas, _ audit: Audit
    ) {
        self.views = views
        self.vault = vault
        self.events = events
        self.quotas = quotas
        self.audit = audit
    }

    func effects(for request: RequestContext) -> CredentialEffects {
        CredentialEffects(
            saved: CredentialWriter(vault, events, quotas, request), releases: ReleaseLog(audit, request))
    }
}

struct CredentialViews {
    let saved: CredentialReader
    let access: Access
    let sites: Sites
    let quotas: QuotaReader
}

struct CredentialEffects {
    let saved: CredentialWriter
    let releases: ReleaseLog
}

extension CredentialViews {
    /// The credential of a user, else the one that was used last, as far as the client may see it.
    func find(_ user: String?, under permit: Permit, _ request: RequestView) throws(Unsettled) -> Sealed<Credential>? {
        if let user {
            let found = try saved.password(of: user, at: permit.service, request)
            return found.flatMap { permit.shows(.password, of: $0.id, $0.version, to: request) ? $0 : nil }
        }
        let latest = try saved.passwords(of: permit.service, limit: 1, request) { id, version in
            permit.shows(.password, of: id, version, to: request)
        }
        guard let first = latest.elements.first else { return nil }
        return try saved.credential(first.id)
    }

    /// The password of that id. An app gets the same answer for one of a site that is not its own as for none.
    func named(_ text: String?, _ request: RequestView) throws(Unsettled) -> Sealed<Credential> {
        if let found = try saved.credential(named: text), found.isPassword {
            if request.isProven { return found }
            if try access.service(of: found, request) != nil { return found }
        }
        throw try unknown(.credentialNotFound, request)
    }

    /// What an app gets for an id that does not exist, or is not for it.
    func unknown(_ reason: Reason, _ request: RequestView) throws(Unsettled) -> Unsettled {
        if !request.isProven { try access.examine(sites.unnamed(request), for: .savedCredential, request) }
        return Unsettled(reason)
    }

    /// Whether label, notes, tags, fields and further services are shown: under a grant, and to the client that set them.
    func showsDetails(
        of id: ObjectID, _ version: UInt64, setBy writer: Subject?, under permit: Permit, _ request: RequestView
    ) throws(Unsettled) -> Bool {
        if permit.isGranted || request.ownsDetails(id, version) { return true }
        guard let writer else { return false }
        return try access.isOwn(writer, request)
    }

    func summaries(
        _ found: [CredentialStorage.CredentialSummary], under permit: Permit, _ request: RequestView
    ) throws(Unsettled) -> [AutofillProtocol.CredentialSummary] {
        var summaries: [AutofillProtocol.CredentialSummary] = []
        for found in found {
            let showsDetails = try showsDetails(
                of: found.id, found.version, setBy: found.detailsWriter, under: permit, request)
            summaries.append(AutofillProtocol.CredentialSummary(found, showsDetails: showsDetails))
        }
        return summaries
    }

    /// Requires that an app may save for a user, and may make one more where there is none of that user.
    func requireCapacity(toSave user: String, of service: Service, _ request: RequestView) throws(Unsettled) {
        if try access.toChange(user, of: service, request) { return }
        try requireCapacity(for: service, request)
    }

    /// Requires that an app may make one more credential of a service.
    func requireCapacity(for service: Service, _ request: RequestView) throws(Unsettled) {
        guard try saved.hasFewer(than: Limits.credentialsPerService, for: service),
            quotas.hasCredentialCapacity(for: try request.subject().app)
        else { throw Unsettled(.tooManyCredentials, [.domain: service.value]) }
    }

    /// A saved credential as a prompt names it.
    func shownCredential(_ name: String) throws(Unsettled) -> String {
        guard let found = try saved.credential(named: name) else { throw Unsettled(.credentialNotFound) }
        return "\(shownName(found.user)) at \(shownName(found.service.value))"
    }
}
