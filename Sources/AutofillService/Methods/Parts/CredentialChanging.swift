// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// What an app may set of a credential besides its password.
extension Modules {
    /// The changes that a request names, if it may make them.
    ///
    /// - Parameter old: the credential; nil for a new one of that user and service.
    func details(
        _ changes: CredentialChanges, of old: Credential?, for user: String, at service: Service,
        _ request: RequestContext
    ) throws(RefusedRequest) -> DetailsChange {
        if !request.isProven, let old { try authoriser.authorise(request, toChangeDetailsOf: old, at: service) }
        let services = try changes.services.map { asked throws(RefusedRequest) in
            try self.services(asked, of: old?.services ?? [CredentialService(service)], for: user, request)
        }
        return DetailsChange(
            label: changes.label, notes: changes.notes, tags: changes.tags,
            fields: changes.fields?.map { CustomField(name: $0.name, value: $0.value, isSecret: $0.isSecret) },
            collection: changes.collection, services: services)
    }

    /// All services that a credential is to be for. Each one that comes, goes or matches in another way takes what saving
    /// there takes.
    private func services(
        _ asked: [SavedService], of old: [CredentialService], for user: String, _ request: RequestContext
    ) throws(RefusedRequest) -> [CredentialService] {
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
            guard service.kind.isOfSites else { throw RefusedRequest(.serviceTypeUnsupported) }
            try authoriser.examine(request, service, for: .save)
            if !old.contains(where: { $0.service == service }) { try requireRoom(request, toSave: user, of: service) }
        }
        return services
    }

    /// One that it has stays as it is, also where only a later version knows it.
    private func service(
        _ asked: SavedService, of old: [CredentialService], _ member: String, _ request: RequestContext
    ) throws(RefusedRequest) -> CredentialService {
        let same = old.first {
            $0.service.kind.rawValue.utf8.elementsEqual(asked.service.type.utf8)
                && $0.service.value.utf8.elementsEqual(asked.service.value.utf8)
        }
        if let same, asked.match == nil || asked.match == same.match.rawValue { return same }
        if let match = asked.match, !Words.matches.contains(match) {
            throw .invalid("\(member).match", "exact or site")
        }
        let named = request.place.service
        defer { request.place.service = named }
        let service = if let same { same.service } else { try apps.service(asked.service, request, member: member) }
        return CredentialService(service, match: asked.match.map(CredentialService.Match.init))
    }
}

extension CredentialChanges {
    /// Anything is to be set.
    var isAny: Bool {
        label != nil || notes != nil || tags != nil || fields != nil || services != nil || collection != nil
    }
}

extension Authoriser {
    /// Whether the client may change what is noted of a credential: what it noted itself, and where nothing is those of a
    /// credential that it wrote. All else takes the person's word, as reading it would.
    func authorise(
        _ request: RequestContext, toChangeDetailsOf credential: Credential, at service: Service
    ) throws(RefusedRequest) {
        let session = request.session
        if try remembered(session, service)?.decision == .deny {
            throw RefusedRequest(.grantDenied, [.app: try session.subject().app, .domain: service.value])
        }
        let ownership = session.memory.ownership
        if ownership.ownsDetails(credential.id, credential.version) { return }
        if credential.details == CredentialDetails() {
            if ownership.owns(credential.id, credential.version) { return }
            if try isOwn(credential.writer, of: session) { return }
        } else if let writer = credential.details.writer, try isOwn(writer, of: session) {
            return
        }
        if decided(session, service) != nil { return }
        if try standing(session, service) == nil { _ = try ask(request, service) }
    }
}
