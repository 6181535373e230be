// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import OneTimeCodes
internal import Reasons

/// A one-time code: one that came in, else one of a saved credential.
extension CodeGet: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String { "read a one-time code for \(shown(service.value))" }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let service = try modules.apps.service(service, request)
        if user == nil, let incoming = try incoming(service, request, modules) { return incoming }
        let authorisation = try modules.authorise(request, toReach: .code, of: service)
        guard let (credential, password) = try credentialWithCode(service, authorisation, request, modules) else {
            throw RefusedRequest(.codeNotFound)
        }
        guard password.hasNextCode else { throw RefusedRequest(.codeNotFound) }
        try modules.audit.release(credential.id, service, request, authorisation)
        let code = try modules.code(of: credential, password, request)
        try modules.noteUse(of: credential.id)
        return Answer(
            code: code.code, source: password.source, validUntil: code.validUntil?.description,
            credential: credential.id.description, user: credential.user)
    }

    private func incoming(
        _ service: Service, _ request: RequestContext, _ modules: Modules
    ) throws(RefusedRequest) -> Answer? {
        let now = modules.clock.steady
        guard let waiting = modules.codes.waiting(for: service, at: now).first else { return nil }
        let taken = try modules.codes.take(waiting.id, at: now) { _ throws(RefusedRequest) in
            let authorisation =
                request.isProven ? .granted(nil) : try modules.authoriser.authoriseIncoming(request, for: service)
            try modules.audit.release(nil, service, request, authorisation)
        }
        return taken.map { code in
            Answer(
                code: code.code, source: "incoming", validUntil: code.expires.description, credential: nil, user: nil)
        }
    }

    /// The credential of a user, else the last used, that has one-time codes.
    private func credentialWithCode(
        _ service: Service, _ authorisation: Authorisation, _ request: RequestContext, _ modules: Modules
    ) throws(RefusedRequest) -> (Credential, OneTimePassword)? {
        if let user {
            guard let credential = try modules.find(service, user, request, .granted(nil)), credential.deleted == nil,
                authorisation.shows(.code, of: credential.id, credential.version, to: request.session)
            else { return nil }
            return try credential.oneTimePassword().map { (credential, $0) }
        }
        let open = try modules.vault.unlocked()
        for summary in try modules.visible(service, request, .granted(nil)).first
        where summary.hasOneTimeCode && authorisation.shows(.code, of: summary.id, summary.version, to: request.session)
        {
            let credential = try attempting { () throws(VaultError) in try open.readers.credentials.get(summary.id) }
            if let credential, let password = try? credential.oneTimePassword() { return (credential, password) }
        }
        return nil
    }
}
