// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
package import CredentialStorage
package import Credentials
internal import OneTimeCodes
package import Reasons
package import SecretMemory

/// Changes credentials, with what follows from that: events, what the connection owns, quotas.
package struct CredentialWriter {
    private let vault: VaultKeeper
    private let events: EventHub
    private let quotas: Quotas
    private let request: RequestContext

    package init(_ vault: VaultKeeper, _ events: EventHub, _ quotas: Quotas, _ request: RequestContext) {
        (self.vault, self.events, self.quotas, self.request) = (vault, events, quotas, request)
    }

    /// Saves a password. Also where nothing changed it becomes the app's own: it has sent the very password that is saved.
    package func save(_ draft: CredentialDraft, ifVersion version: UInt64?) throws(Refusal) -> Saved {
        let saved = try vault.write { writers, now throws(VaultError) in
            try writers.credentials.save(draft, ifVersion: version, at: now)
        }
        noteWritten(saved, of: draft.service)
        if draft.details.changesDetails { request.session.memory.ownership.ownDetails(saved) }
        return saved
    }

    /// Saves the password of an offer as a credential.
    package func accept(_ plan: OfferAcceptance, ifVersion version: UInt64?) throws(Refusal) -> Saved {
        let (steady, isReviving) = (vault.clock.steady, request.isProven)
        let saved = try vault.write { writers, _ throws(VaultError) in
            try writers.offers.accept(
                plan.offer.id, for: plan.service, user: plan.user, replacing: plan.replaced, writer: plan.offer.subject,
                ifVersion: version, isReviving: isReviving, at: steady)
        }
        // Accepted before, it may have another password by now.
        if saved.changed { noteWritten(saved, of: plan.service) }
        return saved
    }

    private func noteWritten(_ saved: Saved, of service: Service) {
        if !request.isProven {
            request.session.memory.ownership.ownPassword(saved, of: service)
            if saved.isNew, let app = request.session.app?.bundleID.text { quotas.noteCredential(madeBy: app) }
        }
        announce(saved, service)
    }

    package func update(
        _ old: Sealed<Credential>, with details: DetailsChange, newUser: String? = nil, by writer: Subject,
        ifVersion version: UInt64?, at service: Service
    ) throws(Refusal) -> Saved {
        let saved = try vault.write { writers, now throws(VaultError) in
            try writers.credentials.update(old.id, ifVersion: version, at: now) { credential in
                credential.apply(details, by: writer)
                if let newUser { credential.user = newUser }
            }
        }
        request.session.memory.ownership.keepOwning(old.record, as: saved)
        if details.changesDetails { request.session.memory.ownership.ownDetails(saved) }
        announce(saved, service)
        return saved
    }

    package func delete(_ old: Sealed<Credential>, ifVersion version: UInt64?) throws(Refusal) -> Bool {
        let steady = vault.clock.steady
        let deleted = try vault.write { writers, _ throws(VaultError) in
            try writers.credentials.delete(old.id, ifVersion: version, at: steady)
        }
        guard deleted.changed else { return false }
        request.session.memory.ownership.noteDeleted(deleted)
        events.announce(.credentialsChanged(old.id, old.services.map(\.service), .deleted), causedBy: request)
        return true
    }

    /// Restores a deleted credential.
    package func restore(_ id: ObjectID) throws(Refusal) -> Bool {
        let restored = try vault.write { writers, now throws(VaultError) in
            try writers.credentials.undelete(id, at: now)
        }
        if restored.changed {
            events.announce(.credentialsChanged(id, restored.services, .saved), causedBy: request)
        }
        return restored.changed
    }

    /// Sets what the one-time codes are made from; nil removes it.
    package func setCode(
        _ uri: SecretBytes?, of old: Sealed<Credential>, by writer: Subject, ifVersion version: UInt64?,
        at service: Service
    ) throws(Refusal) -> Saved {
        let saved = try vault.write { writers, now throws(VaultError) in
            try writers.credentials.update(old.id, ifVersion: version, at: now) {
                $0.setCode(uri, by: writer, at: now)
            }
        }
        request.session.memory.ownership.keepOwning(old.record, as: saved)
        announce(saved, service)
        return saved
    }

    /// The request's connection has set the codes of a credential.
    package func ownCode(_ saved: Saved, of service: Service) {
        if !request.isProven { request.session.memory.ownership.ownCode(saved, of: service) }
    }

    /// The one-time code of now, or the next one of a counter.
    package func code(of credential: Credential) throws(Refusal) -> (code: SecretBytes, validUntil: Timestamp?) {
        let password = try password(of: credential)
        if let timed = password.code(atMilliseconds: vault.clock.now.milliseconds) {
            return (timed.code, Timestamp(milliseconds: timed.validUntil))
        }
        return (password.code(counter: try takeCounter(of: credential)), nil)
    }

    /// The code of a counter that was taken before.
    package func code(of credential: Credential, counter: UInt64) throws(Refusal) -> SecretBytes {
        try password(of: credential).code(counter: counter)
    }

    /// The counter of the next code, which no other code gets: it is in the vault when this returns.
    package func takeCounter(of credential: Credential) throws(Refusal) -> UInt64 {
        let password = try password(of: credential)
        guard case .counter(let counter) = password.factor, counter < OneTimePassword.greatestCounter else {
            throw Refusal(.codeNotFound)
        }
        var next = password
        next.factor = .counter(counter + 1)
        let uri = next.uri
        let saved = try vault.write { writers, now throws(VaultError) in
            try writers.credentials.update(credential.id, at: now) { $0.oneTimeCode = uri }
        }
        request.session.memory.ownership.keepOwning(credential, as: saved)
        announce(saved, credential.service)
        return counter
    }

    private func password(of credential: Credential) throws(Refusal) -> OneTimePassword {
        guard let password = try credential.oneTimePassword() else { throw Refusal(.codeNotFound) }
        return password
    }

    private func announce(_ saved: Saved, _ service: Service) {
        guard saved.changed else { return }
        let services = saved.services.isEmpty ? [service] : saved.services
        events.announce(.credentialsChanged(saved.id, services, .saved), causedBy: request)
    }
}

/// An offer that becomes a credential.
package struct OfferAcceptance: Sendable {
    let offer: Sealed<Offer>
    let service: Service
    let user: String
    /// The credential that it replaces.
    let replaced: ObjectID?

    package init(_ offer: Sealed<Offer>, for service: Service, user: String, replacing replaced: ObjectID?) {
        (self.offer, self.service, self.user, self.replaced) = (offer, service, user, replaced)
    }
}
