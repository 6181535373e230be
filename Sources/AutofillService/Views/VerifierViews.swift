// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
package import CredentialStorage
package import Credentials
package import Reasons
package import SecretMemory

/// Verifiers, without their hashes, and who is signed in to an app.
package struct VerifierReader {
    private let vault: VaultKeeper
    private let failures: VerifierFailures

    package init(_ vault: VaultKeeper, _ failures: VerifierFailures) { (self.vault, self.failures) = (vault, failures) }

    package func count() throws(Unsettled) -> Int { try vault.unlocked().counts?.verifiers ?? 0 }

    package func verifier(_ place: KeychainPlace, _ account: String) throws(Unsettled) -> Sealed<Verifier>? {
        try vault.read { readers throws(VaultError) in
            try readers.verifiers.get(accessGroup: place.group, service: place.service, account: account)
        }.map(Sealed.init)
    }

    /// The verifier of a user, by its id.
    package func verifierID(of user: CurrentUser) throws(Unsettled) -> ObjectID? {
        try verifier(user.place, user.account)?.id
    }

    /// Whether a password is that of a verifier, once that was computed. Throws where it is not to be checked yet, and what it
    /// waits for. Tries at the same time gain nothing: a verifier that was changed while one ran refuses it.
    package func check(
        _ password: SecretBytes, against verifier: Sealed<Verifier>, _ request: RequestView
    ) throws(Unsettled) -> CheckedVerifier {
        let checkable = try failures.checkable(verifier.record, at: vault.clock.steady)
        guard let check = request.results.passwordCheck else {
            throw .waits(for: .passwordCheck(password, hash: checkable.hash))
        }
        guard check.hash.equals(checkable.hash) else { throw Unsettled(.versionMismatch) }
        return CheckedVerifier(verifier: Sealed(checkable), isMatch: check.isMatch, stronger: check.stronger)
    }

    /// The hash of a password, once it was made; else throws that it is waited for.
    ///
    /// - Parameter basis: what the request is judged by before; returned with the hash.
    package func hash<Basis: Sendable>(
        of password: SecretBytes, basis: Basis, _ request: RequestView
    ) throws(Unsettled) -> (hash: HashedPassword, basis: Basis) {
        guard let made = request.results.passwordHash, let basis = made.basis as? Basis else {
            throw .waits(for: .passwordHash(password, basis: basis))
        }
        return (HashedPassword(made.hash), basis)
    }

    /// What a hash was made for, once it was made.
    package func hashBasis<Basis: Sendable>(_ request: RequestView) -> Basis? {
        request.results.passwordHash?.basis as? Basis
    }

    package func currentUser(_ request: RequestView) throws(Unsettled) -> CurrentUser? {
        guard let app = request.bundleID?.text else { throw Unsettled(.internalFault) }
        let stored = try vault.read { readers throws(VaultError) in
            try readers.settings.get(CurrentUser.settingName(app))
        }
        return stored.flatMap { CurrentUser(stored: $0, app: app) }
    }
}

/// A hash that a password can be checked against.
package struct HashedPassword: Sendable {
    let hash: PasswordHash

    init(_ hash: PasswordHash) { self.hash = hash }

    /// nil for what is no PHC string of scrypt, or costs more than is computed.
    package init?(phc: SecretBytes) {
        guard let hash = PasswordHash(phc: phc) else { return nil }
        self.hash = hash
    }

    package var phc: SecretBytes { hash.phc }
}

/// The outcome of a password's check against a hash.
struct PasswordCheck: Sendable {
    /// The hash that it was checked against.
    let hash: SecretBytes
    let isMatch: Bool
    /// A hash by today's cost, where the password is right and that one is weaker.
    let stronger: PasswordHash?
}

/// A verifier with the outcome of a check, which is not kept yet.
package struct CheckedVerifier: Sendable {
    let verifier: Sealed<Verifier>
    package let isMatch: Bool
    let stronger: PasswordHash?
}

/// Changes verifiers, with what follows from that: what the connection has made, quotas.
package struct VerifierWriter {
    private let vault: VaultKeeper
    private let failures: VerifierFailures
    private let quotas: Quotas
    private let events: EventHub
    private let request: RequestContext

    package init(
        _ vault: VaultKeeper, _ failures: VerifierFailures, _ quotas: Quotas, _ events: EventHub,
        _ request: RequestContext
    ) {
        (self.vault, self.failures, self.quotas) = (vault, failures, quotas)
        (self.events, self.request) = (events, request)
    }

    /// Keeps a new hash; the failures before it do not count any more.
    ///
    /// - Parameter version: of the verifier that it replaces, 0 for none: no other is replaced. nil: any.
    package func keep(
        _ hash: HashedPassword, for account: String, at place: KeychainPlace, by writer: Subject,
        ifVersion version: UInt64? = nil
    ) throws(Refusal) -> Saved {
        var entropy = vault.environment.entropy
        let id = ObjectID.random(.verifier, using: &entropy)
        let saved = try vault.write { writers, now throws(VaultError) in
            try writers.verifiers.put(
                Verifier(
                    id: id, accessGroup: place.group, service: place.service, account: account, hash: hash.phc,
                    created: now, changed: now, writer: writer), ifVersion: version)
        }
        if !request.isProven {
            request.session.memory.ownership.noteMade(saved.id)
            if saved.isNew { quotas.items.note(saved.id, madeBy: request.session.quotaKey) }
        }
        return saved
    }

    /// Keeps what a check has changed. A wrong password counts also where the vault accepts nothing.
    package func note(_ checked: CheckedVerifier) throws(Refusal) {
        var verifier = checked.verifier.record
        if checked.isMatch {
            guard verifier.failures > 0 || checked.stronger != nil else { return }
            verifier.failures = 0
            verifier.notBefore = nil
            verifier.hash = checked.stronger?.phc ?? verifier.hash
        } else {
            verifier.failures += verifier.failures < .max ? 1 : 0
            verifier.notBefore = vault.clock.steady.advanced(
                byMilliseconds: VerifierFailures.delay(after: verifier.failures))
        }
        let changed = verifier
        do throws(Refusal) {
            _ = try vault.write { writers, now throws(VaultError) in
                var verifier = changed
                verifier.changed = now
                _ = try writers.verifiers.put(verifier)
            }
            failures.forget(verifier.id)
        } catch {
            failures.note(verifier)
            throw error
        }
    }

    /// - Returns: false where there was none.
    package func delete(_ id: ObjectID) throws(Refusal) -> Bool {
        let isDeleted = try vault.write { writers, _ throws(VaultError) in try writers.verifiers.delete(id) }
        quotas.items.forget(id)
        return isDeleted
    }

    package func setCurrentUser(_ user: CurrentUser?) throws(Refusal) {
        guard let app = request.session.app?.bundleID.text else { throw Refusal(.internalFault) }
        let stored = user?.stored
        try vault.write { writers, now throws(VaultError) in
            try writers.settings.set(CurrentUser.settingName(app), to: stored, at: now)
        }
        // Announced after it has been kept, and nowhere else.
        events.announce(.loginStatusChanged(app: app, isSignedIn: user != nil), causedBy: request)
    }
}
