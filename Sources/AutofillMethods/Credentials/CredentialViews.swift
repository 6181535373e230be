// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// What decisions about credentials read. A class: it is passed with each request, and has many references.
final class CredentialViews {
    let saved: CredentialReader
    let access: Access
    let sites: Sites
    let quotas: QuotaReader

    init(_ saved: CredentialReader, _ access: Access, _ sites: Sites, _ quotas: QuotaReader) {
        self.saved = saved
        self.access = access
        self.sites = sites
        self.quotas = quotas
    }

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
        of id: ObjectID, _ version: UInt64, setBy writer: @autoclosure () -> Subject?, under permit: Permit,
        _ request: RequestView
    ) throws(Unsettled) -> Bool {
        if permit.isGranted || request.ownsDetails(id, version) { return true }
        guard let writer = writer() else { return false }
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

/// The credentials that calls name, by id or by service and user.
extension CredentialViews {
    /// One that is read, and what permits it; without a user the one that was used last.
    func read(_ name: CredentialName, _ request: RequestView) throws(Unsettled) -> (Sealed<Credential>, Permit) {
        guard let named = name.service else { return try permitted(name.id, .password, request) }
        let permit = try access.toAccess(.password, of: sites.service(named, request), request)
        guard let found = try find(name.user, under: permit, request) else { throw Unsettled(.credentialNotFound) }
        return (found, permit)
    }

    /// The credential of that id, and what permits a field of it.
    func permitted(
        _ id: String?, _ field: CredentialField, _ request: RequestView
    ) throws(Unsettled) -> (Sealed<Credential>, Permit) {
        let (found, service) = try accessed(id, request)
        let permit = try access.toAccess(field, of: service, request)
        guard permit.shows(field, of: found.id, found.version, to: request) else {
            throw Unsettled(.credentialNotFound)
        }
        return (found, permit)
    }

    /// The credential of that id, and the service by which the client accesses it: where it names a page, at that page alone.
    func accessed(_ id: String?, _ request: RequestView) throws(Unsettled) -> (Sealed<Credential>, Service) {
        let page = try sites.page(request)
        let found = try named(id, request)
        guard let page else { return (found, try access.service(of: found, request) ?? found.service) }
        return (found, try sites.service(of: found, namedWith: page, request))
    }

    /// One that is changed or deleted, by its id also a deleted one; and the service by which.
    ///
    /// By service and user an app learns only whether its own exists, or by the user's consent.
    func change(_ name: CredentialName, _ request: RequestView) throws(Unsettled) -> (Sealed<Credential>, Service) {
        guard let named = name.service, let user = name.user else {
            try saved.requireOpenVault()
            guard let id = name.id.flatMap({ ObjectID($0) }), id.kind == .credential,
                let found = try saved.credential(id), let service = try access.service(of: found, request)
            else { throw try unknown(.credentialNotFound, request) }
            return (found, service)
        }
        let service = try sites.service(named, request)
        if !request.isProven {
            try access.examine(service, for: .save, request)
            try access.toLearn(of: user, of: service, request)
        }
        guard let found = try saved.password(of: user, at: service, request) else {
            throw Unsettled(.credentialNotFound)
        }
        return (found, found.isFor(service) ? service : found.service)
    }

    /// Requires that an app may change the password of a credential, and save for the user name that it is to get.
    func requireRename(
        of old: Sealed<Credential>, to user: String, at service: Service, _ request: RequestView
    ) throws(Unsettled) {
        _ = try access.toChange(old.user, of: service, request)
        _ = try access.toChange(user, of: service, request)
    }
}
