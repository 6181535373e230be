// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import Credentials
internal import Reasons

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
