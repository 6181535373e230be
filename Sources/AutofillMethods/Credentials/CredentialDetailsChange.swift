// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// What an app may set of a credential besides its password.
extension CredentialViews {
    /// The changes that a request names, if it may make them.
    ///
    /// - Parameter old: the credential; nil for a new one of that user and service.
    func details(
        _ changes: CredentialChanges, of old: Sealed<Credential>?, for user: String, at service: Service,
        _ request: RequestView
    ) throws(Unsettled) -> DetailsChange {
        if !request.isProven, let old { try access.toChangeDetails(of: old, at: service, request) }
        let services = try changes.services.map { asked throws(Unsettled) in
            try self.services(asked, of: old, at: service, for: user, request)
        }
        return DetailsChange(
            label: changes.label, notes: changes.notes, tags: changes.tags,
            fields: changes.fields?.map { CustomField(name: $0.name, value: $0.value, isSecret: $0.isSecret) },
            collection: changes.collection, services: services)
    }

    /// All services that a credential is to be for. Each one that is added, removed or matches in another way requires what
    /// saving there requires.
    private func services(
        _ asked: [SavedService], of credential: Sealed<Credential>?, at named: Service, for user: String,
        _ request: RequestView
    ) throws(Unsettled) -> [CredentialService] {
        let old = credential?.services ?? [CredentialService(named)]
        var services: [CredentialService] = []
        for (number, asked) in asked.enumerated() {
            let member = "services[\(number)]"
            let service = try service(asked, of: old, member, request)
            guard !services.contains(where: { $0.service == service.service }) else {
                throw .invalid(member, "each service once")
            }
            services.append(service)
        }
        guard let first = services.first, first.service == old[0].service else {
            throw .invalid("services[0]", "the service that the credential was saved for")
        }
        guard !request.isProven else { return services }
        for service in (services.filter { !old.contains($0) } + old.filter { !services.contains($0) }).map(\.service) {
            guard service.kind.isOfSites else { throw Unsettled(.serviceTypeUnsupported) }
            try access.examine(service, for: .save, request)
            if old.contains(where: { $0.service == service }) {
                _ = try access.toChange(credential?.user ?? user, of: service, request)
            } else {
                try requireCapacity(toSave: user, of: service, request)
            }
        }
        return services
    }

    /// One that it has stays as it is, also where only a later version supports it.
    private func service(
        _ asked: SavedService, of old: [CredentialService], _ member: String, _ request: RequestView
    ) throws(Unsettled) -> CredentialService {
        let same = old.first {
            $0.service.kind.rawValue.utf8.elementsEqual(asked.service.type.utf8)
                && $0.service.value.utf8.elementsEqual(asked.service.value.utf8)
        }
        if let same, asked.match == nil || asked.match == same.match.rawValue { return same }
        if let match = asked.match, !Words.matches.contains(match) {
            throw .invalid("\(member).match", "exact or site")
        }
        let service =
            if let same { same.service } else { try sites.further(asked.service, request, member: member) }
        return CredentialService(service, match: asked.match.map(CredentialService.Match.init))
    }
}

extension CredentialChanges {
    /// Anything is to be set.
    var isAny: Bool {
        label != nil || notes != nil || tags != nil || fields != nil || services != nil || collection != nil
    }
}
