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
    func fill(
        _ call: AutofillFill, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> AutofillFill.Answer {
        if let offer = call.offer { return try fill(offer: offer, call, client, isProven) }
        if let code = call.code { return try fill(code: code, call, client, isProven) }
        guard let id = call.credential.flatMap({ ObjectID($0) }), id.kind == .credential else {
            throw RefusedRequest(.credentialNotFound)
        }
        let open = try vault.unlocked()
        guard
            let credential = try attempting({ () throws(VaultError) in try open.credential(id) }),
            credential.deleted == nil
        else { throw RefusedRequest(.credentialNotFound) }
        let authorisation =
            isProven
            ? .granted(nil) : try authorise(client, toReach: .password, of: credential.service, call.interaction)
        if case .ownOnly = authorisation, !client.owns(id, credential.version) {
            throw RefusedRequest(.credentialNotFound)
        }
        let form = FormAnalysis(of: try formFields(call.fields ?? []))
        try release(id, credential.service, .autofillFill, client, authorisation, isProven)
        try attempting { () throws(VaultError) in try open.noteUse(of: id, at: now) }
        let name = form.usernameField.map { FieldValue(field: $0, value: .init(utf8: credential.user)) }
        return AutofillFill.Answer(
            user: credential.user, password: credential.password,
            values: [name].compactMap(\.self)
                + form.passwordFields.map { FieldValue(field: $0, value: credential.password) })
    }

    private func fill(
        offer text: String, _ call: AutofillFill, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> AutofillFill.Answer {
        let offer = try offer(text, of: isProven ? nil : client)
        if !isProven {
            switch offer.state {
            case .pending: break
            case .declined: throw RefusedRequest(.offerDeclined)
            case .expired: throw RefusedRequest(.offerExpired)
            // Its password is a saved credential now: that is released as one.
            case .accepted: throw RefusedRequest(.offerAlreadyAccepted)
            }
            if offer.expires <= now { throw RefusedRequest(.offerExpired) }
            try examine(client, .domain(offer.service.value), for: .save, interaction: call.interaction)
        }
        let form = FormAnalysis(of: try formFields(call.fields ?? client.fieldsOfOffer[offer.id] ?? []))
        try release(offer.id, offer.service, .autofillFill, client, .ownOnly, isProven)
        return AutofillFill.Answer(
            user: nil, password: offer.password,
            values: form.newPasswordFields.map { FieldValue(field: $0, value: offer.password) })
    }

    /// The offer of that name, if it was made to this app, known this way; nil for whomever it was made to.
    func offer(_ text: String, of client: Client?) throws(RefusedRequest) -> Offer {
        var subject: Subject?
        if let client { subject = try self.subject(of: client) }
        let open = try vault.unlocked()
        guard let id = ObjectID(text), id.kind == .offer,
            let offer = try attempting({ () throws(VaultError) in try open.offer(id) }),
            subject?.isAtLeast(offer.subject) ?? true
        else { throw RefusedRequest(.offerNotFound) }
        return offer
    }

    func accept(_ call: AutofillAccept, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> SavedAnswer {
        let offer = try offer(call.offer, of: isProven ? nil : client)
        if !isProven {
            try examine(client, .domain(offer.service.value), for: .save, interaction: call.interaction)
            if case .pending = offer.state, offer.expires <= now { throw RefusedRequest(.offerExpired) }
        }
        let open = try vault.unlocked()
        var user = call.user
        var replaces: ObjectID?
        if let text = call.replaces {
            let old = try replaced(text, by: offer, isProven ? nil : client)
            user = old.user
            replaces = old.id
        }
        guard let user else { throw RefusedRequest(.internalFault) }
        if !isProven, replaces == nil, case .pending = offer.state {
            try authorise(client, toChange: user, of: offer.service, call.interaction)
        }
        let saved = try attempting { () throws(VaultError) in
            try open.accept(
                offer.id, user: user, replacing: replaces, writer: offer.subject,
                ifVersion: call.ifVersion.map(UInt64.init), isReviving: isProven, at: now)
        }
        // Accepted before, it may have another password by now.
        if !isProven, saved.changed { client.ownPassword(saved, of: offer.service) }
        if saved.changed { announce(.credentialsChanged(saved.id, offer.service, .saved)) }
        return SavedAnswer(credential: saved.id.description, changed: saved.changed)
    }

    /// The credential that a change-of-password form replaces: one that the app may see; nil for any of the site.
    private func replaced(
        _ text: String, by offer: Offer, _ client: Client?
    ) throws(RefusedRequest) -> Credential {
        let open = try vault.unlocked()
        guard let id = ObjectID(text), id.kind == .credential,
            let old = try attempting({ () throws(VaultError) in try open.credential(id) }),
            old.service == offer.service, old.deleted == nil
        else { throw RefusedRequest(.credentialNotFound) }
        if let client, !client.owns(id, old.version), try remembered(client, offer.service)?.decision != .allow {
            throw RefusedRequest(.credentialNotFound)
        }
        return old
    }

    func decline(_ call: AutofillDecline, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> Changed {
        let offer = try offer(call.offer, of: isProven ? nil : client)
        if !isProven { try examine(client, .domain(offer.service.value), for: .save) }
        let open = try vault.unlocked()
        return Changed(try attempting { () throws(VaultError) in try open.decline(offer.id, at: now) })
    }
}
