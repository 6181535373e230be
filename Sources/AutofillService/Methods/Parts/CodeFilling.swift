// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import OneTimeCodes
internal import Reasons
internal import SecretMemory

/// One-time codes in forms: filled like any field.
extension Modules {
    func fill(
        code name: String, _ described: DescribedForm, at page: Service?, _ request: RequestContext
    ) throws(RefusedRequest) -> AutofillFill.Answer {
        let fields = try described.analysis(for: request.session).oneTimeCodeFields
        func answer(_ saved: Credential?, _ code: SecretBytes, _ validUntil: Timestamp?) -> AutofillFill.Answer {
            AutofillFill.Answer(
                credential: saved?.id.description, user: saved?.user, password: nil, code: code,
                validUntil: validUntil?.description,
                values: code.spread(over: fields))
        }
        if let offered = try codes.take(
            name, at: clock.steady,
            where: { offered throws(RefusedRequest) in
                // Another site's is as unknown as nobody's.
                guard try authoriser.reaches(offered.service, request), page == nil || page == offered.service else {
                    throw try unknown(.codeNotFound, request)
                }
                let authorisation =
                    request.isProven ? .granted(nil) : try authoriser.authoriseIncoming(request, for: offered.service)
                try audit.release(nil, offered.service, request, authorisation)
            })
        {
            return answer(nil, offered.code, offered.expires)
        }
        var suggested = try suggestedCodes()
        let subject = try request.session.subject()
        let place = suggested.entries.firstIndex { $0.id == name && subject.isAtLeast($0.subject) }
        let id = place.flatMap { ObjectID(suggested.entries[$0].credential) } ?? ObjectID(codeName: name)
        let open = try vault.unlocked()
        guard let id,
            let credential = try attempting({ () throws(VaultError) in try open.readers.credentials.get(id) }),
            credential.deleted == nil, credential.kind == .password,
            let service = try codeService(of: credential, at: page, request)
        else { throw try unknown(.codeNotFound, request) }
        let authorisation = try authorise(request, toReach: .code, of: service)
        guard authorisation.shows(.code, of: credential.id, credential.version, to: request.session) else {
            throw RefusedRequest(.codeNotFound)
        }
        guard let password = try credential.oneTimePassword() else { throw RefusedRequest(.codeNotFound) }
        if let place {
            guard suggested.entries[place].counter != nil || password.nextCounter != nil else {
                throw RefusedRequest(.codeNotFound)
            }
        } else {
            // A counter's code is filled by the name of its suggestion, never by the credential's.
            guard case .time = password.factor else { throw RefusedRequest(.codeNotFound) }
        }
        try audit.release(credential.id, service, request, authorisation)
        var code: (code: SecretBytes, validUntil: Timestamp?)
        if let place {
            code = (try self.code(of: &suggested.entries[place], in: credential, password, request), nil)
            try keep(suggested)
        } else {
            code = try self.code(of: credential, password, request)
        }
        try noteUse(of: credential.id)
        return answer(credential, code.code, code.validUntil)
    }

    /// The service by which a credential's code is reached; nil where it is of no concern to the client, or to the page.
    private func codeService(
        of credential: Credential, at page: Service?, _ request: RequestContext
    ) throws(RefusedRequest) -> Service? {
        guard let page else { return try authoriser.reached(credential, request) }
        do throws(RefusedRequest) {
            return try service(of: credential, namedWith: page, request)
        } catch {
            guard case .refused(let refusals) = error, refusals.map(\.reason) == [.credentialNotFound] else {
                throw error
            }
            return nil
        }
    }

    /// A code as a prompt names it.
    func shownCode(_ name: String) throws(RefusedRequest) -> String {
        if let service = codes.service(of: name) {
            return "a one-time code that came in for \(shown(service.value))"
        }
        let suggested = try suggestedCodes().entries.first { $0.id == name }.flatMap { ObjectID($0.credential) }
        guard let id = suggested ?? ObjectID(codeName: name) else { throw RefusedRequest(.codeNotFound) }
        return "a one-time code for \(try shownCredential(id.description))"
    }

    /// The one code of a suggestion. Its counter is taken when it is first filled; a crash before that is kept here costs a
    /// counter, and never gives one to two suggestions.
    private func code(
        of entry: inout SuggestedCodes.Entry, in credential: Credential, _ password: OneTimePassword,
        _ request: RequestContext
    ) throws(RefusedRequest) -> SecretBytes {
        if let counter = entry.counter { return password.code(counter: UInt64(counter)) }
        let counter = try takeCounter(of: credential, password, request)
        entry.counter = Int(counter)
        return password.code(counter: counter)
    }
}

extension SecretBytes {
    /// A code for its field, or a digit for each of as many fields as it has digits.
    fileprivate func spread(over fields: [String]) -> [FieldValue] {
        guard fields.count > 1, fields.count == count else {
            return fields.map { FieldValue(field: $0, value: self) }
        }
        return withUnsafeBytes { digits in
            zip(fields, digits).map { field, digit in
                FieldValue(field: field, value: SecretBytes(copying: CollectionOfOne(digit), count: 1))
            }
        }
    }
}
