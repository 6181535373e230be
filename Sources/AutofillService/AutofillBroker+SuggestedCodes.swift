// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import OneTimeCodes
internal import Reasons
internal import SecretMemory

/// One-time codes in forms: suggested for their fields, and filled like any field.
extension AutofillBroker {
    /// nil where the form has no field for one, or there is none.
    func oneTimeCodes(
        _ call: AutofillSuggest, _ client: Client, _ site: AutofillFacts.Site, _ service: Service?,
        _ form: FormAnalysis
    ) throws(RefusedRequest) -> Result<OneTimeCodeSuggestion, NotOffered>? {
        let codeFields = form.oneTimeCodeFields
        guard !codeFields.isEmpty else { return nil }
        let refusals = Examination(of: facts(for: client, site: site, consent: .granted("")), for: .savedCredential)
            .refusals
        guard refusals.isEmpty, let service else { return .failure(NotOffered(refusals: refusals)) }
        let grant = try remembered(client, service)
        if grant?.decision == .deny {
            let names: [Refusal.Parameter: String] = [
                .app: client.app?.bundleID.text ?? "", .domain: service.value,
            ]
            return .failure(NotOffered(refusals: [Refusal(.grantDenied, names)]))
        }
        let incoming = waitingCodes(for: service)
        let saved = try credentialsWithCodes(service, client)
        guard !incoming.isEmpty || !saved.isEmpty else { return nil }
        var codes: [SuggestedCode] = []
        if grant != nil {
            codes = incoming.map { waiting in
                SuggestedCode(
                    code: waiting.id, source: "incoming", credential: nil, user: nil,
                    expires: waiting.code.expires.description)
            }
        }
        do throws(RefusedRequest) {
            for (credential, password) in saved
            where grant != nil || client.ownsCode(credential.id, credential.version) {
                codes.append(try suggest(credential, password, call.form, client))
            }
        } catch {
            guard case .refused(let refusals) = error else { throw error }
            return .failure(NotOffered(refusals: refusals))
        }
        return .success(
            OneTimeCodeSuggestion(fields: codeFields, count: incoming.count + saved.count, codes: codes))
    }

    private func credentialsWithCodes(
        _ service: Service, _ client: Client
    ) throws(RefusedRequest) -> [(Credential, OneTimePassword)] {
        let open = try vault.unlocked()
        var found: [(Credential, OneTimePassword)] = []
        for summary in try visible(service, client, .granted(nil)) {
            let credential = try attempting { () throws(VaultError) in try open.credential(summary.id) }
            if let credential, let password = try credential.oneTimePassword() {
                found.append((credential, password))
            }
        }
        return found
    }

    private func suggest(
        _ credential: Credential, _ password: OneTimePassword, _ form: String?, _ client: Client
    ) throws(RefusedRequest) -> SuggestedCode {
        var name = credential.id.codeName
        var expires: String?
        if case .counter = password.factor {
            let entry = try suggestion(of: credential.id, form, client)
            name = entry.id
            expires = Timestamp(milliseconds: Int64(entry.expires)).description
        }
        return SuggestedCode(
            code: name, source: password.source, credential: credential.id.description, user: credential.user,
            expires: expires)
    }

    /// The suggestion of this form, or a new one. It is in the vault when this returns.
    private func suggestion(
        of credential: ObjectID, _ form: String?, _ client: Client
    ) throws(RefusedRequest) -> SuggestedCodes.Entry {
        let subject = try subject(of: client)
        var codes = try suggestedCodes()
        let known = codes.entries.first { entry in
            form != nil && entry.form?.utf8.elementsEqual(form?.utf8 ?? "".utf8) == true
                && entry.credential == credential.description && subject.isAtLeast(entry.subject)
        }
        if let known { return known }
        guard codes.entries.count < Limits.suggestedCodes,
            codes.entries.count(where: { $0.app == subject.app }) < Limits.codesPerApp
        else {
            throw RefusedRequest([
                Refusal(.tooManyCodes, retryAfterMilliseconds: Int64(Limits.suggestedCodeMilliseconds))
            ])
        }
        let entry = SuggestedCodes.Entry(
            id: ObjectID.random(.credential, using: &entropy).codeName, credential: credential, subject: subject,
            form: form, expires: now.advanced(byMilliseconds: Int64(Limits.suggestedCodeMilliseconds)))
        codes.entries.append(entry)
        try keep(codes)
        return entry
    }

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

    private func suggestedCodes() throws(RefusedRequest) -> SuggestedCodes {
        let open = try vault.unlocked()
        let stored = try attempting { () throws(VaultError) in try open.setting(SuggestedCodes.settingName) }
        var codes = stored.flatMap { SuggestedCodes.read($0) } ?? SuggestedCodes()
        codes.dropExpired(at: now)
        return codes
    }

    private func keep(_ codes: SuggestedCodes) throws(RefusedRequest) {
        let open = try vault.unlocked()
        try attempting { () throws(VaultError) in
            try open.set(SuggestedCodes.settingName, to: codes.stored, at: now)
        }
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
