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

/// What a form's field for a code is suggested.
struct FoundCodes {
    let site: Service
    /// Else only what this connection set itself is among them.
    let isGranted: Bool
    let saved: [(credential: Credential, password: OneTimePassword)]
    /// Whether there are some that were not looked at.
    let hasMore: Bool
}

/// One-time codes in forms: suggested for their fields.
extension Modules {
    /// Looks for them, and writes nothing: it may take several turns. nil where the form has no field for a code.
    func findCodes(
        _ request: RequestContext, _ asked: AutofillFacts.Site, _ service: Service?, _ form: FormAnalysis
    ) throws(RefusedRequest) -> Result<FoundCodes, NotOffered>? {
        guard !form.oneTimeCodeFields.isEmpty else { return nil }
        switch try suggestible(request, asked, service) {
        case .success(let (site, grant)):
            return try NotOffered.unless { () throws(RefusedRequest) in
                try codes(site, request, isGranted: grant != nil)
            }
        case .failure(let refused): return .failure(refused)
        }
    }

    /// nil where the app has a grant and there is none. Without a grant it is the same whatever there is, but for the codes that
    /// the app set itself. A counter's suggestion is in the vault when this returns; nothing has to be waited for.
    ///
    /// - Parameter name: of the form, where it has one.
    func suggest(
        _ looked: Result<FoundCodes, NotOffered>, _ name: String?, _ request: RequestContext, _ form: FormAnalysis
    ) throws(RefusedRequest) -> Result<OneTimeCodeSuggestion, NotOffered>? {
        let found: FoundCodes
        switch looked {
        case .success(let codes): found = codes
        case .failure(let refused): return .failure(refused)
        }
        var codes: [SuggestedCode] = []
        if found.isGranted {
            codes = self.codes.waiting(for: found.site, at: clock.steady).map { waiting in
                SuggestedCode(
                    code: waiting.id, source: "incoming", credential: nil, user: nil,
                    expires: waiting.code.expires.description)
            }
        }
        if found.isGranted, codes.isEmpty, found.saved.isEmpty { return nil }
        return try NotOffered.unless { () throws(RefusedRequest) in
            codes += try suggest(found.saved, name, request)
            return OneTimeCodeSuggestion(fields: form.oneTimeCodeFields, codes: codes, hasMore: found.hasMore)
        }
    }

    /// - Parameter isGranted: else those whose codes this connection set itself.
    private func codes(
        _ site: Service, _ request: RequestContext, isGranted: Bool
    ) throws(RefusedRequest) -> FoundCodes {
        let open = try vault.unlocked()
        var found: [(Credential, OneTimePassword)] = []
        let page = try saved(
            for: site, kind: .password, request.session, after: nil, limit: Limits.listDefault
        ) { id, version in
            isGranted || request.session.memory.ownership.ownsCode(id, version)
        }
        for summary in page.elements where summary.hasOneTimeCode {
            let credential = try attempting { () throws(VaultError) in try open.readers.credentials.get(summary.id) }
            // One that cannot be read keeps the others, and the passwords, from nobody.
            guard let credential, let password = try? credential.oneTimePassword() else { continue }
            found.append((credential, password))
        }
        return FoundCodes(site: site, isGranted: isGranted, saved: found, hasMore: page.next != nil)
    }

    /// Those of counters are kept together, all or none.
    private func suggest(
        _ found: [(credential: Credential, password: OneTimePassword)], _ form: String?, _ request: RequestContext
    ) throws(RefusedRequest) -> [SuggestedCode] {
        var (codes, known) = (SuggestedCodes?.none, 0)
        var suggested: [SuggestedCode] = []
        for (credential, password) in found {
            var name = credential.id.codeName
            var expires: String?
            if case .counter = password.factor {
                var all = if let codes { codes } else { try suggestedCodes() }
                if codes == nil { known = all.entries.count }
                let entry = try suggestion(of: credential.id, form, in: &all, request)
                codes = all
                name = entry.id
                expires = Timestamp(milliseconds: Int64(entry.expires)).description
            }
            suggested.append(
                SuggestedCode(
                    code: name, source: password.source, credential: credential.id.description, user: credential.user,
                    expires: expires))
        }
        if let codes, codes.entries.count > known { try keep(codes) }
        return suggested
    }

    /// The suggestion of this form, or a new one.
    private func suggestion(
        of credential: ObjectID, _ form: String?, in codes: inout SuggestedCodes, _ request: RequestContext
    ) throws(RefusedRequest) -> SuggestedCodes.Entry {
        let subject = try request.session.subject()
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
        var entropy = surroundings.entropy
        let entry = SuggestedCodes.Entry(
            id: ObjectID.random(.credential, using: &entropy).codeName, credential: credential, subject: subject,
            form: form, expires: clock.steady.advanced(byMilliseconds: Int64(Limits.suggestedCodeMilliseconds)))
        codes.entries.append(entry)
        return entry
    }

    func suggestedCodes() throws(RefusedRequest) -> SuggestedCodes {
        let open = try vault.unlocked()
        let stored = try attempting { () throws(VaultError) in try open.readers.settings.get(SuggestedCodes.settingName)
        }
        var codes = stored.flatMap { SuggestedCodes.read($0) } ?? SuggestedCodes()
        codes.dropExpired(at: clock.steady)
        return codes
    }

    func keep(_ codes: SuggestedCodes) throws(RefusedRequest) {
        let open = try vault.unlocked()
        try attempting { () throws(VaultError) in
            try open.writers.settings.set(SuggestedCodes.settingName, to: codes.stored, at: clock.now)
        }
    }
}
