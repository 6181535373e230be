// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials

/// The methods `verifier.*` and `signIn.*`.
struct VerifierMethods: MethodArea {
    let views: VerifierViews
    private let vault: VaultKeeper
    private let failures: VerifierFailures
    private let quotas: Quotas
    private let events: EventHub
    private let audit: Audit

    init(
        _ access: KeychainAccess, _ vault: VaultKeeper, _ quotas: Quotas, _ events: EventHub, _ audit: Audit
    ) {
        failures = VerifierFailures()
        views = VerifierViews(
            verifiers: VerifierReader(vault, failures), access: access, quotas: QuotaReader(quotas))
        self.vault = vault
        self.quotas = quotas
        self.events = events
        self.audit = audit
    }

    func effects(for request: RequestContext) -> VerifierEffects {
        VerifierEffects(
            verifiers: VerifierWriter(vault, failures, quotas, events, request), releases: ReleaseLog(audit, request))
    }
}

struct VerifierViews {
    let verifiers: VerifierReader
    let access: KeychainAccess
    let quotas: QuotaReader
}

struct VerifierEffects {
    let verifiers: VerifierWriter
    let releases: ReleaseLog
}

extension VerifierViews {
    func toAccess(
        _ verifier: Sealed<Verifier>, at place: KeychainPlace, _ request: RequestView
    ) throws(Unsettled) -> Permit {
        try access.toAccess(place, writtenBy: verifier.writer, isMade: request.hasMade(verifier.id), request)
    }

    /// Whether a verifier may be made here, or replace the one that is there; the version of that, or 0.
    func toReplace(_ account: String, at place: KeychainPlace, _ request: RequestView) throws(Unsettled) -> UInt64 {
        guard let old = try verifiers.verifier(place, account) else {
            try quotas.requireItemCapacity(besides: try verifiers.count(), request)
            return 0
        }
        _ = try toAccess(old, at: place, request)
        return old.version
    }

    /// The user's name is for the program that set it, and for another of the same app by the user's consent.
    func toAccess(_ user: CurrentUser, _ request: RequestView) throws(Unsettled) {
        let verifier = try verifiers.verifierID(of: user)
        _ = try access.toAccess(
            user.place, writtenBy: user.writer, isMade: verifier.map { request.hasMade($0) } ?? false, request)
    }

    /// The current user; throws where the client may have no keychain.
    func currentUser(_ request: RequestView) throws(Unsettled) -> CurrentUser? {
        try access.requireKeychain(request)
        return try verifiers.currentUser(request)
    }
}
