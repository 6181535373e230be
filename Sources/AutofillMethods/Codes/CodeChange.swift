// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SecretMemory

/// A change of what the one-time codes of a credential are made from.
struct CodeChange: Sendable {
    let credential: Sealed<Credential>
    /// The service that the request names, and the one that the credential is kept under.
    let named, service: Service
    /// nil removes it.
    let uri: SecretBytes?
    let writer: Subject
    /// The suggestions of counters that are left; nil where the credential has none.
    let suggested: SuggestedCodes?
}

extension CodeViews {
    /// Under the conditions of a save.
    ///
    /// - Parameter account: the user name where the call names none.
    func change(
        of name: CredentialName, account: String? = nil, to uri: SecretBytes?, _ request: RequestView
    ) throws(Unsettled) -> CodeChange {
        guard let named = name.service else {
            let (found, service) = try credentials.accessed(name.id, request)
            guard found.isPassword else { throw Unsettled(.credentialNotFound) }
            try examine(service, request)
            return try change(of: found, at: service, to: uri, request)
        }
        guard let user = name.user ?? account else { throw .invalid("user", "the user name") }
        let service = try credentials.sites.service(named, request)
        try examine(service, request)
        return try change(of: credentials.saved.password(of: user, at: service, request), at: service, to: uri, request)
    }

    /// Before anything is looked up: a refusal needs no open vault.
    private func examine(_ service: Service, _ request: RequestView) throws(Unsettled) {
        if !request.isProven { try credentials.access.examine(service, for: .save, request) }
    }

    private func change(
        of found: Sealed<Credential>?, at named: Service, to uri: SecretBytes?, _ request: RequestView
    ) throws(Unsettled) -> CodeChange {
        if !request.isProven { try credentials.access.toChangeCodes(of: found, at: named, request) }
        let writer = try request.writer()
        guard let found, !found.isDeleted else { throw Unsettled(.credentialNotFound) }
        let service = found.isFor(named) ? named : found.service
        return CodeChange(
            credential: found, named: named, service: service, uri: uri, writer: writer,
            suggested: try codes.suggested().without(found.id))
    }
}

extension CodeEffects {
    func change(_ change: CodeChange, ifVersion version: String?) throws(Refusal) -> Saved {
        let saved = try credentials.saved.setCode(
            change.uri, of: change.credential, by: change.writer, ifVersion: version.map(storedVersion),
            at: change.service)
        guard saved.changed, let suggested = change.suggested else { return saved }
        // A suggestion is a number of the former counter. One that cannot be dropped now ends by itself.
        do throws(Refusal) { try codes.keep(suggested) } catch { return saved }
        return saved
    }
}
