// SPDX-License-Identifier: Apache-2.0
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Whether an app may change what is saved.
extension Authoriser {
    /// Whether the client may save for this user. What nobody has saved yet, and what it wrote itself, it may; to change
    /// what another program or the person saved takes the person's word, as reading it would.
    ///
    /// - Returns: whether there is a credential of that user.
    func authorise(
        _ request: RequestContext, toChange user: String, of service: Service
    ) throws(RefusedRequest) -> Bool {
        let subject = try request.session.subject()
        if try remembered(request.session, service)?.decision == .deny {
            throw RefusedRequest(.grantDenied, [.app: subject.app, .domain: service.asArgument])
        }
        let open = try vault.unlocked()
        let saved = try attempting { () throws(VaultError) in try open.readers.credentials.get(for: service, user: user)
        }
        guard let saved else { return false }
        guard saved.deleted == nil, try !isOwn(saved.writer, of: request.session) else { return true }
        if case .ownOnly = try authorise(request, for: service) {
            throw RefusedRequest(.grantMissing, [.app: subject.app, .domain: service.asArgument])
        }
        return true
    }

    /// Whether the client may have an answer that tells whether a user is saved: of its own, else by the person's word, the same
    /// whether there is one or not.
    func authoriseAnswer(
        _ request: RequestContext, about user: String, of service: Service
    ) throws(RefusedRequest) {
        let open = try vault.unlocked()
        let saved = try attempting { () throws(VaultError) in try open.readers.credentials.get(for: service, user: user)
        }
        if let saved, try isOwn(saved.writer, of: request.session) { return }
        if decided(request.session, service) != nil { return }
        if try standing(request.session, service) == nil { _ = try ask(request, service) }
    }

    /// Whether the client may change the one-time codes of this user: those that it set, and where there are none those of
    /// a credential that it wrote. All else takes the person's word, as reading it would.
    func authorise(
        _ request: RequestContext, toChangeCodesOf user: String, of service: Service
    ) throws(RefusedRequest) {
        let session = request.session
        let subject = try session.subject()
        if try remembered(session, service)?.decision == .deny {
            throw RefusedRequest(.grantDenied, [.app: subject.app, .domain: service.asArgument])
        }
        let open = try vault.unlocked()
        let saved = try attempting { () throws(VaultError) in try open.readers.credentials.get(for: service, user: user)
        }
        // Where there is none the answer is the same as where there is another's.
        if let saved, saved.deleted == nil {
            let writer = saved.oneTimeCode == nil ? saved.writer : saved.codeWriter
            if let writer, try isOwn(writer, of: session) { return }
        }
        if decided(session, service) != nil { return }
        if try standing(session, service) == nil { _ = try ask(request, service) }
    }
}
