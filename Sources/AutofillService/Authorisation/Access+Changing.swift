// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
package import Credentials
internal import Reasons

/// Whether an app may change what is saved.
extension Access {
    /// Whether the client may save for this user. What nobody has saved yet, and what it wrote itself, it may; to change
    /// what another program or the user saved it needs the user's consent, as reading it would.
    ///
    /// - Returns: whether there is a credential of that user.
    package func toChange(_ user: String, of service: Service, _ request: RequestView) throws(Unsettled) -> Bool {
        try grants.refuseDenied(service, request)
        guard let saved = try credentials.password(of: user, for: service) else { return false }
        if saved.isDeleted || request.owns(.password, of: saved.id, saved.version) { return true }
        if try isOwn(saved.writer, request) { return true }
        if try !mayChangeOthers(of: service, request) {
            throw Unsettled(.grantMissing, [.app: try request.subject().app, .domain: service.asArgument])
        }
        return true
    }

    /// Throws where the user has denied the service to the client: it could not save there either.
    package func refuseDenied(_ service: Service, _ request: RequestView) throws(Unsettled) {
        try grants.refuseDenied(service, request)
    }

    /// Whether the client may change what others saved for a service; asks the user where that is possible. False where it may
    /// change only its own.
    package func mayChangeOthers(of service: Service, _ request: RequestView) throws(Unsettled) -> Bool {
        if grants.decided(service, request) != nil { return true }
        try examine(service, for: .savedCredential, request)
        if try grants.allowing(service, request) != nil { return true }
        if try ownsAny(.password, of: service, request) { return false }
        _ = try ask(service, request)
        return true
    }

    /// Whether the client may have an answer from which it learns whether a user is saved: of its own, else by the user's consent,
    /// the same whether there is one or not.
    package func toLearn(of user: String, of service: Service, _ request: RequestView) throws(Unsettled) {
        if let saved = try credentials.password(of: user, for: service) {
            if request.owns(.password, of: saved.id, saved.version) { return }
            if try isOwn(saved.writer, request) { return }
        }
        try requireGrant(service, request)
    }

    /// Whether the client may change the one-time codes of a credential: those that it set, and where there are none those of
    /// a credential that it wrote. All else needs the user's consent, as reading it would.
    package func toChangeCodes(
        of saved: Sealed<Credential>?, at service: Service, _ request: RequestView
    ) throws(Unsettled) {
        try grants.refuseDenied(service, request)
        // Where there is none the answer is the same as where there is another's.
        if let saved, !saved.isDeleted {
            if request.owns(saved.hasCode ? .code : .password, of: saved.id, saved.version) { return }
            let writer = saved.hasCode ? saved.record.codeWriter : saved.writer
            if let writer, try isOwn(writer, request) { return }
        }
        try requireGrant(service, request)
    }

    /// Whether the client may change what is noted of a credential: what it noted itself, and where nothing is those of a
    /// credential that it wrote. All else needs the user's consent, as reading it would.
    package func toChangeDetails(
        of saved: Sealed<Credential>, at service: Service, _ request: RequestView
    ) throws(Unsettled) {
        try grants.refuseDenied(service, request)
        if request.ownsDetails(saved.id, saved.version) { return }
        if saved.record.details == CredentialDetails() {
            if request.owns(.password, of: saved.id, saved.version) { return }
            if try isOwn(saved.writer, request) { return }
        } else if let writer = saved.detailsWriter, try isOwn(writer, request) {
            return
        }
        try requireGrant(service, request)
    }

    /// Requires a grant for a service, or the user's consent now.
    private func requireGrant(_ service: Service, _ request: RequestView) throws(Unsettled) {
        if grants.decided(service, request) != nil { return }
        if try grants.allowing(service, request) == nil { _ = try ask(service, request) }
    }
}
