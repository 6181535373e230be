// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SecretMemory

/// A one-time code: one that came in, else one of a saved credential.
extension CodeGet: JudgedCall {
    typealias Area = CodeMethods

    func promptText(_ views: CodeViews) throws(Unsettled) -> String? {
        "read a one-time code for \(try views.credentials.shownCredential(name))"
    }

    func judge(_ views: CodeViews, _ request: RequestView) throws(Unsettled) -> CodeDecision {
        let access = views.credentials.access
        guard let named = name.service else {
            let (found, permit) = try views.credentials.permitted(name.id, .code, request)
            guard let kind = try found.codeKind(), kind.isUsable else { throw Unsettled(.codeNotFound) }
            return .saved(found, permit, kind)
        }
        let service = try views.credentials.sites.service(named, request)
        let permit = try access.toAccess(.code, of: service, request)
        // A code that came in is nobody's own: a client with no more than its own is not notified of it either.
        if name.user == nil, permit.isGranted, let (id, code) = views.codes.incoming(for: service).first {
            return .incoming(id, code, try access.toAccess(code, request))
        }
        guard let (found, kind) = try find(views.credentials.saved, permit, request), kind.isUsable else {
            throw Unsettled(.codeNotFound)
        }
        return .saved(found, permit, kind)
    }

    /// The credential of a user, else the last used, that has one-time codes.
    private func find(
        _ saved: CredentialReader, _ permit: Permit, _ request: RequestView
    ) throws(Unsettled) -> (Sealed<Credential>, OneTimeCodeKind)? {
        if let user = name.user {
            guard let found = try saved.password(of: user, at: permit.service, request), !found.isDeleted,
                permit.shows(.code, of: found.id, found.version, to: request)
            else { return nil }
            return try found.codeKind().map { (found, $0) }
        }
        let page = try saved.passwords(of: permit.service, limit: Limits.listDefault, request) { _, _ in true }
        for summary in page.elements
        where summary.hasOneTimeCode && permit.shows(.code, of: summary.id, summary.version, to: request) {
            if let found = try saved.credential(summary.id), let kind = found.readableCodeKind { return (found, kind) }
        }
        return nil
    }

    func act(on decision: CodeDecision, _ effects: CodeEffects) throws(Refusal) -> Answer {
        let released = try effects.release(decision)
        return Answer(
            code: released.code, source: released.source, validUntil: released.validUntil?.description,
            credential: released.credential?.id.description, user: released.credential?.user)
    }
}
