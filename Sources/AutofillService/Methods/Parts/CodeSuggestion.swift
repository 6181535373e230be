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

/// One-time codes in forms: suggested for their fields.
extension Modules {
    /// nil where the form has no field for a code, or the app has a grant and there is none. Without a grant it is the same whatever
    /// there is, but for the codes that the app set itself.
    func oneTimeCodes(
        _ name: String?, _ request: RequestContext, _ asked: AutofillFacts.Site, _ service: Service?,
        _ form: FormAnalysis
    ) throws(RefusedRequest) -> Result<OneTimeCodeSuggestion, NotOffered>? {
        guard !form.oneTimeCodeFields.isEmpty else { return nil }
        let (site, grant): (Service, Grant?)
        switch try suggestible(request, asked, service) {
        case .success(let found): (site, grant) = found
        case .failure(let refused): return .failure(refused)
        }
        var codes: [SuggestedCode] = []
        if grant != nil {
            codes = self.codes.waiting(for: site, at: clock.steady).map { waiting in
                SuggestedCode(
                    code: waiting.id, source: "incoming", credential: nil, user: nil,
                    expires: waiting.code.expires.description)
            }
        }
        var hasMore = false
        do throws(RefusedRequest) {
            for (credential, password) in try credentialsWithCodes(site, request, isGranted: grant != nil, &hasMore) {
                codes.append(try suggest(credential, password, name, request))
            }
        } catch {
            guard case .refused(let refusals) = error else { throw error }
            return .failure(NotOffered(refusals: refusals))
        }
        if grant != nil, codes.isEmpty { return nil }
        return .success(OneTimeCodeSuggestion(fields: form.oneTimeCodeFields, codes: codes, hasMore: hasMore))
    }

    /// - Parameters:
    ///   - isGranted: else those whose codes this connection set itself.
    ///   - hasMore: whether there are some that were not looked at.
    private func credentialsWithCodes(
        _ service: Service, _ request: RequestContext, isGranted: Bool, _ hasMore: inout Bool
    ) throws(RefusedRequest) -> [(Credential, OneTimePassword)] {
        let open = try vault.unlocked()
        var found: [(Credential, OneTimePassword)] = []
        let page = try saved(
            for: service, kind: .password, request.session, after: nil, limit: Limits.listDefault
        ) { id, version in
            isGranted || request.session.memory.ownership.ownsCode(id, version)
        }
        hasMore = page.next != nil
        for summary in page.elements where summary.hasOneTimeCode {
            let credential = try attempting { () throws(VaultError) in try open.credential(summary.id) }
            // One that cannot be read keeps the others, and the passwords, from nobody.
            guard let credential, let password = try? credential.oneTimePassword() else { continue }
            found.append((credential, password))
        }
        return found
    }

    private func suggest(
        _ credential: Credential, _ password: OneTimePassword, _ form: String?, _ request: RequestContext
    ) throws(RefusedRequest) -> SuggestedCode {
        var name = credential.id.codeName
        var expires: String?
        if case .counter = password.factor {
            let entry = try suggestion(of: credential.id, form, request)
            name = entry.id
            expires = Timestamp(milliseconds: Int64(entry.expires)).description
        }
        return SuggestedCode(
            code: name, source: password.source, credential: credential.id.description, user: credential.user,
            expires: expires)
    }

    /// The suggestion of this form, or a new one. It is in the vault when this returns.
    private func suggestion(
        of credential: ObjectID, _ form: String?, _ request: RequestContext
    ) throws(RefusedRequest) -> SuggestedCodes.Entry {
        let subject = try request.session.subject()
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
        var entropy = surroundings.entropy
        let entry = SuggestedCodes.Entry(
            id: ObjectID.random(.credential, using: &entropy).codeName, credential: credential, subject: subject,
            form: form, expires: clock.steady.advanced(byMilliseconds: Int64(Limits.suggestedCodeMilliseconds)))
        codes.entries.append(entry)
        try keep(codes)
        return entry
    }

    func suggestedCodes() throws(RefusedRequest) -> SuggestedCodes {
        let open = try vault.unlocked()
        let stored = try attempting { () throws(VaultError) in try open.setting(SuggestedCodes.settingName) }
        var codes = stored.flatMap { SuggestedCodes.read($0) } ?? SuggestedCodes()
        codes.dropExpired(at: clock.steady)
        return codes
    }

    func keep(_ codes: SuggestedCodes) throws(RefusedRequest) {
        let open = try vault.unlocked()
        try attempting { () throws(VaultError) in
            try open.set(SuggestedCodes.settingName, to: codes.stored, at: clock.now)
        }
    }
}
