// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import OneTimeCodes
internal import Reasons
internal import SecretMemory

/// One-time codes in forms: filled like any field.
extension AutofillBroker {
    func fill(
        code name: String, _ call: AutofillFill, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> AutofillFill.Answer {
        let fields = FormAnalysis(of: try formFields(call.fields ?? [])).oneTimeCodeFields
        func answer(_ user: String?, _ code: SecretBytes, _ validUntil: Timestamp?) -> AutofillFill.Answer {
            AutofillFill.Answer(
                user: user, password: nil, code: code, validUntil: validUntil?.description,
                values: code.spread(over: fields))
        }
        if let offered = offeredCodes[name] {
            guard waitingCodes(for: offered.service).contains(where: { $0.id == name }) else {
                throw RefusedRequest(.codeNotFound)
            }
            let authorisation =
                isProven ? .granted(nil) : try authoriseIncoming(client, offered.service, call.interaction)
            try release(nil, offered.service, .autofillFill, client, authorisation, isProven)
            offeredCodes[name] = nil
            return answer(nil, offered.code, offered.expires)
        }
        var codes = try suggestedCodes()
        let subject = try subject(of: client)
        let place = codes.entries.firstIndex { $0.id == name && subject.isAtLeast($0.subject) }
        let id = place.flatMap { ObjectID(codes.entries[$0].credential) } ?? ObjectID(codeName: name)
        let open = try vault.unlocked()
        guard let id, let credential = try attempting({ () throws(VaultError) in try open.credential(id) }),
            credential.deleted == nil
        else { throw RefusedRequest(.codeNotFound) }
        let authorisation =
            isProven
            ? .granted(nil) : try authorise(client, toReach: .code, of: credential.service, call.interaction)
        guard client.sees(.code, of: credential.id, credential.version, authorisation) else {
            throw RefusedRequest(.codeNotFound)
        }
        guard let password = try credential.oneTimePassword() else { throw RefusedRequest(.codeNotFound) }
        var code: (code: SecretBytes, validUntil: Timestamp?)
        if let place {
            code = (try self.code(of: &codes.entries[place], in: credential, password, client), nil)
            try keep(codes)
        } else {
            // A counter's code is filled by the name of its suggestion, never by the credential's.
            guard case .time = password.factor else { throw RefusedRequest(.codeNotFound) }
            code = try self.code(of: credential, password, client)
        }
        try release(credential.id, credential.service, .autofillFill, client, authorisation, isProven)
        try attempting { () throws(VaultError) in try open.noteUse(of: credential.id, at: now) }
        return answer(credential.user, code.code, code.validUntil)
    }

    /// The one code of a suggestion. Its counter is taken when it is first filled; a crash before that is kept here costs a
    /// counter, and never gives one to two suggestions.
    private func code(
        of entry: inout SuggestedCodes.Entry, in credential: Credential, _ password: OneTimePassword, _ client: Client
    ) throws(RefusedRequest) -> SecretBytes {
        if let counter = entry.counter { return password.code(counter: UInt64(counter)) }
        let counter = try takeCounter(of: credential, password, client)
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
