// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Saved credentials: the app's own and granted ones, or with proof everyone's.
extension AutofillBroker {
    /// The writer that stands for `autofillctl` with proof.
    func writer(_ client: Client, _ isProven: Bool) throws(RefusedRequest) -> Subject {
        isProven
            ? Subject(app: Self.commandLineBundleID, assurance: "claimed", executable: "administrator")
            : try subject(of: client)
    }

    func save(
        _ call: CredentialSave, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> SavedAnswer {
        let service = try domain(call.service)
        if !isProven { try examine(client, .domain(service.value), for: .save, interaction: call.interaction) }
        if !isProven { try authorise(client, toChange: call.user, of: service, call.interaction) }
        let writer = try writer(client, isProven)
        let open = try vault.unlocked()
        let saved = try attempting { () throws(VaultError) in
            try open.save(
                CredentialDraft(service: service, user: call.user, password: call.password, rules: nil, writer: writer),
                ifVersion: call.ifVersion.map(UInt64.init), at: now)
        }
        // Also where nothing changed: then it has sent the very password that is saved.
        if !isProven { client.ownPassword(saved, of: service) }
        if saved.changed { announce(.credentialsChanged(saved.id, service, .saved)) }
        return SavedAnswer(credential: saved.id.description, changed: saved.changed)
    }

    func get(
        _ call: CredentialGet, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> CredentialGet.Answer {
        let service = try domain(call.service)
        let authorisation =
            isProven ? .granted(nil) : try authorise(client, toReach: .password, of: service, call.interaction)
        let open = try vault.unlocked()
        guard let credential = try find(service, call.user, client, authorisation) else {
            throw RefusedRequest(.credentialNotFound)
        }
        try release(credential.id, service, .credentialGet, client, authorisation, isProven)
        try attempting { () throws(VaultError) in try open.noteUse(of: credential.id, at: now) }
        return CredentialGet.Answer(
            summary: AutofillProtocol.CredentialSummary(credential), password: credential.password)
    }

    func find(
        _ service: Service, _ user: String?, _ client: Client, _ authorisation: Authorisation
    ) throws(RefusedRequest) -> Credential? {
        let open = try vault.unlocked()
        if let user {
            let credential = try attempting { () throws(VaultError) in try open.credential(for: service, user: user) }
            if case .ownOnly = authorisation, let credential, !client.owns(credential.id, credential.version) {
                return nil
            }
            return credential
        }
        let latest = try visible(service, client, authorisation).first
        return try latest.flatMap { latest throws(RefusedRequest) in
            try attempting { () throws(VaultError) in try open.credential(latest.id) }
        }
    }

    /// What the client may see of a service, the last used first.
    func visible(
        _ service: Service, _ client: Client, _ authorisation: Authorisation
    ) throws(RefusedRequest) -> [CredentialStorage.CredentialSummary] {
        let open = try vault.unlocked()
        let saved = try attempting { () throws(VaultError) in try open.credentials(for: service) }
        return switch authorisation {
        case .granted: saved
        case .ownOnly: saved.filter { client.owns($0.id, $0.version) }
        }
    }

    func list(
        _ call: CredentialList, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> CredentialList.Answer {
        let open = try vault.unlocked()
        if call.deleted {
            guard isProven else { throw RefusedRequest(.proofRequired) }
            let after = try cursor(call.page.cursor)
            let page = try attempting { () throws(VaultError) in
                try open.deletedCredentials(after: after, limit: call.page.limit)
            }
            return CredentialList.Answer(
                credentials: page.elements.map(AutofillProtocol.CredentialSummary.init), next: page.next?.description)
        }
        guard let identifier = call.service else {
            guard isProven else { throw RefusedRequest(.proofRequired) }
            let after = try cursor(call.page.cursor)
            let page = try attempting { () throws(VaultError) in
                try open.credentials(after: after, limit: call.page.limit)
            }
            return CredentialList.Answer(
                credentials: page.elements.map(AutofillProtocol.CredentialSummary.init), next: page.next?.description)
        }
        let service = try domain(identifier)
        let authorisation =
            isProven ? .granted(nil) : try authorise(client, toReach: .password, of: service, call.interaction)
        if !isProven { try confirmPeer(of: client) }
        let all = try visible(service, client, authorisation)
        var rest = all[...]
        if let after = try cursor(call.page.cursor), let index = all.firstIndex(where: { $0.id == after }) {
            rest = all[(index + 1)...]
        }
        let page = rest.prefix(call.page.limit)
        return CredentialList.Answer(
            credentials: page.map(AutofillProtocol.CredentialSummary.init),
            next: page.endIndex < all.endIndex ? page.last?.id.description : nil)
    }

    func delete(
        _ call: CredentialDelete, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> Changed {
        let open = try vault.unlocked()
        guard let id = ObjectID(call.credential), id.kind == .credential,
            let credential = try attempting({ () throws(VaultError) in try open.credential(id) })
        else { throw RefusedRequest(.credentialNotFound) }
        if !isProven, !client.owns(id, credential.version) {
            if case .ownOnly = try authorise(client, credential.service, call.interaction) {
                throw RefusedRequest(.notOwn)
            }
        }
        let deleted = try attempting { () throws(VaultError) in
            try open.delete(id, ifVersion: call.ifVersion.map(UInt64.init), at: now)
        }
        if deleted.changed { announce(.credentialsChanged(id, credential.service, .deleted)) }
        return Changed(deleted.changed)
    }

    /// Gets a deleted credential back.
    func restore(_ call: CredentialRestore, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> Changed {
        guard isProven else { throw RefusedRequest(.proofRequired) }
        let open = try vault.unlocked()
        guard let id = ObjectID(call.credential), id.kind == .credential else {
            throw RefusedRequest(.credentialNotFound)
        }
        let restored = try attempting { () throws(VaultError) in try open.undelete(id, at: now) }
        if restored.changed, let credential = try attempting({ () throws(VaultError) in try open.credential(id) }) {
            announce(.credentialsChanged(id, credential.service, .saved))
        }
        return Changed(restored.changed)
    }

    func cursor(_ text: String?) throws(RefusedRequest) -> ObjectID? {
        guard let text else { return nil }
        guard let id = ObjectID(text) else { throw .invalid("cursor", "the cursor of the page before") }
        return id
    }
}

extension AutofillProtocol.CredentialSummary {
    init(_ credential: Credential) {
        self.init(
            credential: credential.id.description,
            service: ServiceIdentifier(type: credential.service.kind.rawValue, value: credential.service.value),
            user: credential.user, version: Int(credential.version), created: credential.created.description,
            changed: credential.changed.description, lastUsed: credential.lastUsed?.description)
    }

    init(_ summary: CredentialStorage.CredentialSummary) {
        self.init(
            credential: summary.id.description,
            service: ServiceIdentifier(type: summary.service.kind.rawValue, value: summary.service.value),
            user: summary.user, version: Int(summary.version), created: summary.created.description,
            changed: summary.changed.description, lastUsed: summary.lastUsed?.description,
            deleted: summary.deleted?.description)
    }
}
