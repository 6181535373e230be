// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SecretMemory

/// The methods `code.*`, and what fills codes into forms.
struct CodeMethods: MethodArea {
    let views: CodeViews
    private let credentials: CredentialMethods
    private let codes: IncomingCodes
    private let vault: VaultKeeper

    init(_ credentials: CredentialMethods, _ codes: IncomingCodes, _ vault: VaultKeeper) {
        views = CodeViews(credentials: credentials.views, codes: CodeReader(codes, vault))
        self.credentials = credentials
        self.codes = codes
        self.vault = vault
    }

    func effects(for request: RequestContext) -> CodeEffects {
        CodeEffects(credentials: credentials.effects(for: request), codes: CodeWriter(codes, vault))
    }
}

struct CodeViews {
    let credentials: CredentialViews
    let codes: CodeReader
}

struct CodeEffects {
    let credentials: CredentialEffects
    let codes: CodeWriter
}

/// A one-time code that is released.
struct ReleasedCode {
    /// nil for a code that came in.
    let credential: Credential?
    let code: SecretBytes
    let source: String
    let validUntil: Timestamp?
}

/// Which one-time code is released.
enum CodeDecision: Sendable {
    case incoming(String, Sealed<IncomingCode>, Permit)
    /// The code of now, or the next one of a counter.
    case saved(Sealed<Credential>, Permit, OneTimeCodeKind)
    /// The code of a counter that was suggested: the suggestions, and the index of this one. Its counter is taken when it is first
    /// filled.
    case suggested(Sealed<Credential>, Permit, SuggestedCodes, at: Int)
}

extension CodeEffects {
    /// A release is on record, and the credential the one used last, before a counter is taken for it.
    func release(_ decision: CodeDecision) throws(Refusal) -> ReleasedCode {
        let (releases, saved) = (credentials.releases, credentials.saved)
        switch decision {
        case .incoming(let id, let sealed, let permit):
            let code = try releases.open(sealed, under: permit)
            codes.remove(id)
            return ReleasedCode(credential: nil, code: code.code, source: "incoming", validUntil: code.expires)
        case .saved(let sealed, let permit, let kind):
            let found = try releases.open(sealed, under: permit, isUse: true).record
            let code = try saved.code(of: found)
            return ReleasedCode(
                credential: found, code: code.code, source: kind.source, validUntil: code.validUntil)
        case .suggested(let sealed, let permit, var suggested, let index):
            let found = try releases.open(sealed, under: permit, isUse: true).record
            let taken = suggested.entries[index].counter.map { UInt64($0) }
            let counter = if let taken { taken } else { try saved.takeCounter(of: found) }
            suggested.entries[index].counter = Int(counter)
            try codes.keep(suggested)
            let code = try saved.code(of: found, counter: counter)
            return ReleasedCode(credential: found, code: code, source: "counter", validUntil: nil)
        }
    }
}

extension CodeViews {
    /// A code as a prompt names it.
    func shownCode(_ name: String) throws(Unsettled) -> String {
        if let code = codes.incoming(name) { return "a one-time code that came in for \(shown(code.service.value))" }
        let suggested = try codes.suggested().entries.first { $0.id == name }.flatMap { ObjectID($0.credential) }
        guard let id = suggested ?? ObjectID(codeName: name) else { throw Unsettled(.codeNotFound) }
        return "a one-time code for \(try credentials.shownCredential(id.description))"
    }

    /// The code of that name, as far as it may be filled at a page.
    func named(_ name: String, at page: Service?, _ request: RequestView) throws(Unsettled) -> CodeDecision {
        let access = credentials.access
        if let code = codes.incoming(name) {
            guard code.expires > codes.now else { throw Unsettled(.codeNotFound) }
            // Another site's gets the same answer as one that does not exist.
            guard try access.mayAccess(code.service, request), page == nil || page == code.service else {
                throw try credentials.unknown(.codeNotFound, request)
            }
            return .incoming(name, code, try access.toAccess(code, request))
        }
        let (suggested, subject) = (try codes.suggested(), try request.subject())
        let index = suggested.entries.firstIndex { $0.id == name && subject.isAtLeast($0.subject) }
        let id = index.flatMap { ObjectID(suggested.entries[$0].credential) } ?? ObjectID(codeName: name)
        guard let found = try credentials.saved.credential(named: id?.description), found.isPassword,
            let service = try service(of: found, at: page, request)
        else { throw try credentials.unknown(.codeNotFound, request) }
        let permit = try access.toAccess(.code, of: service, request)
        guard permit.shows(.code, of: found.id, found.version, to: request), let kind = try found.codeKind() else {
            throw Unsettled(.codeNotFound)
        }
        // A counter's code is filled by the name of its suggestion, never by the credential's.
        switch (kind, index) {
        case (.time, nil): return .saved(found, permit, kind)
        case (.counter(let isUsable), let index?) where isUsable || suggested.entries[index].counter != nil:
            return .suggested(found, permit, suggested, at: index)
        default: throw Unsettled(.codeNotFound)
        }
    }

    /// The service by which a credential's code is accessed; nil where it is not for the client, or not for the page.
    private func service(
        of found: Sealed<Credential>, at page: Service?, _ request: RequestView
    ) throws(Unsettled) -> Service? {
        guard let page else { return try credentials.access.service(of: found, request) }
        do throws(Unsettled) { return try credentials.sites.service(of: found, namedWith: page, request) } catch {
            guard error.isOnly(.credentialNotFound) else { throw error }
            return nil
        }
    }
}
