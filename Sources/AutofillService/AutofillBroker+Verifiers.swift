// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SecretMemory

/// Verifiers: what a password can be checked against without being kept.
extension AutofillBroker {
    func setVerifier(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        var version: UInt64 = 0
        return deferring(request, client, &writer) { [unowned self] (call: VerifierSet) throws(RefusedRequest) in
            let place = try place(call.accessGroup, call.service, client, false)
            version = try authorise(client, toReplace: call.account, at: place, call.interaction)
            return .hash(call.password)
        } then: { [unowned self] (call: VerifierSet, derived) throws(RefusedRequest) in
            let hash = try derived.passwordHash()
            let place = try place(call.accessGroup, call.service, client, false)
            let saved = try keep(
                hash, for: call.account, at: place, try subject(of: client), ifVersion: version)
            return VerifierSaved(verifier: saved.id.description, changed: true)
        }
    }

    func importVerifier(
        _ call: VerifierImport, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> VerifierSaved {
        let place = try place(call.accessGroup, call.service, client, isProven)
        guard let hash = PasswordHash(phc: call.hash) else {
            throw .invalid(
                "hash", "$scrypt$ln=15,r=8,p=1$SALT$HASH, with ln 14 or more, and at most four times its work")
        }
        if !isProven { _ = try authorise(client, toReplace: call.account, at: place, call.interaction) }
        if let old = try verifier(place, call.account), old.hash.equals(hash.phc) {
            return VerifierSaved(verifier: old.id.description, changed: false)
        }
        let saved = try keep(hash, for: call.account, at: place, try writer(client, isProven))
        return VerifierSaved(verifier: saved.id.description, changed: saved.changed)
    }

    func checkVerifier(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        var checked: SecretBytes?
        return deferring(request, client, &writer) { [unowned self] (call: VerifierCheck) throws(RefusedRequest) in
            let verifier = try checkable(call, client)
            guard let hash = PasswordHash(phc: verifier.hash) else { throw RefusedRequest(.recordDamaged) }
            checked = verifier.hash
            return .check(call.password, against: hash)
        } then: { [unowned self] (call: VerifierCheck, derived) throws(RefusedRequest) in
            guard case .checked(let isRight, let stronger)? = derived else { throw derived.refusal }
            // What was tried while another try failed is not told: tries at the same time gain nothing.
            var verifier = try checkable(call, client)
            guard checked?.equals(verifier.hash) == true else { throw RefusedRequest(.versionMismatch) }
            if isRight {
                guard verifier.failures > 0 || stronger != nil else { return VerifierCheck.Answer(isRight: true) }
                verifier.failures = 0
                verifier.notBefore = nil
                verifier.hash = stronger?.phc ?? verifier.hash
            } else {
                verifier.failures += verifier.failures < .max ? 1 : 0
                verifier.notBefore = now.advanced(byMilliseconds: Self.delay(after: verifier.failures))
            }
            verifier.changed = now
            try note(verifier)
            return VerifierCheck.Answer(isRight: isRight)
        }
    }

    func deleteVerifier(_ call: VerifierDelete, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> Changed {
        let place = try place(call.accessGroup, call.service, client, isProven)
        guard let verifier = try verifier(place, call.account) else { return Changed(false) }
        _ = try authorise(client, toReach: place, writtenBy: verifier.writer, call.interaction, isProven)
        let open = try vault.unlocked()
        return Changed(try attempting { () throws(VaultError) in try open.deleteVerifier(verifier.id) })
    }

    func exportVerifier(
        _ call: VerifierExport, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> VerifierExport.Answer {
        let place = try place(call.accessGroup, call.service, client, isProven)
        guard let verifier = try verifier(place, call.account) else { throw RefusedRequest(.verifierNotFound) }
        let authorisation = try authorise(
            client, toReach: place, writtenBy: verifier.writer, call.interaction, isProven)
        try release(verifier.id, place.granted, .verifierExport, client, authorisation, isProven)
        return VerifierExport.Answer(hash: verifier.hash)
    }

    func verifier(_ place: KeychainPlace, _ account: String) throws(RefusedRequest) -> Verifier? {
        let open = try vault.unlocked()
        return try attempting { () throws(VaultError) in
            try open.verifier(accessGroup: place.group, service: place.service, account: account)
        }
    }

    /// Whether a verifier may be made here, or take the place of the one that is there; the version of that, or 0.
    func authorise(
        _ client: Client, toReplace account: String, at place: KeychainPlace, _ interaction: Interaction
    ) throws(RefusedRequest) -> UInt64 {
        guard let old = try verifier(place, account) else {
            try checkRoom(try vault.unlocked().counts?.verifiers)
            return 0
        }
        _ = try authorise(client, toReach: place, writtenBy: old.writer, interaction, false)
        return old.version
    }

    /// Keeps a new hash; the failures before it do not count any more.
    ///
    /// - Parameter version: of the verifier whose place it takes, 0 for none: another one is not replaced.
    func keep(
        _ hash: PasswordHash, for account: String, at place: KeychainPlace, _ writer: Subject,
        ifVersion version: UInt64? = nil
    ) throws(RefusedRequest) -> Saved {
        let verifier = Verifier(
            id: .random(.verifier, using: &entropy), accessGroup: place.group, service: place.service,
            account: account, hash: hash.phc, created: now, changed: now, writer: writer)
        let open = try vault.unlocked()
        return try attempting { () throws(VaultError) in try open.put(verifier, ifVersion: version) }
    }

    /// Keeps what a check has changed. A wrong password counts also where the vault takes nothing.
    private func note(_ verifier: Verifier) throws(RefusedRequest) {
        let open = try vault.unlocked()
        do throws(RefusedRequest) {
            _ = try attempting { () throws(VaultError) in try open.put(verifier) }
            unnotedFailures[verifier.id] = nil
        } catch {
            if let notBefore = verifier.notBefore {
                unnotedFailures[verifier.id] = UnnotedFailure(count: verifier.failures, notBefore: notBefore)
            }
            throw error
        }
    }

    private func checkable(_ call: VerifierCheck, _ client: Client) throws(RefusedRequest) -> Verifier {
        let place = try place(call.accessGroup, call.service, client, false)
        guard var verifier = try verifier(place, call.account) else { throw RefusedRequest(.verifierNotFound) }
        if let failure = unnotedFailures[verifier.id], failure.count > verifier.failures {
            verifier.failures = failure.count
            verifier.notBefore = failure.notBefore
        }
        if let notBefore = verifier.notBefore, now < notBefore {
            // A clock that was set back makes nobody wait longer than the delay was.
            let longest = Self.delay(after: verifier.failures)
            let left = min(notBefore.milliseconds - now.milliseconds, longest)
            throw RefusedRequest([Refusal(.checkTooSoon, waiting: left)])
        }
        return verifier
    }

    /// In milliseconds.
    private static func delay(after failures: UInt32) -> Int64 {
        let longest = Int64(Limits.verifierLongestDelayMilliseconds)
        return min(Int64(Limits.verifierDelayMilliseconds) << Int64(min(failures - 1, 30)), longest)
    }
}

/// Wrong passwords of a verifier that the vault could not take, on a full disk say: they hold until the next start.
struct UnnotedFailure {
    let count: UInt32
    let notBefore: Timestamp
}

extension Deferred.Derived? {
    /// The hash that was made.
    func passwordHash() throws(RefusedRequest) -> PasswordHash {
        guard case .hash(let hash)? = self else { throw refusal }
        return hash
    }

    /// Why there is no result.
    var refusal: RefusedRequest {
        if case .failed(let error)? = self { RefusedRequest([error.refusal]) } else { RefusedRequest(.internalFault) }
    }
}
