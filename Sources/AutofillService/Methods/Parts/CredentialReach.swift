// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Prompting
internal import Reasons

/// Finding saved credentials, and changing them: the app's own and granted ones, or with proof everyone's.
extension Modules {
    /// What a request reaches of a service: with proof all, else what the authoriser says.
    func authorise(
        _ request: RequestContext, toReach part: CredentialPart, of service: Service
    ) throws(RefusedRequest) -> Authorisation {
        request.isProven ? .granted(nil) : try authoriser.authorise(request, toReach: part, of: service)
    }

    /// The credential of a user, else the one that was used last, as far as the client may see it.
    func find(
        _ service: Service, _ user: String?, _ request: RequestContext, _ authorisation: Authorisation
    ) throws(RefusedRequest) -> Credential? {
        let open = try vault.unlocked()
        if let user {
            let credential = try saved(for: service, user: user, request.session)
            if case .ownOnly = authorisation, let credential,
                !request.session.memory.ownership.owns(credential.id, credential.version)
            {
                return nil
            }
            return credential
        }
        let latest = try saved(for: service, kind: .password, request.session, after: nil, limit: 1) { id, version in
            authorisation.shows(id, version, to: request.session)
        }
        guard let id = latest.elements.first?.id else { return nil }
        return try attempting { () throws(VaultError) in try open.readers.credentials.get(id) }
    }

    /// The passwords that the client may see of a service, the last used first, up to a limit; and whether there are more. No
    /// request opens all that a site may have.
    func visible(
        _ service: Service, _ request: RequestContext, _ authorisation: Authorisation,
        upTo limit: Int = Limits.listDefault
    ) throws(RefusedRequest) -> (first: [CredentialStorage.CredentialSummary], hasMore: Bool) {
        let page = try saved(for: service, kind: .password, request.session, after: nil, limit: limit) { id, version in
            authorisation.shows(id, version, to: request.session)
        }
        return (page.elements, page.next != nil)
    }

    /// The credential of that id, of any kind, unless it is deleted.
    func credential(named text: String?) throws(RefusedRequest) -> Credential {
        let open = try vault.unlocked()
        guard let id = text.flatMap({ ObjectID($0) }), id.kind == .credential,
            let credential = try attempting({ () throws(VaultError) in try open.readers.credentials.get(id) }),
            credential.deleted == nil
        else { throw RefusedRequest(.credentialNotFound) }
        return credential
    }

    /// The password of that id, unless it is deleted.
    func password(named text: String?) throws(RefusedRequest) -> Credential {
        let credential = try credential(named: text)
        guard credential.kind == .password else { throw RefusedRequest(.credentialNotFound) }
        return credential
    }

    /// A saved credential as a prompt names it.
    func shownCredential(_ name: String) throws(RefusedRequest) -> String {
        let credential = try credential(named: name)
        return "\(shown(credential.user)) at \(shown(credential.service.value))"
    }

    func noteUse(of id: ObjectID) throws(RefusedRequest) {
        let open = try vault.unlocked()
        let now = clock.now
        try attempting { () throws(VaultError) in try open.writers.credentials.noteUse(of: id, at: now) }
    }

    func noteSaved(_ saved: Saved, of service: Service, _ request: RequestContext) {
        guard saved.changed else { return }
        let services = saved.services.isEmpty ? [service] : saved.services
        events.announce(.credentialsChanged(saved.id, services, .saved), causedBy: request)
    }
}

/// A name or path as a prompt may show it.
func shown(_ text: String) -> String { PromptText.shown(text, limit: Limits.promptPathCharacters) }

extension Authorisation {
    /// Whether a version of a credential may be shown to a connection under it.
    func shows(_ id: ObjectID, _ version: UInt64, to session: Session) -> Bool {
        switch self {
        case .granted: true
        case .ownOnly: session.memory.ownership.owns(id, version)
        }
    }

    /// Whether a version of a credential, or its codes, may be shown to a connection under it.
    func shows(_ part: CredentialPart, of id: ObjectID, _ version: UInt64, to session: Session) -> Bool {
        switch self {
        case .granted: true
        case .ownOnly: session.memory.ownership.owns(part, of: id, version)
        }
    }
}
