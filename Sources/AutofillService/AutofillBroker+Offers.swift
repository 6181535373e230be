// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import Reasons
internal import SecretMemory

/// Filling, accepting and declining.
extension AutofillBroker {
    func fill(_ call: AutofillFill, _ client: Client, _ access: Access) throws(RefusedRequest) -> AutofillFill.Answer {
        if case .offer(let offer) = access.object { return try fill(offer, call, client) }
        guard case .credential(let credential) = access.object, credential.deleted == nil else {
            throw RefusedRequest(.credentialNotFound)
        }
        let id = credential.id
        let open = try vault.unlocked()
        let authorisation = access.authorisation
        if case .ownOnly = authorisation, !client.owns(id, credential.version) {
            throw RefusedRequest(.credentialNotFound)
        }
        let form = FormAnalysis(of: try formFields(call.fields ?? []))
        try release(id, credential.service, .autofillFill, client, authorisation, false)
        try attempting { () throws(VaultError) in try open.noteUse(of: id, at: now) }
        let name = form.usernameField.map { FieldValue(field: $0, value: .init(utf8: credential.user)) }
        return AutofillFill.Answer(
            user: credential.user, password: credential.password,
            values: [name].compactMap(\.self)
                + form.passwordFields.map { FieldValue(field: $0, value: credential.password) })
    }

    private func fill(
        _ offer: Offer, _ call: AutofillFill, _ client: Client
    ) throws(RefusedRequest) -> AutofillFill.Answer {
        switch offer.state {
        case .pending: break
        case .declined: throw RefusedRequest(.offerDeclined)
        case .expired: throw RefusedRequest(.offerExpired)
        // Its password is a saved credential now: that is released as one.
        case .accepted: throw RefusedRequest(.offerAlreadyAccepted)
        }
        if offer.expires <= now { throw RefusedRequest(.offerExpired) }
        let form = FormAnalysis(of: try formFields(call.fields ?? client.fieldsOfOffer[offer.id] ?? []))
        try release(offer.id, offer.service, .autofillFill, client, .ownOnly, false)
        return AutofillFill.Answer(
            user: nil, password: offer.password,
            values: form.newPasswordFields.map { FieldValue(field: $0, value: offer.password) })
    }

    /// The offer of that name, if it was made to this app, known this way.
    func offer(_ text: String, of client: Client) throws(RefusedRequest) -> Offer {
        let subject = try subject(of: client)
        let open = try vault.unlocked()
        guard let id = ObjectID(text), id.kind == .offer,
            let offer = try attempting({ () throws(VaultError) in try open.offer(id) }), offer.subject == subject
        else { throw RefusedRequest(.offerNotFound) }
        return offer
    }

    func accept(_ call: AutofillAccept, _ client: Client, _ access: Access) throws(RefusedRequest) -> SavedAnswer {
        guard case .offer(let offer) = access.object else { throw RefusedRequest(.offerNotFound) }
        if case .pending = offer.state, offer.expires <= now { throw RefusedRequest(.offerExpired) }
        let open = try vault.unlocked()
        var user = call.user
        var replaces: ObjectID?
        if let text = call.replaces {
            let old = try replaced(text, by: offer, client)
            user = old.user
            replaces = old.id
        }
        guard let user else { throw RefusedRequest(.internalFault) }
        if replaces == nil, case .pending = offer.state {
            try authorise(client, toChange: user, of: offer.service, call.interaction)
        }
        let saved = try attempting { () throws(VaultError) in
            try open.accept(
                offer.id, user: user, replacing: replaces, writer: offer.subject,
                ifVersion: call.ifVersion.map(UInt64.init), at: now)
        }
        client.own[saved.id] = saved.version
        if saved.changed { announce(.credentialsChanged(saved.id, offer.service, .saved)) }
        return SavedAnswer(credential: saved.id.description, changed: saved.changed)
    }

    /// The credential that a change-of-password form replaces: one that the app may see.
    private func replaced(
        _ text: String, by offer: Offer, _ client: Client
    ) throws(RefusedRequest) -> Credential {
        let open = try vault.unlocked()
        guard let id = ObjectID(text), id.kind == .credential,
            let old = try attempting({ () throws(VaultError) in try open.credential(id) }),
            old.service == offer.service, old.deleted == nil,
            client.owns(id, old.version) ? true : try remembered(client, offer.service)?.decision == .allow
        else { throw RefusedRequest(.credentialNotFound) }
        return old
    }

    func decline(_ call: AutofillDecline, _ client: Client, _ access: Access) throws(RefusedRequest) -> Changed {
        guard case .offer(let offer) = access.object else { throw RefusedRequest(.offerNotFound) }
        let open = try vault.unlocked()
        return Changed(try attempting { () throws(VaultError) in try open.decline(offer.id, at: now) })
    }
}
